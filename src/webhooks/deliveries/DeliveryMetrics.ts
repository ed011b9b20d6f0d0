import { Effect, Metric } from "effect"
import type { Attempt } from "./Attempt.ts"

const outcomes = Metric.counter("webhook_deliveries_total", {
  description: "Attempts to deliver an event, by what they left the delivery in.",
  incremental: true
})

const durations = Metric.histogram("webhook_delivery_duration", {
  description: "Time from the request's start to the end of the answer.",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  attributes: { unit: "s" }
})

const waiting = Metric.gauge("webhook_backlog", { description: "Deliveries whose time has come." })

const age = Metric.gauge("webhook_backlog_age", {
  description: "How long the oldest of them has been waiting.",
  attributes: { unit: "s" }
})

export const recordAttempt = Effect.fnUntraced(function* (outcome: Attempt["status"], duration_ms: number) {
  yield* Metric.update(Metric.withAttributes(outcomes, { outcome }), 1)
  yield* Metric.update(durations, duration_ms / 1000)
})

export const recordBacklog = Effect.fnUntraced(function* (deliveries: number, age_seconds: number) {
  yield* Metric.update(waiting, deliveries)
  yield* Metric.update(age, age_seconds)
})
