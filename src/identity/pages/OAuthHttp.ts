import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiMiddleware } from "effect/http-api"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { busy_seconds } from "../../platform/crypto/Passwords.ts"
import { retryAfter, withHeaders } from "../../platform/http/answers/AnswerHeaders.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { contract } from "../../platform/http/Contract.ts"
import { RequestFacts } from "../../platform/http/Security.ts"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { consentPage } from "./ConsentPage.ts"
import { formTarget } from "./Targets.ts"
import { OrganizationBinding } from "../OrganizationBinding.ts"
import { Browser } from "../session/Browser.ts"
import { Users } from "../users/Users.ts"
import { Authorizations } from "../oauth/Authorizations.ts"
import { queryText } from "../oauth/AuthorizationRequest.ts"
import { OAuthApi, OAuthExtensionsApi, OAuthFrame, OAuthRequestValidation } from "../oauth/OAuthApi.ts"
import { InvalidRequest, TooManyAttempts } from "../OAuthErrors.ts"
import { serverMetadata } from "../oauth/ServerMetadata.ts"
import { type Sender, TokenEndpoint } from "../oauth/TokenEndpoint.ts"

/** An answer of an OAuth endpoint may not be cached (RFC 6749, 5.1). */
const notKept = { "cache-control": "no-store", pragma: "no-cache" }

/** Names the supported method (HTTP Basic) in the answer to a failed authentication (RFC 6749, 5.2). */
const challengeClient = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(
    response.status === 401
      ? HttpServerResponse.setHeader(response, "www-authenticate", 'Basic realm="OAuth", charset="UTF-8"')
      : response
  )
)

export const OAuthFrameLive = Layer.succeed(
  OAuthFrame,
  OAuthFrame.of(
    Effect.fnUntraced(function* (handler, { endpoint }) {
      const facts = yield* RequestFacts
      facts.route = endpoint.path
      yield* withHeaders(notKept)
      if (endpoint.method === "POST") yield* challengeClient
      return yield* handler
    })
  )
)

export const OAuthRequestValidationLive = HttpApiMiddleware.layerSchemaErrorTransform(
  OAuthRequestValidation,
  Effect.fnUntraced(function* (error, { endpoint }) {
    // A response that its own schema refuses is a bug.
    if (error.kind === "Body") return yield* Effect.die(error)
    const { text } = yield* HttpServerRequest.HttpServerRequest
    const isEmpty = (yield* Effect.orDie(text)) === ""
    if (isEmpty) return yield* InvalidRequest.missing(endpoint.identifier === "token" ? "grant_type" : "token")
    return yield* InvalidRequest.of("The parameters are malformed, too long or sent more than once.")
  })
)

const senderOf = (request: HttpServerRequest.HttpServerRequest): Sender => ({
  authorization: request.headers["authorization"],
  address: clientAddress(request)
})

/** Redirects without a referrer, which would contain the parameters of the request. */
const goTo = (location: string) =>
  HttpServerResponse.redirect(location, { headers: { "referrer-policy": "no-referrer" } })

/** Makes the service answer 405 with the allowed methods. */
const noSuchMethod = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.die(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))

const OAuth = HttpApiBuilder.group(
  contract.add(OAuthApi),
  "oauth",
  Effect.fn(function* (handlers) {
    const authorizations = yield* Authorizations
    const browser = yield* Browser
    const endpoint = yield* TokenEndpoint
    const users = yield* Users
    const binding = yield* OrganizationBinding

    return handlers.handleAll({
      authorize: Effect.fnUntraced(function* ({ query, request }) {
        // HEAD is safe (RFC 9110, 9.2.1), but answering it like GET might issue a code.
        if (request.method === "HEAD") return yield* noSuchMethod(request)
        const visit = yield* browser.visit
        const user = Option.isNone(visit.session) ? Option.none() : yield* users.find(visit.session.value.user_id)
        const decision = yield* authorizations.authorize(query, visit.session)
        if (decision._tag === "Redirect") return goTo(decision.location)
        if (decision._tag === "Login" || Option.isNone(user)) return goTo(`/login?${queryText(query)}`)
        const asked = decision.request
        return pageAnswer({
          ...consentPage({
            visit,
            request: asked,
            // The client may get further scopes while the page is open, but the user allows only those on the page.
            query: queryText({ ...query, scope: asked.scopes.join(" ") }),
            email: user.value.email,
            organizations: (yield* binding.membershipsOf(user.value.id)).map(({ name }) => name)
          }),
          formTargets: [formTarget(asked.redirect_uri)]
        })
      }),
      token: Effect.fnUntraced(
        function* ({ payload, request }) {
          return yield* endpoint.token(payload, senderOf(request))
        },
        Effect.tapErrorTag("TemporarilyUnavailable", () => retryAfter(busy_seconds)),
        Effect.catchTag("LoginThrottled", ({ retry_after_seconds }) =>
          Effect.andThen(retryAfter(retry_after_seconds), TooManyAttempts.of())
        )
      )
    })
  })
)

const OAuthExtensions = HttpApiBuilder.group(
  contract.add(OAuthExtensionsApi),
  "oauthExtensions",
  Effect.fn(function* (handlers) {
    const endpoint = yield* TokenEndpoint
    const metadata = serverMetadata(publicUrl(yield* AppConfig))

    return handlers.handleAll({
      revoke: Effect.fnUntraced(function* ({ payload, request }) {
        yield* endpoint.revoke(payload, senderOf(request))
      }),
      metadata: () => Effect.succeed(metadata)
    })
  })
)

export const OAuthHttp = Layer.mergeAll(OAuth, OAuthExtensions)
