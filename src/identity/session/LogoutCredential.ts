import { HttpApiMiddleware } from "effect/http-api"
import { UnsupportedTokenType } from "../OAuthErrors.ts"

/** Refuses a logout with a credential that is not an access token, e.g. a client secret: a logout cannot revoke it. */
export class LogoutCredential extends HttpApiMiddleware.Service<LogoutCredential>()(
  "invoicing/identity/session/LogoutCredential",
  { error: UnsupportedTokenType }
) {}
