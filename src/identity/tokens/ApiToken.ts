import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { Name, nullable } from "../../kernel/Text.ts"
import { everyScope, Scopes, StoredScopes } from "../Scope.ts"

/** A personal access token or an organization API token, without its secret, which is shown only when it is issued. */
export const ApiToken = Schema.Struct({
  id: TokenId,
  kind: Schema.Literals(["personal", "organization"]),
  name: Name,
  /** User that a personal access token acts for; null for an organization's token. */
  user_id: Schema.NullOr(UserId),
  /** Organization that an organization API token acts on; null for a personal one. */
  organization_id: Schema.NullOr(OrganizationId),
  scopes: StoredScopes,
  created_at: Timestamp,
  /** Null if the token is valid until it is revoked. */
  expires_at: Schema.NullOr(Timestamp)
})
export type ApiToken = typeof ApiToken.Type

export const ApiTokenDraft = Schema.Struct({
  name: ApiToken.fields.name,
  scopes: Scopes,
  expires_at: nullable(Timestamp)
})
export type ApiTokenDraft = typeof ApiTokenDraft.Type

/** An organization's token must list its scopes one by one; `everyScope` is refused. */
export const OrganizationTokenDraft = Schema.Struct({
  ...ApiTokenDraft.fields,
  scopes: ApiTokenDraft.fields.scopes.check(
    Schema.makeFilter((scopes) => !scopes.includes(everyScope), {
      message: `may hold ${everyScope} for a person's token only.`
    })
  )
})
