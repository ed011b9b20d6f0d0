import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { IpNetwork } from "effect/net"
import { randomUUID } from "node:crypto"
import { AdministrationRoutes } from "./administration/AdministrationLayer.ts"
import { Api } from "./Api.ts"
import { BatchHttp } from "./batch/BatchLayer.ts"
import { BillingHttp, BillingPages } from "./billing/BillingLayer.ts"
import { CustomersHttp } from "./customers/CustomersLayer.ts"
import { ExpensesHttp } from "./expenses/ExpensesLayer.ts"
import { IdentityHttp, IdentityPages } from "./identity/IdentityLayer.ts"
import { AuthenticationLive, AuthorizationLive } from "./organizations/access/AuthorizationLive.ts"
import { GateLive } from "./organizations/access/GateLive.ts"
import { OrganizationBindingLive } from "./organizations/OrganizationBindingLive.ts"
import { OrganizationsHttp, OrganizationsPages } from "./organizations/OrganizationsLayer.ts"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { docsPage } from "./platform/http/DocsPage.ts"
import { edge } from "./platform/http/edge/Edge.ts"
import { HealthRoutes } from "./platform/http/Health.ts"
import { Idempotency } from "./platform/http/edge/Idempotency.ts"
import { json_body_bytes_max } from "./platform/http/edge/RequestBody.ts"
import { RequestValidationLive } from "./platform/http/RequestValidation.ts"
import { MetricsRoute } from "./platform/observability/Metrics.ts"
import { ReportsHttp } from "./reports/ReportsLayer.ts"
import { WebhooksHttp } from "./webhooks/WebhooksLayer.ts"

const ApiRoutes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    IdentityHttp,
    OrganizationsHttp,
    ReportsHttp,
    BillingHttp,
    BatchHttp,
    CustomersHttp,
    ExpensesHttp,
    WebhooksHttp
  ]),
  Layer.provide([RequestValidationLive, AuthenticationLive, AuthorizationLive])
)

const Pages = Layer.mergeAll(IdentityPages, OrganizationsPages, BillingPages, HealthRoutes, MetricsRoute, docsPage(Api))

const Edge = edge(Api).pipe(Layer.provide([GateLive, Idempotency.layer]))

const exposed = ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"]

/** Browsers of other origins and reverse proxies: both must see the request before the edge counts it. */
const Outermost = HttpRouter.middleware(
  Effect.gen(function* () {
    const { corsOrigins, trustedProxies } = yield* AppConfig
    const proxied = HttpMiddleware.xForwardedHeaders({
      trustedProxies: trustedProxies.map((network) => IpNetwork.fromStringUnsafe(network))
    })
    const cors = HttpMiddleware.cors({
      allowedOrigins: corsOrigins,
      exposedHeaders: [...exposed, "etag", "idempotency-replayed", "www-authenticate"],
      maxAge: 86_400
    })
    // A preflight is answered before the edge names the request.
    const named = Effect.map((response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.setHeader(response, "x-request-id", randomUUID())
    )
    return (route) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const answer = headers.origin === undefined ? route : named(cors(route))
        return headers["x-forwarded-for"] === undefined ? answer : proxied(answer)
      })
  }),
  { global: true }
)

/** Everything the service answers over HTTP. What it still requires are ports and the listening server. */
export const Server = HttpRouter.serve(
  Layer.mergeAll(ApiRoutes, AdministrationRoutes, Pages, Edge).pipe(
    // What is added to the router first is around what is added later.
    Layer.provide(Outermost),
    Layer.provide(OrganizationBindingLive)
  ),
  {
    // One spelling per route.
    routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false },
    disableLogger: true,
    disableListenLog: true
  }
).pipe(Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(json_body_bytes_max))))
