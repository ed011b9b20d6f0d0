import { Clock, Effect } from "effect"

/** Runs an effect at a fixed moment: the clock shows it and stands still. */
export const at = <A, E, R>(moment: string | number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const epochMillis = new Date(moment).getTime()
    const stopped: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillisUnsafe: () => epochMillis,
      currentTimeMillis: Effect.succeed(epochMillis)
    })
    return Effect.provideService(effect, Clock.Clock, stopped)
  })
