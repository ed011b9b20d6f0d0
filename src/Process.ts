import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer } from "effect"
import { KeyNotice } from "./administration/setup/KeyNotice.ts"
import { SetupNotice } from "./administration/setup/SetupNotice.ts"
import { DemoStart, Welcome } from "./demo/DemoStart.ts"
import { ReceiptReaderPool } from "./expenses/receipts/reading/ReceiptReaderPool.ts"
import { BeforeDatabase, Machine } from "./Machine.ts"
import { OrganizationBindingLive } from "./organizations/OrganizationBindingLive.ts"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { callerOf } from "./platform/http/server/Callers.ts"
import { awaitRoutes } from "./platform/http/server/EarlyRequests.ts"
import { FreePort } from "./platform/http/server/FreePort.ts"
import { patientServer } from "./platform/http/server/LimitedServer.ts"
import { stoppable, Stopping, stopping_ms_max } from "./platform/http/server/Stopping.ts"
import { MetricsServer } from "./platform/observability/Metrics.ts"
import { ProcessMetrics } from "./platform/observability/ProcessMetrics.ts"
import { TelemetryLive } from "./platform/observability/Telemetry.ts"
import { DatabaseLive } from "./platform/sql/DatabaseLive.ts"
import { ProcessRole } from "./ProcessRole.ts"

const Listening = Layer.unwrap(
  Effect.gen(function* () {
    const { host, port, trustedProxies } = yield* AppConfig
    const stopping = yield* Stopping
    const server = () => awaitRoutes(stoppable(patientServer(callerOf(trustedProxies)), stopping))
    return NodeHttpServer.layer(server, { host, port, gracefulShutdownTimeout: Duration.millis(stopping_ms_max) })
  })
)

/** The whole service. Each layer depends on the layers below it. */
export const Process = Layer.mergeAll(Welcome, KeyNotice, Layer.provide(SetupNotice, OrganizationBindingLive)).pipe(
  Layer.provide(ProcessRole),
  Layer.provide(ReceiptReaderPool),
  Layer.provide(Listening),
  Layer.provideMerge(Layer.merge(MetricsServer, ProcessMetrics)),
  Layer.provideMerge(DemoStart),
  Layer.provideMerge(Machine),
  Layer.provideMerge(DatabaseLive),
  Layer.provideMerge(BeforeDatabase),
  Layer.provideMerge(TelemetryLive),
  Layer.provideMerge(FreePort),
  Layer.provideMerge(AppConfig.layer),
  Layer.provideMerge(NodeServices.layer)
)
