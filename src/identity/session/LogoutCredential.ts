import { HttpApiMiddleware } from "effect/http-api"
import { UnsupportedTokenType } from "../OAuthErrors.ts"

/**
 * Refuses a logout with HTTP Basic, a client secret or the administrator's token, because a logout cannot revoke these.
 */
export class LogoutCredential extends HttpApiMiddleware.Service<LogoutCredential>()(
  "invoicing/identity/session/LogoutCredential",
  { error: UnsupportedTokenType }
) {}
