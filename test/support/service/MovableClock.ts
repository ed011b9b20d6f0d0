import { Clock, Effect, Layer } from "effect"

/** A clock that runs like the machine's, but starts at a moment that the test sets. Sleeping takes its normal time. */
export const movableClock = () => {
  let ahead_ms = 0
  const machine = Clock.Clock.defaultValue()
  const now = () => machine.currentTimeMillisUnsafe() + ahead_ms
  return {
    /** The current time of the clock in milliseconds since 1970. */
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
