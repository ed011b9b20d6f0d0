import manifest from "../../../package.json" with { type: "json" }
import { Config, Effect, Layer, References, Schema, Struct } from "effect"
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

const Compression = Schema.Literals(["gzip", "none"])
const Exporter = Schema.Literals(["otlp", "none"])

/** For each signal, the variable that names its exporter. */
const exporters = {
  TRACES: "OTEL_TRACES_EXPORTER",
  METRICS: "OTEL_METRICS_EXPORTER",
  LOGS: "OTEL_LOGS_EXPORTER"
} as const

const signals = Struct.keys(exporters)

/** The SDK silently replaces invalid values, so they are refused here. This service supports only `http/protobuf`. */
const variables_of_sdk: Readonly<Record<string, Schema.Codec<unknown, string>>> = {
  ...Object.fromEntries(
    ["", ...signals.map((signal) => `${signal}_`)].flatMap((prefix) => [
      [`OTEL_EXPORTER_OTLP_${prefix}ENDPOINT`, Collector],
      [`OTEL_EXPORTER_OTLP_${prefix}PROTOCOL`, Protocol],
      [`OTEL_EXPORTER_OTLP_${prefix}COMPRESSION`, Compression],
      [`OTEL_EXPORTER_OTLP_${prefix}TIMEOUT`, Milliseconds]
    ])
  ),
  ...Object.fromEntries(signals.map((signal) => [exporters[signal], Exporter])),
  ...Object.fromEntries(
    ["BSP", "BLRP"].flatMap((processor) => [
      [`OTEL_${processor}_SCHEDULE_DELAY`, Milliseconds],
      [`OTEL_${processor}_EXPORT_TIMEOUT`, Milliseconds],
      [`OTEL_${processor}_MAX_QUEUE_SIZE`, Count],
      [`OTEL_${processor}_MAX_EXPORT_BATCH_SIZE`, Count]
    ])
  ),
  OTEL_TRACES_SAMPLER: Sampler,
  OTEL_TRACES_SAMPLER_ARG: fraction
}

/** An empty variable counts as unset, as the OpenTelemetry specification says. */
const variable = (name: string) =>
  Config.String(name).pipe(
    Config.map((text) => text.trim()),
    Config.withDefault("")
  )

const checkVariablesOfSdk = Effect.forEach(
  Object.entries(variables_of_sdk),
  ([name, schema]) =>
    Effect.flatMap(variable(name), (text) => (text === "" ? Effect.void : Config.schema(schema, name))),
  { discard: true }
)

/** A signal is exported if there is an endpoint for it or for all signals, unless its exporter is `none`. */
const isExported = (signal: keyof typeof exporters) =>
  Config.all([
    variable("OTEL_EXPORTER_OTLP_ENDPOINT"),
    variable(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`),
    variable(exporters[signal])
  ]).pipe(Config.map(([endpoint, own, exporter]) => endpoint + own !== "" && exporter !== "none"))

const exporting = Config.all({
  exported: Config.all({ traces: isExported("TRACES"), metrics: isExported("METRICS"), logs: isExported("LOGS") }),
  disabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  service_name: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("invoicing")),
  metric_export_interval_ms: Config.schema(Milliseconds, "OTEL_METRIC_EXPORT_INTERVAL").pipe(Config.withDefault(60_000))
})

/** Logs to the terminal, exports the signals that have an endpoint, and decides which requests have spans. */
export const TelemetryLive = Layer.unwrap(
  Effect.gen(function* () {
    const { production } = yield* AppConfig
    const settings = yield* Effect.mapError(exporting, (error) => SettingInvalid.of(error))
    const { disabled, exported } = settings
    // Without an exporter, spans are off, because making their ids and times takes half as long as a simple request.
    if (disabled || !Object.values(exported).includes(true)) return Layer.merge(logs(production), withoutSpans)
    yield* Effect.mapError(checkVariablesOfSdk, (error) => SettingInvalid.of(error))
    // Loading the SDK takes a tenth of a second, so only a process that exports loads it.
    const { openTelemetry } = yield* Effect.promise(() => import("./OpenTelemetry.ts"))
    return openTelemetry({ ...settings, service_version: manifest.version }).pipe(
      Layer.provideMerge(logs(production)),
      Layer.provideMerge(exported.traces ? requestSpans : withoutSpans)
    )
  })
)

const withoutSpans = Layer.succeed(References.TracerEnabled, false)

const requestSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, (request) => isProbe(request.url))
