import { Effect, Layer, Schedule } from "effect"
import { restoredCopiesRepo } from "./RestoredCopiesRepo.ts"

const ask_interval = "5 seconds"

/**
 * Holds background work until `npm run admin -- resume`, because the original installation may have sent the mails,
 * webhooks and submissions that were waiting at the time of the backup.
 */
export const unlessHeld = <E, R>(work: Layer.Layer<never, E, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { isHeld } = yield* restoredCopiesRepo
      if (!(yield* isHeld)) return work
      yield* Effect.logWarning("background work is held, because this is a restored copy: npm run admin -- resume")
      // The work stays held while the database does not answer, because nobody would ask it again after a failure.
      const isStillHeld = Effect.withTracerEnabled(isHeld, false).pipe(
        Effect.catchDefect((cause) =>
          Effect.as(Effect.logWarning("the database could not be asked whether background work is held", cause), true)
        )
      )
      const resumed = Effect.repeat(isStillHeld, {
        while: (held) => held,
        schedule: Schedule.spaced(ask_interval)
      })
      const started = Effect.orDie(Layer.build(work)).pipe(
        Effect.tapDefect((cause) => Effect.logError("background work could not start: restart this process", cause))
      )
      return Layer.effectDiscard(Effect.forkScoped(Effect.andThen(resumed, started)))
    })
  )
