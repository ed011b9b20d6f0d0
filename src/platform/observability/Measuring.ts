import { type Duration, Effect, Schedule } from "effect"

/**
 * Repeats a measurement in the background until the scope ends, without spans. A failure is logged with the subject,
 * e.g. "the queues", and the next measurement still runs.
 */
export const measureEvery =
  (interval: Duration.Input, subject: string) =>
  <E, R>(measurement: Effect.Effect<unknown, E, R>) =>
    measurement.pipe(
      Effect.withTracerEnabled(false),
      Effect.catchCause((cause) => Effect.logWarning(`${subject} could not be measured`, cause)),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.forkScoped
    )
