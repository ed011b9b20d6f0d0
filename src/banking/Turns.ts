import { Effect, Semaphore } from "effect"

/** Maximum time in milliseconds for which a long computation runs without a pause for other requests. */
const stretch_ms_max = 2
/** Milliseconds between two measurements of how much time other requests use. */
const window_ms = 20
/**
 * If other requests use at least this share of the time in which the machine lets this thread run, long computations
 * pause for them.
 */
const others_share_min = 0.15
/** While other requests are busy, a long computation pauses three times as long as it ran. */
const rest_factor = 3

/**
 * Only one long computation runs at a time, so many imports together take no more of the event loop than one import.
 */
const turns = Semaphore.makeUnsafe(1)

const thread = {
  since: performance.eventLoopUtilization(),
  cpu: process.threadCpuUsage(),
  ours_ms: 0,
  is_busy: false,
  is_shared: true
}

/** Returns the processor time of this thread since an earlier measurement, which other processes do not lengthen. */
const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1_000
}

/** Turns off all pauses, for a process that serves no other requests. */
export const neverRest = (): void => {
  thread.is_shared = false
}

/** Waits with a real timer, because the clock of Effect stands still in tests. */
const pause = (duration_ms: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), duration_ms)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Counts the processor time of a long computation. Returns true if other requests use this thread, too. */
const isBusyAfter = (computed_ms: number): boolean => {
  thread.ours_ms += computed_ms
  const { active, idle } = performance.eventLoopUtilization(thread.since)
  if (active + idle >= window_ms) {
    const cpu_ms = cpuSince(thread.cpu)
    // The active time also contains the time for which the machine ran other processes instead of this thread.
    thread.is_busy = thread.is_shared && cpu_ms - thread.ours_ms > (cpu_ms + idle) * others_share_min
    thread.since = performance.eventLoopUtilization()
    thread.cpu = process.threadCpuUsage()
    thread.ours_ms = 0
  }
  return thread.is_busy
}

/** Processes the items in order. Other requests run in between, because thousands of bank lines take a second. */
export const inTurns = Effect.fnUntraced(function* <A, B, E, R>(
  items: ReadonlyArray<A>,
  work: (item: A, index: number) => Effect.Effect<B, E, R>
) {
  const done: Array<B> = []
  const left = items.values()
  const stretch = Effect.gen(function* () {
    const end_ms = performance.now() + stretch_ms_max
    const cpu = process.threadCpuUsage()
    do {
      const item = left.next()
      if (item.done === true) break
      done.push(yield* work(item.value, done.length))
    } while (performance.now() < end_ms)
    const computed_ms = cpuSince(cpu)
    yield* isBusyAfter(computed_ms) ? pause(computed_ms * rest_factor) : Effect.yieldNow
  })
  while (done.length < items.length) yield* turns.withPermit(stretch)
  return done
})

/**
 * Runs an SQL statement of an import. While other requests are being served, the import then pauses for as long as the
 * statement took, so that the database can serve them.
 */
export const thenResting = Effect.fnUntraced(function* <A, E, R>(statement: Effect.Effect<A, E, R>) {
  const begun = performance.now()
  const result = yield* statement
  if (isBusyAfter(0)) yield* pause(performance.now() - begun)
  return result
})
