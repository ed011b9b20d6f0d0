import { Clock, Effect, Exit, Metric } from "effect"
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

const readings = Metric.gauge("receipt_readings", { description: "Receipts that are being read, by queue." })

const readers = Metric.gauge("receipt_readers_max", {
  description: "Maximum number of receipts that this process reads at the same time, by queue."
})

/** Without an initial zero, a rate that is computed from a metric would miss the first event. */
export const startOutcomes = Effect.all([
  ...(["done", "needs_review", "failed"] as const).map((status) => Metric.update(outcome(status), 0)),
  Metric.value(durations)
])

export const recordOutcome = (status: Outcome["status"]) => Metric.update(outcome(status), 1)

/**
 * Measures how long a reader takes, unless its answer is not counted. Other processes than workers have readers, too, for
 * the pictures of receipts.
 */
export const timedReading = <A, E, R>(
  reading: Effect.Effect<A, E, R>,
  isCounted: (answer: A) => boolean = () => true
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) =>
    Effect.onExit(reading, (exit) =>
      Exit.isSuccess(exit) && !isCounted(exit.value)
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (ended) => Metric.update(durations, (ended - started) / 1000))
    )
  )

interface Queue {
  readonly name: string
  readonly concurrency: number
}

/** Counts the receipts of a queue that a worker is reading. */
export const countReadings = Effect.fnUntraced(function* ({ concurrency, name: queue }: Queue) {
  let running = 0
  const move = (by: number) =>
    Effect.suspend(() => {
      running += by
      return Metric.update(Metric.withAttributes(readings, { queue }), running)
    })
  yield* Metric.update(Metric.withAttributes(readers, { queue }), concurrency)
  yield* move(0)
  return <A, E, R>(reading: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      move(1),
      () => reading,
      () => move(-1)
    )
})
