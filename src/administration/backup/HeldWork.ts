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
      const resumed = Effect.repeat(Effect.withTracerEnabled(isHeld, false), {
        while: (held) => held,
        schedule: Schedule.spaced(ask_interval)
      })
      return Layer.effectDiscard(Effect.forkScoped(Effect.andThen(resumed, Effect.orDie(Layer.build(work)))))
    })
  )
