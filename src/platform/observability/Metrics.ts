import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Metric, Option } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { createServer } from "node:http"
import { AppConfig } from "../config/AppConfig.ts"

interface RequestFigures {
  readonly method: string
  /** The pattern of the route, such as `/api/v1/quotes/:id`, and never the path; `none` without a route. */
  readonly route: string
  readonly status: number
  readonly duration_ms: number
}

const request_duration = "http.server.request.duration"

const format = PrometheusMetrics.format({
  metricNameMapper: (name) => (name === request_duration ? `${name}_seconds` : name)
})

const metrics = Effect.map(format, (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

/** Serves `GET /metrics` on the public port, unless the metrics have a separate port. */
export const MetricsRoute = Layer.unwrap(
  Effect.map(AppConfig, ({ metricsPort }) =>
    Option.isNone(metricsPort) ? HttpRouter.add("GET", "/metrics", metrics) : Layer.empty
  )
)

/** Serves the metrics, and nothing else, on the port that `METRICS_PORT` names. */
export const MetricsServer = Layer.unwrap(
  Effect.map(AppConfig, ({ host, metricsPort }) =>
    Option.match(metricsPort, {
      onNone: () => Layer.empty,
      onSome: (port) => HttpServer.serve(answer).pipe(Layer.provide(NodeHttpServer.layer(createServer, { host, port })))
    })
  )
)

/** This server has no router, because the public server would share the router, and so serve the metrics, too. */
const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
  method === "GET" && url === "/metrics" ? metrics : Effect.succeed(HttpServerResponse.empty({ status: 404 }))
)

/**
 * The name and the unit follow the OpenTelemetry semantic conventions. Counting is synchronous, because it happens in every request,
 * and takes less than a microsecond. `/metrics` and OTLP read the same registry.
 */
export const recordRequest = ({ duration_ms, method, route, status }: RequestFigures): void =>
  durationOf(known_methods.has(method) ? method : "_OTHER", route, status).updateUnsafe(duration_ms / 1000, everywhere)

/** Boundaries of the duration histogram in seconds, as the OpenTelemetry semantic conventions recommend. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** All other methods share one metric series, because clients may invent methods, and a series is never removed. */
const known_methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const everywhere = Context.empty()

const durations = new Map<string, Metric.Histogram<number>>()

const durationOf = (method: string, route: string, status: number) => {
  const key = `${method} ${route} ${status}`
  const existing = durations.get(key)
  if (existing !== undefined) return existing
  const created = Metric.histogram(request_duration, {
    description: "Time from the request's head to the answer's head.",
    boundaries,
    attributes: {
      unit: "s",
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": String(status)
    }
  })
  durations.set(key, created)
  return created
}
