import { Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"

/** RFC 6749, 5.1. `expires_in` is in seconds; `organization_id` is null if the tokens are not bound to one. */
export const TokenAnswer = Schema.Struct({
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int,
  access_token: Schema.String,
  refresh_token: Schema.String,
  scope: Schema.String,
  organization_id: Schema.NullOr(OrganizationId)
}).annotate({ identifier: "AccessToken" })
export type TokenAnswer = typeof TokenAnswer.Type
