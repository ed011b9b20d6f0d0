import { HttpApiMiddleware } from "effect/http-api"
import { UnsupportedTokenType } from "../OAuthErrors.ts"

/** Refuses credentials that the service knows for other purposes, because a logout cannot revoke them. */
export class LogoutCredential extends HttpApiMiddleware.Service<LogoutCredential>()(
  "invoicing/identity/session/LogoutCredential",
  { error: UnsupportedTokenType }
) {}
