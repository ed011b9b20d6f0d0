import { Effect, Metric } from "effect"
import type { Attempt } from "./Attempt.ts"

const outcomes = Metric.counter("webhook_deliveries_total", {
  description: "Attempts to deliver an event, by the resulting status of the delivery.",
  incremental: true
})

const durations = Metric.histogram("webhook_delivery_duration_seconds", {
  description: "Time from the start of the request to the end of the response.",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  attributes: { unit: "s" }
})

const waiting = Metric.gauge("webhook_backlog", { description: "Deliveries that are due." })

const age = Metric.gauge("webhook_backlog_age_seconds", {
  description: "Time for which due deliveries of a webhook have waited for a process to take them.",
  attributes: { unit: "s" }
})

const unrelayed = Metric.gauge("outbox_age_seconds", {
  description: "Age of the oldest event whose deliveries are not created yet.",
  attributes: { unit: "s" }
})

export const recordAttempt = Effect.fnUntraced(function* (outcome: Attempt["status"], duration_ms: number) {
  yield* Metric.update(Metric.withAttributes(outcomes, { outcome }), 1)
  yield* Metric.update(durations, duration_ms / 1000)
})

interface Backlog {
  readonly deliveries: number
  readonly age_seconds: number
  readonly outbox_seconds: number
}

export const recordBacklog = Effect.fnUntraced(function* ({ age_seconds, deliveries, outbox_seconds }: Backlog) {
  yield* Metric.update(unrelayed, outbox_seconds)
  yield* Metric.update(waiting, deliveries)
  yield* Metric.update(age, age_seconds)
})
