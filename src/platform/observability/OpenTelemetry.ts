import * as NodeSdk from "@effect/opentelemetry/NodeSdk"
import { diag, DiagLogLevel, SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import { BatchLogRecordProcessor, type LogRecordProcessor } from "@opentelemetry/sdk-logs"
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import { BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from "@opentelemetry/sdk-trace-base"
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { withoutTokens } from "./Redaction.ts"
import { statementName, withoutValues } from "./SpanNames.ts"

interface Exporting {
  readonly exported: { readonly traces: boolean; readonly metrics: boolean; readonly logs: boolean }
  readonly service_name: string
  readonly service_version: string
  readonly metric_export_interval_ms: number
}

/**
 * Exports by OTLP/HTTP (protobuf). The SDK itself reads the standard OTEL_* variables: endpoint, headers, timeouts,
 * compression, OTEL_TRACES_SAMPLER and its argument, OTEL_BSP_*. Parent-based samplers, like the default, keep the
 * caller's sampling decision (W3C traceparent).
 */
export const openTelemetry = ({ exported, metric_export_interval_ms, service_name, service_version }: Exporting) =>
  NodeSdk.layer(() => ({
    resource: {
      serviceName: service_name,
      serviceVersion: service_version,
      attributes: { "service.instance.id": randomUUID() }
    },
    spanProcessor: exported.traces ? [spansAsExported, unfailing(new BatchSpanProcessor(new OTLPTraceExporter()))] : [],
    logRecordProcessor: exported.logs
      ? [logsWithoutTokens, unfailing(new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() }))]
      : [],
    metricReader: exported.metrics
      ? unfailing(
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            exportIntervalMillis: metric_export_interval_ms,
            exportTimeoutMillis: metric_export_interval_ms
          })
        )
      : [],
    loggerMergeWithExisting: true
  })).pipe(Layer.provideMerge(exportFailures))

const nothing = () => Promise.resolve()

/** Ignores failures of the last export, so that a collector that refuses it does not fail a clean stop. */
const unfailing = <Part extends { forceFlush(): Promise<void>; shutdown(): Promise<void> }>(part: Part) => {
  const [flush, stop] = [part.forceFlush.bind(part), part.shutdown.bind(part)]
  return Object.assign(part, { forceFlush: () => flush().catch(nothing), shutdown: () => stop().catch(nothing) })
}

const discard = () => undefined

/** Pause between two log lines about failed exports. While a collector is down, an export fails every few seconds. */
const failure_pause_ms = 60_000

/** Without a logger, the SDK discards its errors, so lost telemetry would go unnoticed. */
const exportFailures = Layer.effectDiscard(
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context())
    let silent_until_ms = 0
    const tell = Effect.fnUntraced(function* (error: string) {
      const now_ms = yield* Clock.currentTimeMillis
      if (now_ms < silent_until_ms) return
      silent_until_ms = now_ms + failure_pause_ms
      yield* Effect.logWarning(`Telemetry could not be exported: ${reasonOf(error)}`)
    })
    const logger = { error: (text: string) => void run(tell(text)), warn: discard, info: discard, debug: discard }
    yield* Effect.acquireRelease(
      Effect.sync(() => diag.setLogger({ ...logger, verbose: discard }, DiagLogLevel.ERROR)),
      () => Effect.sync(() => diag.disable())
    )
  })
)

/** Returns the message of an exception, because the SDK's JSON with the stack is too long for a log line. */
const reasonOf = (error: string) => {
  const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(error) ?? []
  return message === undefined || message === "" ? error.slice(0, failure_characters_max) : message
}
const failure_characters_max = 300

/**
 * Corrects the status of a span. Effect sets `OK` for every success, which the OpenTelemetry conventions leave unset,
 * though an answer of 400 or more is a failure for the client that gets it, and of 500 or more for the server. It sets
 * `ERROR` for every typed error, though a refusal is no failure of the service.
 */
const correctStatus = ({ attributes, events, kind, status }: ReadableSpan) => {
  const isRefusal = () =>
    events.some(({ attributes: { "exception.type": type } = {} }) => refusal_code.test(String(type)))
  const answer = attributes["http.response.status_code"]
  if (typeof answer === "number" && answer >= (kind === SpanKind.SERVER ? 500 : 400)) {
    attributes["error.type"] ??= String(answer)
  }
  if (attributes["error.type"] !== undefined) status.code = SpanStatusCode.ERROR
  else if (status.code === SpanStatusCode.OK || isRefusal()) {
    status.code = SpanStatusCode.UNSET
    delete status.message
  }
}

/** The SDK records the code of a refusal, such as `not_found`, as the type of its exception. */
const refusal_code = /^[a-z]+(?:_[a-z]+)*$/

/** Names the spans of requests and SQL statements, and masks values that must not leave the process. */
const spansAsExported: SpanProcessor = {
  onStart: () => undefined,
  onEnding: (span) => {
    correctStatus(span)
    const { "db.query.text": text, "http.request.method": method, "http.route": route } = span.attributes
    if (typeof text === "string") span.updateName(statementName(text))
    if (typeof method === "string" && span.kind === SpanKind.SERVER) {
      span.updateName(typeof route === "string" ? `${method} ${route}` : method)
    }
    for (const key of ["url.full", "url.query"]) {
      const value = span.attributes[key]
      if (typeof value === "string") span.setAttribute(key, withoutValues(value))
    }
    mask(span.attributes, (key, value) => span.setAttribute(key, value))
    const { code, message } = span.status
    if (message !== undefined) span.setStatus({ code, message: withoutTokens(message) })
    for (const { attributes = {} } of span.events) mask(attributes, (key, value) => (attributes[key] = value))
  },
  onEnd: () => undefined,
  forceFlush: nothing,
  shutdown: nothing
}

const logsWithoutTokens: LogRecordProcessor = {
  onEmit: (record) => {
    mask(record.attributes, (key, value) => record.setAttribute(key, value))
    if (typeof record.body === "string") record.setBody(withoutTokens(record.body))
  },
  forceFlush: nothing,
  shutdown: nothing
}

const mask = (attributes: object, set: (key: string, value: string) => unknown) => {
  for (const [key, value] of Object.entries(attributes)) {
    // The text of a statement is exported unchanged: it holds only placeholders, and masking long texts is slow.
    if (typeof value !== "string" || key === "db.query.text") continue
    const masked = withoutTokens(value)
    if (masked !== value) set(key, masked)
  }
}
