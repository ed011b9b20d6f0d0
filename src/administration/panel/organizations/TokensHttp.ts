import { Effect, Layer } from "effect"
import { OrganizationTokenDraft } from "../../../identity/tokens/ApiToken.ts"
import { ApiTokens } from "../../../identity/tokens/ApiTokens.ts"
import { TokenId } from "../../../kernel/Ids.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { secretPage } from "../SecretPage.ts"
import { endOf } from "../Validity.ts"
import { organizationOf } from "./OrganizationsHttp.ts"
import { issuePage, revokePage, tokensPage, toTokens } from "./TokensPage.ts"

const list = showPage(
  "/admin/organizations/:organization_id/tokens",
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return tokensPage(organization, yield* (yield* ApiTokens).listOrganization(organization.id, request), request)
  })
)

const issue = formPage("/admin/organizations/:organization_id/tokens/new", {
  load: organizationOf,
  page: issuePage,
  submit: Effect.fnUntraced(function* (organization, fields, { actor }) {
    const draft = yield* decoded(OrganizationTokenDraft, {
      name: textOf(fields, "name") ?? "",
      scopes: fields.getAll("scopes"),
      expires_at: yield* endOf(fields.get("validity"))
    })
    const { secret, token } = yield* (yield* ApiTokens).issueOrganization(organization.id, draft, actor)
    return secretPage({
      title: `Token ${token.name}`,
      section: "/admin/organizations",
      back: toTokens(organization),
      secret
    })
  })
})

const tokenOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  const id = yield* idOf(TokenId, asked.params["token_id"])
  return { organization, token: yield* (yield* ApiTokens).findOrganization(organization.id, id) }
})

const revoke = formPage("/admin/organizations/:organization_id/tokens/:token_id/revoke", {
  load: tokenOf,
  page: revokePage,
  submit: Effect.fnUntraced(function* ({ organization: { id }, token }, _, { actor }) {
    yield* (yield* ApiTokens).revokeOrganization(id, token.id, actor)
    return `/admin/organizations/${id}/tokens?done=revoked`
  })
})

export const TokensRoutes = Layer.mergeAll(list, issue, revoke)
