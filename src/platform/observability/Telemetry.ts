import { Config, Effect, Layer, Option, References } from "effect"
import { HttpMiddleware, UrlParams } from "effect/http"
import { AppConfig } from "../config/AppConfig.ts"
import { logs } from "./Logs.ts"
import { secret_parameters } from "./Redaction.ts"

/** OpenTelemetry's own variables. What else of OTEL_* there is, its SDK reads by itself. */
const exporting = Config.all({
  endpoint: Config.option(Config.URL("OTEL_EXPORTER_OTLP_ENDPOINT")),
  disabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  service_name: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("invoicing")),
  metric_export_interval_ms: Config.Int("OTEL_METRIC_EXPORT_INTERVAL").pipe(Config.withDefault(60_000))
})

/**
 * Logs to the terminal always; traces, metrics and logs to a collector when OTEL_EXPORTER_OTLP_ENDPOINT is set. The
 * layer must be below the server, whose request spans take the redaction from it.
 */
export const TelemetryLive = Layer.unwrap(
  Effect.gen(function* () {
    const { production } = yield* AppConfig
    const { disabled, endpoint, metric_export_interval_ms, service_name } = yield* exporting
    // A span that nobody collects still costs its ids and its clock: half of what a read costs.
    if (disabled || Option.isNone(endpoint)) return Layer.merge(logs(production), withoutSpans)
    // The SDK takes a tenth of a second to load: only a process that exports pays for it.
    const { openTelemetry } = yield* Effect.promise(() => import("./OpenTelemetry.ts"))
    return openTelemetry(service_name, metric_export_interval_ms).pipe(
      Layer.provideMerge(logs(production)),
      Layer.provideMerge(requestSpans)
    )
  })
)

const withoutSpans = Layer.succeed(References.TracerEnabled, false)

/** Probes and scrapes come every few seconds and say nothing. */
const operations = /^\/(?:health|metrics)(?:\/|\?|$)/

const requestSpans = Layer.mergeAll(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, (request) => operations.test(request.url)),
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, ...secret_parameters])
  )
)
