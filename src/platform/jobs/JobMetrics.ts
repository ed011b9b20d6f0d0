import { Cause, Clock, Effect, Exit, Metric } from "effect"
import { PermanentFailure } from "./PermanentFailure.ts"

const outcomes = Metric.counter("jobs_total", {
  description: "Attempts of jobs by queue and outcome: completed, failed (tried again), dead, released.",
  incremental: true
})

const durations = Metric.histogram("job_duration_seconds", {
  description: "Time of one attempt.",
  boundaries: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  attributes: { unit: "s" }
})

const outcomeOf = (exit: Exit.Exit<unknown, unknown>, last: boolean) => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.hasInterruptsOnly(exit.cause)) return "released"
  return last || Cause.squash(exit.cause) instanceof PermanentFailure ? "dead" : "failed"
}

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

const waiting = Metric.gauge("jobs_waiting", { description: "Jobs to be done." })
const dead = Metric.gauge("jobs_dead", { description: "Jobs whose last attempt failed." })
const oldest = Metric.gauge("jobs_oldest_seconds", {
  description: "Time since the oldest due job became due.",
  attributes: { unit: "s" }
})

export const recordQueue = (figures: {
  readonly queue: string
  readonly waiting: number
  readonly dead: number
  readonly oldest_waiting_seconds: number
}) => {
  const { queue } = figures
  return Effect.all([
    Metric.update(Metric.withAttributes(waiting, { queue }), figures.waiting),
    Metric.update(Metric.withAttributes(dead, { queue }), figures.dead),
    Metric.update(Metric.withAttributes(oldest, { queue }), figures.oldest_waiting_seconds)
  ])
}
