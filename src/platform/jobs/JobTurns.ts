import { Effect, Layer, Schedule } from "effect"
import { JobTurnsRepo } from "./JobTurnsRepo.ts"

const interval = "3 seconds"
/** Maximum number of jobs that get a turn at a time; the others follow after the interval. */
const jobs_max = 100

/**
 * Gives a turn to the jobs that became due after a delay or a failure. In a queue that is never empty, they would
 * otherwise wait for all jobs of organizations that have a turn, also for those that are enqueued later.
 */
export const JobTurns = Layer.effectDiscard(
  Effect.gen(function* () {
    const turns = yield* JobTurnsRepo
    yield* turns.assignDue({ limit: jobs_max }).pipe(
      Effect.withTracerEnabled(false),
      Effect.catchCause((cause) => Effect.logWarning("due jobs could not be given a turn", cause)),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.forkScoped
    )
  })
).pipe(Layer.provide(JobTurnsRepo.layer))
