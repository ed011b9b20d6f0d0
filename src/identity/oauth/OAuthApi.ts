import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema } from "effect/http-api"
import { AuthorizationQuery } from "./AuthorizationRequest.ts"
import {
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  TemporarilyUnavailable,
  TooManyAttempts,
  UnauthorizedClient,
  UnsupportedGrantType
} from "./OAuthErrors.ts"
import { ServerMetadata } from "./ServerMetadata.ts"
import { TokenAnswer } from "./TokenAnswer.ts"
import { RevocationForm, RevocationRequest, TokenForm, TokenRequest } from "./TokenRequest.ts"

/** Sets the headers of every OAuth answer. */
export class OAuthFrame extends HttpApiMiddleware.Service<OAuthFrame>()("invoicing/identity/oauth/OAuthFrame") {}

/** Answers unreadable parameters in the error format of OAuth. */
export class OAuthRequestValidation extends HttpApiMiddleware.Service<OAuthRequestValidation>()(
  "invoicing/identity/oauth/OAuthRequestValidation",
  { error: InvalidRequest }
) {}

const Html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }))

/** Spec, Endpoints: Authentication and user. */
export class OAuthApi extends HttpApiGroup.make("oauth")
  .add(
    HttpApiEndpoint.get("authorize", "/authorize", {
      query: AuthorizationQuery.fields,
      success: [HttpApiSchema.Empty(302), Html],
      error: InvalidClient
    }),
    HttpApiEndpoint.post("token", "/token", {
      payload: [TokenForm.pipe(HttpApiSchema.asFormUrlEncoded()), TokenRequest],
      success: TokenAnswer,
      error: [
        InvalidRequest,
        InvalidClient,
        InvalidGrant,
        InvalidScope,
        UnauthorizedClient,
        UnsupportedGrantType,
        TooManyAttempts,
        TemporarilyUnavailable
      ]
    }).middleware(OAuthRequestValidation)
  )
  .middleware(OAuthFrame)
  .prefix("/oauth") {}

/** Endpoints that OAuth libraries expect beside the spec's two: RFC 7009 and RFC 8414. */
export class OAuthExtensionsApi extends HttpApiGroup.make("oauthExtensions")
  .add(
    HttpApiEndpoint.post("revoke", "/oauth/revoke", {
      payload: [RevocationForm.pipe(HttpApiSchema.asFormUrlEncoded()), RevocationRequest],
      success: HttpApiSchema.Empty(200),
      error: [InvalidRequest, InvalidClient, UnauthorizedClient]
    }).middleware(OAuthRequestValidation),
    HttpApiEndpoint.get("metadata", "/.well-known/oauth-authorization-server", { success: ServerMetadata })
  )
  .middleware(OAuthFrame) {}
