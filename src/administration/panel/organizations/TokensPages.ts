import { Effect, Layer } from "effect"
import { ApiTokens } from "../../../identity/tokens/ApiTokens.ts"
import { endOf, validity_days } from "../../../identity/tokens/TokenValidity.ts"
import { TokenId } from "../../../kernel/Ids.ts"
import { counted } from "../../../kernel/Text.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, moment } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { scopeQuestions, scopesOf } from "../ScopeFields.ts"
import { secretPage } from "../SecretPage.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("tokens", "API tokens")

const list = listPage(place, {
  load: organizationOf,
  title: ({ name }) => `API tokens of ${name}`,
  buttons: { new: "Issue a token" },
  rows: (request, { id }) => Effect.flatMap(ApiTokens, ({ listOrganization }) => listOrganization(id, request)),
  row: ({ created_at, expires_at, id, name, scopes }) => ({
    name,
    small: html`Since ${moment(created_at)},
    ${expires_at === null ? "until it is revoked" : html`until ${moment(expires_at)}`}`,
    more: html`<details>
      <summary>${counted(scopes.length, "scope", "scopes")}</summary>
      ${scopes.join(" ")}
    </details>`,
    actions: { [`${id}/revoke`]: "Revoke" }
  }),
  none: "No token is valid."
})

const validities = [
  { value: "", label: "Until it is revoked" },
  ...validity_days.map((days) => ({ value: String(days), label: `${days} days` }))
]

const issue = procedureForm("IssueOrganizationToken", place, {
  path: "new",
  load: organizationOf,
  title: ({ name }) => `Issue a token of ${name}`,
  submit: "Issue the token",
  questions: {
    name: { hint: "What it is for" },
    validity: { label: "Valid", choices: validities },
    ...scopeQuestions(["read", "all"])
  },
  given: (_, fields) =>
    Effect.map(endOf(fields.get("validity")), (expires_at) => ({ scopes: scopesOf(fields), expires_at })),
  done: ({ secret, token }, _, home) => secretPage({ title: `Token ${token.name}`, home, secret })
})

const tokenOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id } = yield* organizationOf(asked)
  return yield* (yield* ApiTokens).findOrganization(id, yield* idOf(TokenId, asked.params["token_id"]))
})

const revoke = procedureForm("RevokeOrganizationToken", place, {
  path: ":token_id/revoke",
  load: tokenOf,
  title: ({ name }) => `Revoke ${name}?`,
  submit: "Revoke the token",
  danger: true,
  before: () => html`<p>All further requests with it are refused. A revoked token cannot be used again.</p>`
})

export const TokensRoutes = Layer.mergeAll(list, issue, revoke)
