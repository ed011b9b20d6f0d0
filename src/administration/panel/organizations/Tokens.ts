import { Effect, Layer } from "effect"
import type { ApiToken } from "../../../identity/tokens/ApiToken.ts"
import { ApiTokens } from "../../../identity/tokens/ApiTokens.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { TokenId } from "../../../kernel/Ids.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { IssueOrganizationToken, RevokeOrganizationToken } from "../../AdministrationRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf, pageOf } from "../PanelInput.ts"
import { moment, panelList } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { scopeQuestions, scopesOf } from "../ScopeFields.ts"
import { secretPage } from "../SecretPage.ts"
import { endOf, validities } from "../Validity.ts"
import { organizationOf, toOrganization } from "./Organizations.ts"

const path = "/admin/organizations/:organization_id/tokens"
const section = "/admin/organizations"

const pathOf = ({ id }: Organization) => `${section}/${id}/tokens`

const toTokens = (organization: Organization) => ({
  path: pathOf(organization),
  label: `the API tokens of ${organization.name}`
})

const tokensPage = (organization: Organization, slice: PageRows<ApiToken>, request: PageRequest): PanelContent => ({
  title: `API tokens of ${organization.name}`,
  section,
  back: toOrganization(organization),
  body: html`<p><a class="button" href="${pathOf(organization)}/new">Issue a token</a></p>
    ${panelList({
      slice,
      request,
      path: pathOf(organization),
      none: "No token is valid.",
      row: ({ created_at, expires_at, id, name, scopes }) =>
        html`<div>
            ${name}<br />
            <small
              >Since ${moment(created_at)},
              ${expires_at === null ? "until it is revoked" : html`until ${moment(expires_at)}`}</small
            >
            <details>
              <summary>${scopes.length} ${scopes.length === 1 ? "scope" : "scopes"}</summary>
              ${scopes.join(" ")}
            </details>
          </div>
          <div class="actions">
            <a class="button quiet" href="${pathOf(organization)}/${id}/revoke" aria-label="Revoke ${name}">Revoke</a>
          </div>`
    })}`
})

const list = showPage(
  path,
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return tokensPage(organization, yield* (yield* ApiTokens).listOrganization(organization.id, request), request)
  })
)

const issue = procedureForm(IssueOrganizationToken, {
  path: `${path}/new`,
  load: organizationOf,
  title: ({ name }) => `Issue a token of ${name}`,
  section,
  back: toTokens,
  submit: "Issue the token",
  questions: {
    name: { label: "Name", hint: "What it is for" },
    validity: { label: "Valid", choices: validities },
    ...scopeQuestions(["read", "all"])
  },
  given: ({ id }, fields) =>
    Effect.map(endOf(fields.get("validity")), (expires_at) => ({
      organization_id: id,
      scopes: scopesOf(fields),
      expires_at
    })),
  call: (procedures, payload) => procedures.IssueOrganizationToken(payload),
  done: (organization, { secret, token }) =>
    secretPage({ title: `Token ${token.name}`, section, back: toTokens(organization), secret })
})

const tokenOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  const id = yield* idOf(TokenId, asked.params["token_id"])
  return { organization, token: yield* (yield* ApiTokens).findOrganization(organization.id, id) }
})

const revoke = procedureForm(RevokeOrganizationToken, {
  path: `${path}/:token_id/revoke`,
  load: tokenOf,
  title: ({ token }) => `Revoke ${token.name}?`,
  section,
  back: ({ organization }) => toTokens(organization),
  submit: "Revoke the token",
  danger: true,
  before: () =>
    html`<p>Whatever uses it is refused from its next request on. A revoked token cannot be used again.</p>`,
  given: ({ organization, token }) => Effect.succeed({ organization_id: organization.id, token_id: token.id }),
  call: (procedures, payload) => procedures.RevokeOrganizationToken(payload),
  done: ({ organization }) => `${pathOf(organization)}?done=revoked`
})

export const TokensRoutes = Layer.mergeAll(list, issue, revoke)
