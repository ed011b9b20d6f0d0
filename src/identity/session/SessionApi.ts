import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { Unauthenticated } from "../../platform/http/Refusals.ts"
import { Authentication } from "../../platform/http/Security.ts"
import { InvalidTokenType, UnsupportedTokenType } from "../oauth/OAuthErrors.ts"
import { AuthenticatedUser } from "./AuthenticatedUser.ts"

const success = data(Schema.Struct({ message: Schema.String }))
const error = [InvalidTokenType, UnsupportedTokenType, Unauthenticated]

/** Spec, Endpoints: Authentication and user. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("logout", "/logout", { success, error }),
    HttpApiEndpoint.post("logoutAll", "/logout-all", { success, error }),
    HttpApiEndpoint.get("user", "/user", { success: data(AuthenticatedUser), error: Unauthenticated })
  )
  .middleware(Authentication)
  .prefix("/api/v1") {}
