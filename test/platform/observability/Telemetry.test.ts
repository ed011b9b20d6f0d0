import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient, HttpRouter, HttpServerResponse } from "effect/http"
import { NotFound } from "../../../src/kernel/Refusal.ts"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"
import { MetricsRoute, recordRequest } from "../../../src/platform/observability/Metrics.ts"
import { TelemetryLive } from "../../../src/platform/observability/Telemetry.ts"
import { collector } from "./Collector.ts"

const token = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v"
const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"

const find = Effect.fn("Customers.find")(function* (id: string) {
  yield* Effect.annotateCurrentSpan({ "customer.id": id })
  yield* Effect.logInfo(`Found the customer behind /d/${token}`).pipe(Effect.annotateLogs({ path: `/d/${token}` }))
})

const refuse = Effect.withSpan(Effect.fail(NotFound.of()), "Customers.get")

/** Gets an answer of a receiver that says that it failed. */
const ask = Effect.withSpan(Effect.annotateCurrentSpan({ "http.response.status_code": 500 }), "Outbound.post", {
  kind: "client"
})

const Routes = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/customers/:id",
    Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      yield* find(id)
      return HttpServerResponse.text("ok")
    })
  ),
  HttpRouter.add("GET", "/refused", Effect.as(Effect.ignore(refuse), HttpServerResponse.empty({ status: 404 }))),
  HttpRouter.add("GET", "/receiver", Effect.as(ask, HttpServerResponse.text("ok"))),
  HttpRouter.add("GET", "/d/:token", Effect.die(new Error(`No document behind oat_${token}.`))),
  HttpRouter.add("GET", "/health/live", HttpServerResponse.text("ok")),
  MetricsRoute
)

const telemetryOf = (variables: Record<string, string>) =>
  TelemetryLive.pipe(
    Layer.provideMerge(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { NODE_ENV: "production", ...variables } })))
  )

/** Starts a server that exports to `url`, sends the requests, and stops it, so that everything is exported. */
const exported = (
  variables: Record<string, string>,
  requests: ReadonlyArray<{ readonly path: string; readonly headers?: Record<string, string> }>
) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const server = HttpRouter.serve(Routes, { disableListenLog: true, disableLogger: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layerTest),
    Layer.provide(telemetryOf(variables))
  )
  return Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    return yield* Effect.forEach(requests, ({ headers = {}, path }) =>
      client.get(path, { headers }).pipe(
        Effect.flatMap((response) => response.text),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
      )
    )
  }).pipe(Effect.provide(server))
}

afterEach(() => void vi.unstubAllEnvs())

const silenced = Effect.acquireRelease(
  Effect.sync(() => vi.spyOn(console, "log").mockImplementation(() => undefined)),
  (spy) => Effect.sync(() => spy.mockRestore())
)

