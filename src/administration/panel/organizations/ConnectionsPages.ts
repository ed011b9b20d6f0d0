import { Effect, Layer } from "effect"
import type { Connection } from "../../../einvoicing/providers/connections/Connection.ts"
import { Connections } from "../../../einvoicing/providers/connections/Connections.ts"
import { NotFound } from "../../../kernel/Refusal.ts"
import { html } from "../../../platform/pages/Html.ts"
import { addressOf, type PanelRequest } from "../Panel.ts"
import { textOf } from "../PanelInput.ts"
import { listPage, moment, pageRowsOf, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("connections", "e-invoicing providers")

const connectionsOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id, name } = yield* organizationOf(asked)
  const connections = yield* Connections
  const { adapters } = connections
  return { name, adapters, path: addressOf(place, asked), connected: yield* connections.list(id) }
})

const list = listPage(place, {
  load: connectionsOf,
  title: ({ name }) => `E-invoicing providers of ${name}`,
  before: ({ adapters, path }) =>
    html`<p class="row">
      ${adapters.map(
        ({ code, name }) => html`<a class="button quiet" href="${path}/connect/${code}">Connect ${name}</a> `
      )}
    </p>`,
  rows: (request, { connected }) => Effect.succeed(pageRowsOf(connected, request)),
  row: (connection) => ({
    name: `${connection.adapter} (${connection.provider})`,
    tags: [connection.environment, ...(connection.last_error === null ? [] : ["failing"])],
    small: html`Connected ${moment(connection.connected_at)}`,
    more: terms([
      ["Last answer", connection.last_exchange_at === null ? "none yet" : moment(connection.last_exchange_at)],
      ...(connection.last_error === null ? [] : [["Last failure", connection.last_error] as const]),
      ...(connection.paused_until === null ? [] : [["Paused until", moment(connection.paused_until)] as const])
    ]),
    actions: { [`${connection.provider}/disconnect`]: "Disconnect" }
  }),
  none: "No provider is connected. Without one, documents can only be sent where EINVOICING_SANDBOX is on."
})

const adapterOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { adapters, connected } = yield* connectionsOf(asked)
  const adapter = adapters.find(({ code }) => code === asked.params["adapter"]) ?? (yield* NotFound.of())
  return { ...adapter, replaced: connected.find(({ provider }) => provider === adapter.network) }
})

const secrets = /secret|key|password/
/** Settings that contain certificates in PEM, which have many lines. */
const certificates = /^(?:trusted_certificates|authority)$/

const kindOf = (name: string) => (secrets.test(name) ? "password" : certificates.test(name) ? "area" : "text")

const connect = procedureForm("ConnectProvider", place, {
  path: "connect/:adapter",
  load: adapterOf,
  title: ({ name }) => `Connect ${name}`,
  submit: "Connect the provider",
  before: ({ replaced }) =>
    html`<p>The settings are stored encrypted and never shown again.</p>
      ${replaced === undefined ? null : replacement(replaced)}`,
  questions: ({ settings }) =>
    Object.fromEntries(
      settings.map(({ description, name, required }) => [name, { hint: description, required, kind: kindOf(name) }])
    ),
  given: ({ settings }, fields) => ({
    settings: Object.fromEntries(
      settings.flatMap(({ name }) => {
        // A password may begin or end with a space.
        const text = kindOf(name) === "password" ? fields.get(name) : textOf(fields, name)
        return text ? [[name, text]] : []
      })
    )
  })
})

const replacement = ({ adapter, provider }: Connection) =>
  html`<p class="notice" role="note">
    This replaces all settings of the connection ${adapter} (${provider}), also those that you leave empty here: enter
    again each certificate, password and other setting that has to stay.
  </p>`

const connectionOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { connected } = yield* connectionsOf(asked)
  return connected.find(({ provider }) => provider === asked.params["provider"]) ?? (yield* NotFound.of())
})

const disconnect = procedureForm("DisconnectProvider", place, {
  path: ":provider/disconnect",
  load: connectionOf,
  title: ({ adapter }) => `Disconnect ${adapter}?`,
  submit: "Disconnect the provider",
  danger: true,
  before: () => html`<p>Documents that are being sent wait until the organization is connected again.</p>`
})

export const ConnectionsRoutes = Layer.mergeAll(list, connect, disconnect)
