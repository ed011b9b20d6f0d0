import { Effect, Layer, type Redacted } from "effect"
import { type Client, redirect_uris_max } from "../../../identity/clients/Client.ts"
import { Clients } from "../../../identity/clients/Clients.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { html } from "../../../platform/pages/Html.ts"
import { CreateOAuthClient, RemoveOAuthClient, RotateClientSecret } from "../../PeopleRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { pageOf, textOf } from "../PanelInput.ts"
import { panelList, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { scopeQuestions, scopesOf } from "../ScopeFields.ts"
import { secretPage } from "../SecretPage.ts"

const section = "/admin/clients"

/** The edge refuses larger forms. */
const redirect_characters_max = 10_000

const toClients = { path: section, label: "OAuth clients" }

const kindOf = ({ confidential, first_party, password_grant }: Client) =>
  [
    first_party ? "ours, no consent is asked" : "of somebody else",
    confidential ? "has a secret" : "public",
    ...(password_grant ? ["may use passwords"] : [])
  ].join(", ")

const clientsPage = (slice: PageRows<Client>, request: PageRequest): PanelContent => ({
  title: "OAuth clients",
  section,
  body: html`<p><a class="button" href="${section}/new">Register a client</a></p>
    ${panelList({
      slice,
      request,
      path: section,
      none: "No client is registered.",
      row: (client) =>
        html`<div>
            ${client.name}<br />
            <small>${kindOf(client)}</small>
            <details>
              <summary>Details</summary>
              <p>client_id <code>${client.id}</code></p>
              <p>Leads back to ${client.redirect_uris.map((uri) => html`<code>${uri}</code> `)}</p>
              <p>Scopes: ${client.scopes.join(" ")}</p>
            </details>
          </div>
          <div class="actions">
            ${
              client.confidential
                ? html`<a
                    class="button quiet"
                    href="${section}/${client.id}/secret"
                    aria-label="New secret for ${client.name}"
                    >New secret</a
                  >`
                : null
            }
            <a class="button quiet" href="${section}/${client.id}/remove" aria-label="Remove ${client.name}">Remove</a>
          </div>`
    })}`
})

const list = showPage(
  section,
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    return clientsPage(yield* (yield* Clients).list(request), request)
  })
)

const secretOf = ({ id, name }: Client, secret: Redacted.Redacted) =>
  secretPage({ title: `Secret of ${name}`, section, back: toClients, facts: terms([["client_id", id]]), secret })

const register = procedureForm(CreateOAuthClient, {
  path: `${section}/new`,
  load: () => Effect.void,
  title: "Register a client",
  section,
  back: () => toClients,
  submit: "Register the client",
  questions: {
    name: { label: "Name", hint: "Users read it when they are asked" },
    first_party: { label: "Ours", hint: "Users of our own clients are not asked" },
    confidential: {
      label: "Has a secret",
      hint: "Only for what runs on a server: an app or a page cannot keep one"
    },
    password_grant: { label: "May use passwords", hint: "For an old integration only" },
    redirect_uris: {
      label: "Addresses it may lead back to",
      kind: "area",
      hint: `One a line, ${redirect_uris_max} at most`,
      required: false,
      characters_max: redirect_characters_max
    },
    ...scopeQuestions(["mobile", "read", "all"])
  },
  given: (_, fields) =>
    Effect.succeed({
      redirect_uris: textOf(fields, "redirect_uris")?.split(/\s+/) ?? [],
      scopes: scopesOf(fields)
    }),
  call: (procedures, payload) => procedures.CreateOAuthClient(payload),
  done: (_, { client, client_secret }) =>
    client_secret === null ? `${section}?done=client` : secretOf(client, client_secret)
})

const clientOf = ({ params }: PanelRequest) =>
  Effect.flatMap(Clients, (clients) => orNotFound(clients.find(params["client_id"] ?? "")))

const ofClient = {
  section,
  back: () => toClients,
  danger: true,
  given: ({ id }: Client) => Effect.succeed({ client_id: id })
} as const

const rotate = procedureForm(RotateClientSecret, {
  ...ofClient,
  path: `${section}/:client_id/secret`,
  // Only a confidential client has a secret.
  load: (asked) =>
    Effect.filterOrFail(
      clientOf(asked),
      ({ confidential }) => confidential,
      () => NotFound.of()
    ),
  title: ({ name }) => `New secret for ${name}?`,
  submit: "Make a new secret",
  before: () => html`<p>The old secret is refused at once. The client cannot get tokens until it has the new one.</p>`,
  call: (procedures, payload) => procedures.RotateClientSecret(payload),
  done: (client, { client_secret }) => secretOf(client, client_secret)
})

const remove = procedureForm(RemoveOAuthClient, {
  ...ofClient,
  path: `${section}/:client_id/remove`,
  load: clientOf,
  title: ({ name }) => `Remove ${name}?`,
  submit: "Remove the client",
  before: () => html`<p>All its tokens are revoked at once. Its users have to connect another client.</p>`,
  call: (procedures, payload) => procedures.RemoveOAuthClient(payload),
  done: () => `${section}?done=client_removed`
})

export const ClientsRoutes = Layer.mergeAll(list, register, rotate, remove)
