import { Cause, Clock, Effect, Exit, Metric } from "effect"

const outcomes = Metric.counter("jobs_total", {
  description: "Attempts of jobs by queue and outcome: completed, failed (tried again), dead, released.",
  incremental: true
})

const durations = Metric.histogram("job_duration", {
  description: "Time of one attempt.",
  boundaries: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  attributes: { unit: "s" }
})

const outcomeOf = (exit: Exit.Exit<unknown, unknown>, last: boolean) => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.hasInterruptsOnly(exit.cause)) return "released"
  return last ? "dead" : "failed"
}

/** Counts the attempt and its time. */
export const recordJob =
  (queue: string, last: boolean) =>
  <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (started) =>
      Effect.onExit(
        attempt,
        Effect.fnUntraced(function* (exit) {
          const outcome = outcomeOf(exit, last)
          yield* Metric.update(Metric.withAttributes(outcomes, { queue, outcome }), 1)
          yield* Metric.update(
            Metric.withAttributes(durations, { queue }),
            ((yield* Clock.currentTimeMillis) - started) / 1000
          )
        })
      )
    )
