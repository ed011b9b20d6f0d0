import { Effect, Layer } from "effect"
import { type Client, redirect_uris_max } from "../../../identity/clients/Client.ts"
import { Clients } from "../../../identity/clients/Clients.ts"
import { everyScope, Scope } from "../../../identity/Scope.ts"
import { NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest, Place } from "../Panel.ts"
import { isChanged } from "../PanelForm.ts"
import { textOf } from "../PanelInput.ts"
import { listPage, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { scopeQuestions, scopesOf } from "../ScopeFields.ts"
import { secretPage } from "../SecretPage.ts"

const place: Place = { path: "/admin/clients", label: "OAuth clients" }

/**
 * Maximum number of characters of all redirect URIs together. The form that changes them also submits those that it
 * showed, and the service refuses forms of the panel of more than 64 KiB.
 */
const redirect_characters_max = 10_000

const list = listPage(place, {
  load: () => Effect.void,
  title: "OAuth clients",
  buttons: { new: "Register a client" },
  rows: (request) => Effect.flatMap(Clients, (clients) => clients.list(request)),
  row: ({ confidential, first_party, id, name, password_grant, redirect_uris, scopes }) => ({
    name,
    small: [
      first_party ? "ours, no consent needed" : "of somebody else",
      confidential ? "has a secret" : "public",
      ...(password_grant ? ["may use passwords"] : [])
    ].join(", "),
    more: html`<details>
      <summary>Details</summary>
      <p>client_id <code>${id}</code></p>
      <p>Leads back to ${redirect_uris.map((uri) => html`<code>${uri}</code> `)}</p>
      <p>Scopes: ${scopes.join(" ")}</p>
    </details>`,
    actions: {
      [`${id}/change`]: "Change",
      ...(confidential ? { [`${id}/secret`]: "New secret" } : {}),
      [`${id}/remove`]: "Remove"
    }
  }),
  none: "No client is registered."
})

const redirect_uris = {
  label: "Redirect addresses",
  kind: "area",
  hint: `One per line, at most ${redirect_uris_max}`,
  required: false,
  characters_max: redirect_characters_max
} as const

const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== "")

const register = procedureForm("CreateOAuthClient", place, {
  path: "new",
  load: () => Effect.void,
  title: "Register a client",
  submit: "Register the client",
  questions: {
    name: { hint: "Users read it when they are asked for consent" },
    first_party: { label: "Ours", hint: "Users of our own clients are not asked for consent" },
    confidential: {
      label: "Has a secret",
      hint: "Only for programs on a server: an app or a page cannot keep a secret"
    },
    password_grant: { label: "May use passwords", hint: "Password grant, for an old integration only" },
    redirect_uris,
    ...scopeQuestions(["mobile", "read", "all"])
  },
  given: (_, fields) => ({ redirect_uris: linesOf(textOf(fields, "redirect_uris") ?? ""), scopes: scopesOf(fields) }),
  done: ({ client: { id, name }, client_secret }, _, home) =>
    client_secret === null
      ? `${home}?done=CreateOAuthClient`
      : secretPage({ title: `Secret of ${name}`, home, facts: terms([["client_id", id]]), secret: client_secret })
})

const clientOf = ({ params }: PanelRequest) =>
  Effect.flatMap(Clients, (clients) => orNotFound(clients.find(params["client_id"] ?? "")))

const change = procedureForm("UpdateOAuthClient", place, {
  path: ":client_id/change",
  load: clientOf,
  title: ({ name }) => `Change ${name}`,
  submit: "Save",
  changesOnly: true,
  before: () =>
    html`<p class="muted">
      If you take away a scope, the client has to renew its access tokens at once. Without webhooks:write, its webhooks
      are deactivated. A new scope needs a new login of the user at the client.
    </p>`,
  questions: {
    name: { hint: "Users read it when they are asked for consent", value: ({ name }: Client) => name, required: true },
    redirect_uris: {
      ...redirect_uris,
      value: (client: Client) => client.redirect_uris.join("\n")
    },
    scopes: {
      several: true,
      value: (client: Client) => Scope.literals.filter((scope) => client.scopes.includes(scope)),
      choices: ({ first_party }: Client) =>
        Scope.literals
          .filter((scope) => first_party || scope !== everyScope)
          .map((scope) => ({ value: scope, label: scope === everyScope ? "Everything" : scope }))
    }
  },
  given: (_, fields) =>
    isChanged({ ...redirect_uris, name: "redirect_uris" }, fields)
      ? { redirect_uris: linesOf(textOf(fields, "redirect_uris") ?? "") }
      : {}
})

const rotate = procedureForm("RotateClientSecret", place, {
  path: ":client_id/secret",
  // Only a confidential client has a secret.
  load: (asked) =>
    Effect.filterOrFail(
      clientOf(asked),
      ({ confidential }: Client) => confidential,
      () => NotFound.of()
    ),
  title: ({ name }) => `New secret for ${name}?`,
  submit: "Make a new secret",
  danger: true,
  before: () => html`<p>The old secret is refused at once. The client cannot get tokens until it has the new one.</p>`,
  done: ({ client_secret }, { id, name }, home) =>
    secretPage({ title: `Secret of ${name}`, home, facts: terms([["client_id", id]]), secret: client_secret })
})

const remove = procedureForm("RemoveOAuthClient", place, {
  path: ":client_id/remove",
  load: clientOf,
  title: ({ name }) => `Remove ${name}?`,
  submit: "Remove the client",
  danger: true,
  before: () => html`<p>All its tokens are revoked at once. Its users have to connect another client.</p>`
})

export const ClientsRoutes = Layer.mergeAll(list, register, change, rotate, remove)
