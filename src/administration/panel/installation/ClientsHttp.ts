import { Effect, Layer, Option } from "effect"
import { type Client, ClientDraft } from "../../../identity/clients/Client.ts"
import { Clients } from "../../../identity/clients/Clients.ts"
import { NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { decoded, pageOf, textOf } from "../PanelInput.ts"
import { terms } from "../PanelList.ts"
import { secretPage } from "../SecretPage.ts"
import { clientsPage, registerPage, rotatePage, toClients } from "./ClientsPage.ts"

const list = showPage(
  "/admin/clients",
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    return clientsPage(yield* (yield* Clients).list(request), request)
  })
)

const secretOf = ({ id, name }: Client, secret: Parameters<typeof secretPage>[0]["secret"]) =>
  secretPage({
    title: `Secret of ${name}`,
    section: "/admin/clients",
    back: toClients,
    facts: terms([["client_id", id]]),
    secret
  })

const register = formPage("/admin/clients/new", {
  load: () => Effect.void,
  page: (_, typed) => registerPage(typed),
  submit: Effect.fnUntraced(function* (_, fields) {
    const isYes = (name: string) => fields.get(name) === "true"
    const draft = yield* decoded(ClientDraft, {
      name: textOf(fields, "name") ?? "",
      first_party: isYes("first_party"),
      confidential: isYes("confidential"),
      password_grant: isYes("password_grant"),
      redirect_uris: textOf(fields, "redirect_uris")?.split(/\s+/) ?? [],
      scopes: fields.getAll("scopes")
    })
    const { client, secret } = yield* (yield* Clients).create(draft)
    return Option.isNone(secret) ? "/admin/clients?done=client" : secretOf(client, secret.value)
  })
})

/** Only a confidential client has a secret. */
const confidentialOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const client = yield* orNotFound((yield* Clients).find(params["client_id"] ?? ""))
  if (!client.confidential) return yield* NotFound.of()
  return client
})

const rotate = formPage("/admin/clients/:client_id/secret", {
  load: confidentialOf,
  page: rotatePage,
  submit: Effect.fnUntraced(function* (client) {
    return secretOf(client, yield* (yield* Clients).rotateSecret(client.id))
  })
})

export const ClientsRoutes = Layer.mergeAll(list, register, rotate)
