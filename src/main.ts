import "effect/schema/SchemaJITCompiler/enable"
import { NodeHttpServer, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { Machine } from "./Machine.ts"
import { AppConfig, publicUrl } from "./platform/config/AppConfig.ts"
import { TelemetryLive } from "./platform/observability/Telemetry.ts"
import { DatabaseLive } from "./platform/sql/DatabaseLive.ts"
import { Server } from "./Server.ts"

/** How long an exchange may take to say what it wants; a client that drips or says nothing is cut off. */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

const shutdown_limit = "10 seconds"

const Listening = Layer.unwrap(
  Effect.map(AppConfig, ({ host, port }) =>
    NodeHttpServer.layer(() => createServer(patience), { host, port, gracefulShutdownTimeout: shutdown_limit })
  )
)

const Ready = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* AppConfig
    yield* Console.log(`Listening on ${publicUrl(config)}`)
  })
)

const Process = Ready.pipe(
  Layer.provideMerge(Server),
  Layer.provideMerge(Machine),
  Layer.provideMerge(Listening),
  Layer.provideMerge(DatabaseLive),
  Layer.provideMerge(TelemetryLive),
  Layer.provideMerge(AppConfig.layer),
  Layer.provideMerge(NodeServices.layer)
)

if (import.meta.main) {
  if (existsSync(".env")) process.loadEnvFile(".env")
  NodeRuntime.runMain(Layer.launch(Process))
}
