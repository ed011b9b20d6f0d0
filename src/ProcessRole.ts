import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { unlessHeld } from "./administration/backup/HeldWork.ts"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { HealthRoutes } from "./platform/http/answers/Health.ts"
import { MetricsRoute } from "./platform/observability/Metrics.ts"
import { Server } from "./Server.ts"
import { Workers } from "./Workers.ts"

/** Health and metrics, which a process without the API serves, too. */
const Probes = HttpRouter.serve(Layer.mergeAll(HealthRoutes, MetricsRoute), {
  disableLogger: true,
  disableListenLog: true
})

/** Provides what the configured role needs: the HTTP server, the background work, or both. */
export const ProcessRole = Layer.unwrap(
  Effect.map(AppConfig, ({ role }) => {
    if (role === "api") return Server
    return Layer.merge(role === "worker" ? Probes : Server, unlessHeld(Workers))
  })
)
