import { HttpApiMiddleware } from "effect/http-api"
import { UnsupportedTokenType } from "../OAuthErrors.ts"

/** Refuses HTTP Basic, a client secret and the administrator's token, which a logout cannot revoke. */
export class LogoutCredential extends HttpApiMiddleware.Service<LogoutCredential>()(
  "invoicing/identity/session/LogoutCredential",
  { error: UnsupportedTokenType }
) {}
