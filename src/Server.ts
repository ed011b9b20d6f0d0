import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AdministrationRoutes } from "./administration/AdministrationLayer.ts"
import { AdministrationPages } from "./administration/panel/AdministrationPages.ts"
import { Api } from "./Api.ts"
import { apiDocument } from "./ApiDocument.ts"
import { ArchiveHttp } from "./archive/ArchiveLayer.ts"
import { BankingHttp } from "./banking/BankingLayer.ts"
import { BatchHttp } from "./batch/BatchLayer.ts"
import { BillingHttp, BillingPages } from "./billing/BillingLayer.ts"
import { CustomersHttp } from "./customers/CustomersLayer.ts"
import { docsRoutes } from "./docs/DocsRoutes.ts"
import { EinvoicingHttp } from "./einvoicing/EinvoicingLayer.ts"
import { ExpensesHttp } from "./expenses/ExpensesLayer.ts"
import { IdentityHttp, IdentityPages } from "./identity/IdentityLayer.ts"
import { OperationsHttp } from "./operations/OperationsLayer.ts"
import { AuthenticationLive, AuthorizationLive } from "./organizations/access/AuthorizationLive.ts"
import { GateLive } from "./organizations/access/GateLive.ts"
import { OrganizationBindingLive } from "./organizations/OrganizationBindingLive.ts"
import { OrganizationsHttp, OrganizationsPages } from "./organizations/OrganizationsLayer.ts"
import { ClientPackage } from "./platform/http/answers/ClientPackage.ts"
import { edge } from "./platform/http/edge/Edge.ts"
import { HealthRoutes } from "./platform/http/answers/Health.ts"
import { Idempotency } from "./platform/http/edge/Idempotency.ts"
import { CorsAndProxies } from "./platform/http/edge/CorsAndProxies.ts"
import { json_body_bytes_max } from "./platform/http/edge/RequestBody.ts"
import { requestValidation } from "./platform/http/RequestValidationLive.ts"
import { MetricsRoute } from "./platform/observability/Metrics.ts"
import { referenceRoutes } from "./reference/ReferenceRoutes.ts"
import { ReportsHttp } from "./reports/ReportsLayer.ts"
import { WebhooksHttp } from "./webhooks/WebhooksLayer.ts"

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    IdentityHttp,
    OrganizationsHttp,
    ReportsHttp,
    BillingHttp,
    BatchHttp,
    OperationsHttp,
    CustomersHttp,
    EinvoicingHttp,
    ExpensesHttp,
    ArchiveHttp,
    BankingHttp,
    WebhooksHttp
  ]),
  Layer.provide([requestValidation(Api), AuthenticationLive, AuthorizationLive])
)

const Pages = Layer.mergeAll(
  IdentityPages,
  OrganizationsPages,
  BillingPages,
  AdministrationPages,
  HealthRoutes,
  MetricsRoute,
  docsRoutes(apiDocument),
  referenceRoutes(apiDocument),
  ClientPackage
)

const Edge = edge(Api).pipe(Layer.provide([GateLive, Idempotency.layer]))

/** Node refuses requests whose address and headers are longer than this. */
const address_characters_max = 16_384

export const Server = HttpRouter.serve(
  Layer.mergeAll(ApiRoutes, AdministrationRoutes, Pages, Edge).pipe(
    // CORS and proxies come first, because a middleware applies to everything that is added to the router after it.
    Layer.provide(CorsAndProxies),
    Layer.provide(OrganizationBindingLive)
  ),
  {
    // A path in another case or with doubled slashes matches no route. The router allows parameters of any length,
    // because the endpoints' schemas refuse an id that is too long.
    routerConfig: { caseSensitive: true, ignoreDuplicateSlashes: false, maxParamLength: address_characters_max },
    disableLogger: true,
    disableListenLog: true
  }
).pipe(Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(json_body_bytes_max))))
