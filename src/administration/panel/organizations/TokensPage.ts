import { scopeLines } from "../../../identity/pages/ScopeTexts.ts"
import { scopesKnown } from "../../../identity/Scope.ts"
import type { ApiToken } from "../../../identity/tokens/ApiToken.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import type { Organization } from "../../../organizations/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList } from "../PanelList.ts"
import { validities } from "../Validity.ts"
import { toOrganization } from "./OrganizationsPage.ts"

const section = "/admin/organizations"

const pathOf = ({ id }: Organization) => `${section}/${id}/tokens`

export const toTokens = (organization: Organization) => ({
  path: pathOf(organization),
  label: `the API tokens of ${organization.name}`
})

/** A token with its organization. */
interface Issued {
  readonly organization: Organization
  readonly token: ApiToken
}

export const tokensPage = (
  organization: Organization,
  slice: PageRows<ApiToken>,
  request: PageRequest
): PanelContent => ({
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

/** Choices with labels such as `Invoices: read`. */
export const scopeChoices = scopesKnown.map((scope) => ({ value: scope, label: scopeLines([scope], "en").join("") }))

export const issuePage = (organization: Organization, typed: Typed): PanelContent => ({
  title: `Issue a token of ${organization.name}`,
  section,
  back: toTokens(organization),
  body: panelForm({
    typed,
    submit: "Issue the token",
    cancel: pathOf(organization),
    fields: [
      { name: "name", label: "Name", hint: "What it is for", required: true, characters_max: 255 },
      { name: "validity", label: "Valid", choices: validities },
      { name: "scopes", label: "What it may be used for", choices: scopeChoices, several: true }
    ]
  })
})

export const revokePage = ({ organization, token }: Issued, typed: Typed): PanelContent => ({
  title: `Revoke ${token.name}?`,
  section,
  back: toTokens(organization),
  body: panelForm({
    typed,
    submit: "Revoke the token",
    danger: true,
    cancel: pathOf(organization),
    before: html`<p>Whatever uses it is refused from its next request on. A revoked token cannot be used again.</p>`
  })
})
