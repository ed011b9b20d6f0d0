import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { Unauthenticated } from "../../platform/http/Refusals.ts"
import { Authentication } from "../../platform/http/Security.ts"
import { InvalidTokenType } from "../OAuthErrors.ts"
import { AuthenticatedUser } from "./AuthenticatedUser.ts"
import { LogoutCredential } from "./LogoutCredential.ts"
import { described } from "../../kernel/Described.ts"

const success = data(
  Schema.Struct({ message: described(Schema.String, "What was done, in one English sentence.") }).annotate({
    identifier: "LoggedOut",
    description: "The tokens were revoked."
  })
)
const error = [InvalidTokenType, Unauthenticated]

export class SessionApi extends HttpApiGroup.make("session")
  .annotateMerge(tag("Session", "The user of the token, and the end of its sessions."))
  .add(
    HttpApiEndpoint.post("logout", "/logout", { success, error }).annotateMerge(
      operation(
        "Revoke the current token",
        "Revokes the token of this request and its refresh token. The API token of an organization is refused " +
          "with 400 `invalid_token_type`, and a credential of another kind with `unsupported_token_type`."
      )
    ),
    HttpApiEndpoint.post("logoutAll", "/logout-all", { success, error }).annotateMerge(
      operation(
        "Revoke all tokens of the user",
        "Revokes every token of the user, also the personal access tokens, and logs the user out of every browser. " +
          "The API token of an organization is refused with 400 `invalid_token_type`, and a credential of another kind " +
          "with `unsupported_token_type`."
      )
    )
  )
  .middleware(Authentication)
  .middleware(LogoutCredential)
  .add(
    HttpApiEndpoint.get("user", "/user", { success: data(AuthenticatedUser), error: Unauthenticated })
      .annotateMerge(
        operation(
          "Get the current user",
          "Returns the user of the token, with the organizations and roles. An API token of an organization has no " +
            "user, so the answer is 401."
        )
      )
      .middleware(Authentication)
  )
  .prefix("/api/v1") {}
