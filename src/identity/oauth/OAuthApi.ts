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
} from "../OAuthErrors.ts"
import { ServerMetadata } from "./ServerMetadata.ts"
import { TokenAnswer } from "../tokens/TokenAnswer.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RevocationForm, RevocationRequest, TokenForm, TokenRequest } from "./TokenRequest.ts"

/** Sets the headers of every OAuth answer. */
export class OAuthFrame extends HttpApiMiddleware.Service<OAuthFrame>()("invoicing/identity/oauth/OAuthFrame") {}

/** Reports invalid parameters in the error format of OAuth. */
export class OAuthRequestValidation extends HttpApiMiddleware.Service<OAuthRequestValidation>()(
  "invoicing/identity/oauth/OAuthRequestValidation",
  { error: InvalidRequest }
) {}

const Html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }))

export class OAuthApi extends HttpApiGroup.make("oauth")
  .annotateMerge(tag("OAuth", "The OAuth 2.0 authorization server: authorization code with PKCE and refresh tokens."))
  .add(
    HttpApiEndpoint.get("authorize", "/authorize", {
      query: AuthorizationQuery.fields,
      success: [HttpApiSchema.Empty(302), Html],
      error: InvalidClient
    }).annotateMerge(
      operation(
        "Ask a user for authorization",
        "The browser of the user opens this address. After login and, for third-party clients, consent, it " +
          "redirects to `redirect_uri` with `code` and `state`. PKCE with S256 is required. An unknown client or " +
          "a redirect address that is not registered is refused with 401 and without a redirect; every other " +
          "mistake redirects with `error`."
      )
    ),
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
    })
      .annotateMerge(
        operation(
          "Exchange a grant for tokens",
          "Exchanges an authorization code or a refresh token for an access token that is valid for an hour. A " +
            "refresh token is used once: the answer has the next one, and a repeated use later than ten seconds " +
            "revokes all tokens of its family. The password grant (`username`, `password`) is deprecated and works " +
            "only for clients that have it enabled."
        )
      )
      .middleware(OAuthRequestValidation)
  )
  .middleware(OAuthFrame)
  .prefix("/oauth") {}

export class OAuthExtensionsApi extends HttpApiGroup.make("oauthExtensions")
  .annotateMerge(
    tag(
      "OAuth metadata",
      "Revocation of tokens (RFC 7009) and the description of the server (RFC 8414), which OAuth libraries expect."
    )
  )
  .add(
    HttpApiEndpoint.post("revoke", "/oauth/revoke", {
      payload: [RevocationForm.pipe(HttpApiSchema.asFormUrlEncoded()), RevocationRequest],
      success: HttpApiSchema.Empty(200),
      error: [InvalidRequest, InvalidClient, UnauthorizedClient]
    })
      .annotateMerge(
        operation(
          "Revoke a token",
          "Revokes an access or a refresh token (RFC 7009). An unknown token is answered with 200, too."
        )
      )
      .middleware(OAuthRequestValidation),
    HttpApiEndpoint.get("metadata", "/.well-known/oauth-authorization-server", {
      success: ServerMetadata
    }).annotateMerge(
      operation(
        "Describe the authorization server",
        "Returns the addresses and capabilities of the OAuth server (RFC 8414)."
      )
    )
  )
  .middleware(OAuthFrame) {}
