import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AdministrationRoutes } from "./administration/AdministrationLayer.ts"
import { AdministrationPages } from "./administration/panel/AdministrationPages.ts"
import { Api } from "./Api.ts"
import { apiDocument } from "./ApiDocument.ts"
import { ArchiveLayer } from "./archive/ArchiveLayer.ts"
import { BankingLayer } from "./banking/BankingLayer.ts"
import { BatchLayer } from "./batch/BatchLayer.ts"
import { BillingLayer, BillingPages } from "./billing/BillingLayer.ts"
import { CustomersLayer } from "./customers/CustomersLayer.ts"
import { docsRoutes } from "./docs/DocsRoutes.ts"
import { EinvoicingLayer } from "./einvoicing/EinvoicingLayer.ts"
import { ExpensesLayer } from "./expenses/ExpensesLayer.ts"
import { IdentityLayer, IdentityPages } from "./identity/IdentityLayer.ts"
import { OperationsLayer } from "./operations/OperationsLayer.ts"
import { AuthenticationLive, AuthorizationLive } from "./organizations/access/AuthorizationLive.ts"
import { GateLive } from "./organizations/access/GateLive.ts"
import { OrganizationBindingLive } from "./organizations/OrganizationBindingLive.ts"
import { OrganizationsLayer, OrganizationsPages } from "./organizations/OrganizationsLayer.ts"
import { ClientPackage } from "./platform/http/answers/ClientPackage.ts"
import { edge } from "./platform/http/edge/Edge.ts"
import { HealthRoutes } from "./platform/http/answers/Health.ts"
import { Idempotency } from "./platform/http/edge/Idempotency.ts"
import { CorsAndProxies } from "./platform/http/edge/CorsAndProxies.ts"
import { json_body_bytes_max } from "./platform/http/edge/RequestBody.ts"
import { requestValidation } from "./platform/http/RequestValidationLive.ts"
import { MetricsRoute } from "./platform/observability/Metrics.ts"
import { referenceRoutes } from "./reference/ReferenceRoutes.ts"
import { ReportsLayer } from "./reports/ReportsLayer.ts"
import { WebhooksLayer } from "./webhooks/WebhooksLayer.ts"

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    IdentityLayer,
    OrganizationsLayer,
    ReportsLayer,
    BillingLayer,
    BatchLayer,
    OperationsLayer,
    CustomersLayer,
    EinvoicingLayer,
    ExpensesLayer,
    ArchiveLayer,
    BankingLayer,
    WebhooksLayer
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
