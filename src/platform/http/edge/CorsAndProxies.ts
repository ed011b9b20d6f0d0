import { Effect } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork } from "effect/net"
import { randomUUID } from "node:crypto"
import { AppConfig } from "../../config/AppConfig.ts"
import { pacing } from "./Pacing.ts"

/** Response headers that scripts of allowed origins may read. */
const exposed = [
  "x-request-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "retry-after",
  "etag",
  "idempotency-replayed",
  "www-authenticate",
  "location",
  "content-disposition",
  "preference-applied"
]

/** Handles CORS and reverse proxies, both of which must see a request before `Edge.ts` counts it. */
export const CorsAndProxies = HttpRouter.middleware(
  Effect.gen(function* () {
    const { corsOrigins, trustedProxies } = yield* AppConfig
    const proxied = HttpMiddleware.xForwardedHeaders({
      trustedProxies: trustedProxies.map((network) => IpNetwork.fromStringUnsafe(network))
    })
    const cors = HttpMiddleware.cors({
      allowedOrigins: corsOrigins,
      exposedHeaders: exposed,
      maxAge: 86_400
    })
    const pace = pacing()
    // A preflight request never reaches `Edge.ts`, which gives all other requests their ids, so it gets an id here.
    const withRequestId = Effect.map((response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.setHeader(response, "x-request-id", randomUUID())
    )
    const preflightPace = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      request.method === "OPTIONS" ? pace(request) : Effect.void
    )
    return (route) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const answer = headers.origin === undefined ? route : Effect.andThen(preflightPace, withRequestId(cors(route)))
        return headers["x-forwarded-for"] === undefined ? answer : proxied(answer)
      })
  }),
  { global: true }
)
