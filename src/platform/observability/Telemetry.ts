import manifest from "../../../package.json" with { type: "json" }
import { Config, Effect, Layer, Option, References, Schema } from "effect"
import { HttpMiddleware } from "effect/http"
import { AppConfig, SettingInvalid } from "../config/AppConfig.ts"
import { logs } from "./Logs.ts"

/** The SDK would take `localhost:4318` for the protocol `localhost:`, and lose everything without a word. */
const Collector = Schema.URLFromString.check(
  Schema.makeFilter(({ protocol }) => /^https?:$/.test(protocol), { message: "must be http:// or https://." })
)

/** Variables that are needed here; the OpenTelemetry SDK reads all other OTEL_* variables itself. */
const exporting = Config.all({
  endpoint: Config.option(Config.schema(Collector, "OTEL_EXPORTER_OTLP_ENDPOINT")),
  disabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  service_name: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("invoicing")),
  metric_export_interval_ms: Config.Int("OTEL_METRIC_EXPORT_INTERVAL").pipe(Config.withDefault(60_000))
})

/**
 * Always logs to the terminal; exports traces, metrics and logs if OTEL_EXPORTER_OTLP_ENDPOINT is set. The layer must
 * be below the server, because it decides which requests have spans.
 */
export const TelemetryLive = Layer.unwrap(
  Effect.gen(function* () {
    const { production } = yield* AppConfig
    const { disabled, endpoint, metric_export_interval_ms, service_name } = yield* Effect.mapError(exporting, (error) =>
      SettingInvalid.of(error)
    )
    // Without an exporter, spans are switched off, because their ids and times cost half as much as a read.
    if (disabled || Option.isNone(endpoint)) return Layer.merge(logs(production), withoutSpans)
    // Loading the SDK takes a tenth of a second, so only a process that exports loads it.
    const { openTelemetry } = yield* Effect.promise(() => import("./OpenTelemetry.ts"))
    return openTelemetry(service_name, manifest.version, metric_export_interval_ms).pipe(
      Layer.provideMerge(logs(production)),
      Layer.provideMerge(requestSpans)
    )
  })
)

const withoutSpans = Layer.succeed(References.TracerEnabled, false)

/** Probes and scrapes come every few seconds, and their spans would say nothing. */
const operations = /^\/(?:health|metrics)(?:\/|\?|$)/

const requestSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, (request) => operations.test(request.url))
