import { Clock, Effect, Metric } from "effect"
import type { Outcome } from "./ReceiptOutcome.ts"

const outcomes = Metric.counter("receipts_total", {
  description: "Receipts by the outcome of reading: done, needs_review, failed.",
  incremental: true
})
const outcome = (status: Outcome["status"]) => Metric.withAttributes(outcomes, { outcome: status })

const durations = Metric.histogram("receipt_reading_duration_seconds", {
  description: "Time from requesting a reader for a receipt to its answer.",
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120],
  attributes: { unit: "s" }
})

const readings = (state: "running" | "waiting") =>
  Metric.gauge("receipt_readings", {
    description: "Receipts that are being read, and receipts that wait for a reading process.",
    attributes: { state }
  })
const running = readings("running")
const waiting = readings("waiting")

const readers = Metric.gauge("receipt_readers_max", {
  description: "Maximum number of receipts that are read at the same time."
})

/** Without an initial zero, a rate that is computed from a metric would miss the first event. */
export const startOutcomes = Effect.all([
  ...(["done", "needs_review", "failed"] as const).map((status) => Metric.update(outcome(status), 0)),
  Metric.value(durations)
])

export const recordOutcome = (status: Outcome["status"]) => Metric.update(outcome(status), 1)

/** Counts running and waiting jobs: at most `readers_max` run, the others wait. */
export const recordReadings = Effect.fnUntraced(function* (readers_max: number) {
  let asked = 0
  const move = (by: number) =>
    Effect.suspend(() => {
      asked += by
      const at_work = Math.min(asked, readers_max)
      return Effect.andThen(Metric.update(running, at_work), Metric.update(waiting, asked - at_work))
    })
  yield* Metric.update(readers, readers_max)
  yield* move(0)
  return <A, E, R>(reading: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.andThen(move(1), Clock.currentTimeMillis),
      () => reading,
      (started) =>
        Effect.flatMap(Clock.currentTimeMillis, (ended) =>
          Effect.andThen(move(-1), Metric.update(durations, (ended - started) / 1000))
        )
    )
})
