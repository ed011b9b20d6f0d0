import manifest from "../../../package.json" with { type: "json" }
import { Config, Effect, Layer, Option, References, Schema } from "effect"
import { HttpMiddleware } from "effect/http"
import { AppConfig, between, fraction, isHttp, SettingInvalid, urlSetting } from "../config/AppConfig.ts"
import { isProbe } from "./AccessLog.ts"
import { logs } from "./Logs.ts"

/** The SDK would take `localhost:4318` for the protocol `localhost:` and silently lose everything. */
const Collector = urlSetting(isHttp, "must be a URL with http:// or https://.")

const Milliseconds = between(1, 86_400_000)
const Count = between(1, 1_000_000)
const Protocol = Schema.Literals(["http/protobuf"])
const Sampler = Schema.Literals([
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
])

/** The SDK silently replaces invalid values, so they are refused here. This service supports only `http/protobuf`. */
const variables_of_sdk: Readonly<Record<string, Schema.Codec<unknown, string>>> = {
  OTEL_EXPORTER_OTLP_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: Protocol,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Collector,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: Collector,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: Collector,
  OTEL_EXPORTER_OTLP_COMPRESSION: Schema.Literals(["gzip", "none"]),
  OTEL_EXPORTER_OTLP_TIMEOUT: Milliseconds,
  OTEL_TRACES_SAMPLER: Sampler,
  OTEL_TRACES_SAMPLER_ARG: fraction,
  OTEL_BSP_SCHEDULE_DELAY: Milliseconds,
  OTEL_BSP_EXPORT_TIMEOUT: Milliseconds,
  OTEL_BSP_MAX_QUEUE_SIZE: Count,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: Count
}

/** An empty variable counts as unset, as the OpenTelemetry specification says. */
const checkVariablesOfSdk = Effect.forEach(
  Object.entries(variables_of_sdk),
  ([name, schema]) =>
    Effect.flatMap(Config.String(name).pipe(Config.withDefault("")), (text) =>
      text.trim() === "" ? Effect.void : Config.schema(schema, name)
    ),
  { discard: true }
)

const exporting = Config.all({
  endpoint: Config.option(Config.schema(Collector, "OTEL_EXPORTER_OTLP_ENDPOINT")),
  disabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  service_name: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("invoicing")),
  metric_export_interval_ms: Config.schema(Milliseconds, "OTEL_METRIC_EXPORT_INTERVAL").pipe(Config.withDefault(60_000))
})

/** Logs to the terminal, exports if OTEL_EXPORTER_OTLP_ENDPOINT is set, and decides which requests have spans. */
export const TelemetryLive = Layer.unwrap(
  Effect.gen(function* () {
    const { production } = yield* AppConfig
    const { disabled, endpoint, metric_export_interval_ms, service_name } = yield* Effect.mapError(exporting, (error) =>
      SettingInvalid.of(error)
    )
    // Without an exporter, spans are off, because making their ids and times takes half as long as a simple request.
    if (disabled || Option.isNone(endpoint)) return Layer.merge(logs(production), withoutSpans)
    yield* Effect.mapError(checkVariablesOfSdk, (error) => SettingInvalid.of(error))
    // Loading the SDK takes a tenth of a second, so only a process that exports loads it.
    const { openTelemetry } = yield* Effect.promise(() => import("./OpenTelemetry.ts"))
    return openTelemetry(service_name, manifest.version, metric_export_interval_ms).pipe(
      Layer.provideMerge(logs(production)),
      Layer.provideMerge(requestSpans)
    )
  })
)

const withoutSpans = Layer.succeed(References.TracerEnabled, false)

const requestSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, (request) => isProbe(request.url))
