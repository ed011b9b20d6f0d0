import { Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { described } from "../../kernel/Described.ts"

/** RFC 6749, 5.1. `organization_id` is null if the tokens are not bound to one organization. */
export const TokenAnswer = Schema.Struct({
  token_type: described(Schema.Literal("Bearer"), "Always `Bearer`."),
  expires_in: described(Schema.Int, "Time until the access token expires, in seconds."),
  access_token: described(Schema.String, "Token for the header `Authorization: Bearer`."),
  refresh_token: described(Schema.String, "Token for the next access token; it works once."),
  scope: described(Schema.String, "Scopes of the token, separated by spaces."),
  organization_id: described(
    Schema.NullOr(OrganizationId),
    "Organization that the tokens are bound to; null if they are not bound to one."
  )
}).annotate({ identifier: "AccessToken", description: "The tokens that a client got (RFC 6749, 5.1)." })
export type TokenAnswer = typeof TokenAnswer.Type
