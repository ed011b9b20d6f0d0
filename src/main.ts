import "effect/schema/SchemaJITCompiler/enable"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Duration, Effect, Exit, Layer } from "effect"
import { existsSync } from "node:fs"
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

/** Each layer depends on the layers below it. */
const Process = Layer.mergeAll(Welcome, KeyNotice, Layer.provide(SetupNotice, OrganizationBindingLive)).pipe(
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

/** An expected failure is explained in one sentence; anything else is a bug and is printed with its stack trace. */
const explain = (cause: Cause.Cause<{ readonly message: string; readonly cause?: unknown }>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  if (Cause.hasDies(cause)) return Console.error(Cause.pretty(cause))
  const { cause: reason, message } = Cause.squash(cause) as { readonly message: string; readonly cause?: unknown }
  const because = reason instanceof Error && !message.includes(reason.message) ? [reason.message] : []
  return Console.error(`Not started. ${[message, ...because].filter((part) => part !== "").join(": ")}`)
}

if (import.meta.main) {
  if (existsSync(".env")) process.loadEnvFile(".env")
  // Closing the terminal stops the service, too.
  process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  NodeRuntime.runMain(Effect.tapCause(Layer.launch(Process), explain), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
}
