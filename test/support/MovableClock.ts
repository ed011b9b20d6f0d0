import { Clock, Effect, Layer } from "effect"

/** A clock that goes as the machine's does, from whatever moment it is set to. Sleeping takes as long as ever. */
export const movableClock = () => {
  let ahead_ms = 0
  const machine = Clock.Clock.defaultValue()
  const now = () => machine.currentTimeMillisUnsafe() + ahead_ms
  return {
    /** What it shows, in milliseconds since 1970. */
    now,
    layer: Layer.succeed(
      Clock.Clock,
      Object.assign(Object.create(machine), {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now)
      })
    ),
    set: (moment_ms: number) => {
      ahead_ms = moment_ms - machine.currentTimeMillisUnsafe()
    }
  }
}