describe("TelemetryLive", () => {
  it.live("exports the span tree of a request and its log record under the caller's trace id", () =>
    Effect.gen(function* () {
      const { calls } = (yield* silenced).mock
      const otlp = yield* collector
      const traceparent = `00-${traceId}-${parentId}-01`
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }, [{ path: "/customers/7", headers: { traceparent } }])

      const spans = otlp.spans().filter(({ attributes }) => attributes["url.path"] === "/customers/7")
      const request = spans[0]
      const inner = otlp.spans().find(({ name }) => name === "Customers.find")
      expect(request).toMatchObject({ trace_id: traceId, parent_id: parentId })
      expect(request?.attributes).toMatchObject({ "http.route": "/customers/:id", "http.response.status_code": "200" })
      expect(inner).toMatchObject({ trace_id: traceId, parent_id: request?.span_id })
      expect(inner?.attributes).toMatchObject({ "customer.id": "7" })
      expect(otlp.logs()).toMatchObject([{ trace_id: traceId, span_id: inner?.span_id }])
      expect([...otlp.services()]).toEqual(["invoicing"])

      const line: unknown = JSON.parse(String(calls[0]?.[0]))
      expect(line).toMatchObject({ level: "info", trace_id: traceId, span_id: inner?.span_id, path: "/d/REDACTED" })
    })
  )

  it.live("exports no credential: not in a query, a path, a log record or the message of a failure", () =>
    Effect.gen(function* () {
      const { calls } = (yield* silenced).mock
      const otlp = yield* collector
      const names = ["code", "state", "access_token", "password", "token", "search", "counterparty_iban"]
      const query = names.map((name, index) => `${name}=hunter${index}`).join("&")
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }, [
        { path: `/customers/7?${query}&page=2` },
        { path: `/d/${token}` }
      ])
      const request = otlp.spans().find(({ attributes }) => attributes["url.path"] === "/customers/7")
      expect(request?.name).toBe("GET /customers/:id")
      expect(request?.attributes["url.query"]).toContain("search=REDACTED")
      expect(otlp.spans().some(({ attributes }) => attributes["url.path"] === "/d/REDACTED")).toBe(true)
      for (const output of [otlp.everything(), JSON.stringify(calls)]) {
        expect(output).not.toContain("hunter")
        expect(output).not.toContain(token)
      }
    })
  )

  it.live("samples at the root by OTEL_TRACES_SAMPLER and keeps a caller's decision", () =>
    Effect.gen(function* () {
      yield* silenced
      const otlp = yield* collector
      const variables = {
        OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0"
      }
      yield* exported(variables, [
        { path: "/customers/1" },
        { path: "/customers/2", headers: { traceparent: `00-${traceId}-${parentId}-01` } },
        { path: "/customers/3", headers: { traceparent: `00-${traceId}-${parentId}-00` } }
      ])
      const found = otlp.spans().filter(({ name }) => name === "Customers.find")
      expect(found.map(({ attributes }) => attributes["customer.id"])).toEqual(["2"])
    })
  )

  it.live("exports metrics, and shows the same ones on /metrics", () =>
    Effect.gen(function* () {
      yield* silenced
      const otlp = yield* collector
      recordRequest({ method: "GET", route: "/customers/:id", status: 200, duration_ms: 30 })
      recordRequest({ method: "BREW", route: "none", status: 405, duration_ms: 1 })
      const [text = ""] = yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }, [{ path: "/metrics" }])
      expect(otlp.metrics()).toContain("http.server.request.duration")
      const labels = 'http_request_method="GET",http_route="/customers/:id",http_response_status_code="200"'
      expect(text).toContain(`http_server_request_duration_seconds_bucket{${labels},le="0.025"} 0\n`)
      expect(text).toContain(`http_server_request_duration_seconds_bucket{${labels},le="0.05"} 1\n`)
      expect(text).toContain(`http_server_request_duration_seconds_count{${labels}} 1\n`)
      expect(text).toContain('http_request_method="_OTHER"')
    })
  )

  it.live("marks the spans of failures, and not those of refusals", () =>
    Effect.gen(function* () {
      yield* silenced
      const otlp = yield* collector
      const paths = ["/refused", "/receiver", `/d/${token}`].map((path) => ({ path }))
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }, paths)
      const found = otlp.spans().map(({ attributes, name, status }) => [name, [status, attributes["error.type"]]])
      expect(Object.fromEntries(found)).toEqual({
        "Customers.get": ["unset", undefined],
        "GET /d/:token": ["error", "500"],
        "GET /receiver": ["unset", undefined],
        "GET /refused": ["unset", undefined],
        "Outbound.post": ["error", "500"]
      })
    })
  )

  it.live("exports the signals that have an endpoint and whose exporter is not none", () =>
    Effect.gen(function* () {
      yield* silenced
      const otlp = yield* collector
      const told = () => [otlp.spans().length > 0, otlp.logs().length > 0, otlp.metrics().length > 0]
      yield* exported({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${otlp.url}/v1/traces` }, [{ path: "/customers/7" }])
      expect(told()).toEqual([true, false, false])
      vi.unstubAllEnvs()
      const others = { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }
      const second = yield* collector
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: second.url, ...others }, [{ path: "/customers/7" }])
      expect([second.spans().length, second.logs().length, second.metrics().length]).toEqual([0, 1, 0])
    })
  )

  it.live("makes no span for probes and scrapes", () =>
    Effect.gen(function* () {
      yield* silenced
      const otlp = yield* collector
      const paths = ["/health/live", "/metrics"].map((path) => ({ path }))
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }, paths)
      expect(otlp.spans().filter(({ attributes }) => "http.route" in attributes)).toEqual([])
    })
  )

  it.live("exports nothing without an endpoint, and nothing when switched off", () =>
    Effect.gen(function* () {
      const { calls } = (yield* silenced).mock
      const otlp = yield* collector
      yield* exported({}, [{ path: "/customers/1" }])
      yield* exported({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_SDK_DISABLED: "true" }, [{ path: "/customers/1" }])
      expect(otlp.everything()).toBe("")
      expect(calls).toHaveLength(2)
    })
  )

  it.live("keeps serving when the collector is down, and says so once", () =>
    Effect.gen(function* () {
      const { calls } = (yield* silenced).mock
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_TIMEOUT: "200" }
      const answers = yield* exported(variables, [{ path: "/customers/1" }])
      expect(answers).toEqual(["ok"])
      const lines = calls.map(([line]) => String(line)).filter((line) => line.includes("Telemetry could not"))
      expect(lines).toEqual([expect.stringContaining("ECONNREFUSED")])
    })
  )

  const url = "must be a URL with http:// or https://."
  it.effect.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", url],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", url],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", 'expected "http/protobuf".'],
    ["OTEL_TRACES_SAMPLER_ARG", "10%", "must be a number such as 0.5."]
  ] as const)("refuses the wrong setting %s", ([name, value, sentence]) =>
    Effect.gen(function* () {
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", [name]: value }
      const { message } = yield* Layer.build(telemetryOf(variables)).pipe(Effect.scoped, Effect.flip)
      expect(message).toBe(`${name} is invalid: ${sentence}`)
    })
  )
})
