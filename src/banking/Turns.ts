import { Effect, Semaphore } from "effect"

/** Maximum time that a loop computes before other requests may continue. */
const stretch_ms_max = 2
/** Period over which the share of the event loop that other requests use is measured. */
const window_ms = 20
/** Share of the event loop at which other requests are busy enough that loops rest for them. */
const others_share_min = 0.15
/** A loop rests this many times as long as it has computed, so that it takes a quarter of a busy event loop. */
const rest_factor = 3

/** Only one loop computes at a time, so that many imports together take no more of the event loop than one does. */
const turns = Semaphore.makeUnsafe(1)

const loop = { since: performance.eventLoopUtilization(), ours_ms: 0, is_busy: false, is_shared: true }

/** Never pauses: for loops in a process that serves no other requests. */
export const neverRest = (): void => {
  loop.is_shared = false
}

/** Pauses by a timer of the system, because the clock of Effect stands still in tests. */
const pause = (duration_ms: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), duration_ms)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Records how long a loop has computed, and returns true if other requests use the event loop, too. */
const isBusyAfter = (computed_ms: number): boolean => {
  loop.ours_ms += computed_ms
  const { active, idle } = performance.eventLoopUtilization(loop.since)
  if (active + idle >= window_ms) {
    loop.is_busy = loop.is_shared && active - loop.ours_ms > (active + idle) * others_share_min
    loop.since = performance.eventLoopUtilization()
    loop.ours_ms = 0
  }
  return loop.is_busy
}

/** Processes the items in order, and serves other requests in between; thousands of lines take a second. */
export const inTurns = Effect.fnUntraced(function* <A, B, E, R>(
  items: ReadonlyArray<A>,
  work: (item: A, index: number) => Effect.Effect<B, E, R>
) {
  const done: Array<B> = []
  const left = items.values()
  const stretch = Effect.gen(function* () {
    const begun = performance.now()
    let computed_ms = 0
    for (; computed_ms < stretch_ms_max; computed_ms = performance.now() - begun) {
      const item = left.next()
      if (item.done === true) break
      done.push(yield* work(item.value, done.length))
    }
    yield* isBusyAfter(computed_ms) ? pause(computed_ms * rest_factor) : Effect.yieldNow
  })
  while (done.length < items.length) yield* turns.withPermit(stretch)
  return done
})

/**
 * Runs a statement of an import. If other requests are being served, the import then pauses for as long as the
 * statement took, so that the database can serve them.
 */
export const inTurn = Effect.fnUntraced(function* <A, E, R>(statement: Effect.Effect<A, E, R>) {
  const begun = performance.now()
  const result = yield* statement
  if (isBusyAfter(0)) yield* pause(performance.now() - begun)
  return result
})
