import { Clock, Duration, Effect, Exit, Ref, Semaphore } from "effect"
import { ask, isAlive, killChild, startChild, type Child, type ChildOptions, type ReplyTo } from "./Child.ts"
import { ChildFailed, type ChildTimedOut, ChildUnavailable } from "./ChildErrors.ts"

export interface ChildPoolOptions extends ChildOptions {
  /** Maximum number of concurrent jobs; others wait. */
  readonly size: number
  /** Number of jobs after which a child is replaced, because WebAssembly memory never shrinks. */
  readonly jobs_per_child_max: number
  /** A child is replaced if it holds more memory than this after a job. */
  readonly memory_bytes_kept_max: number
  readonly idle_duration_max: Duration.Input
  /** After `failed_starts_max` failed starts in a row, no start is attempted for this long. */
  readonly pause_after_failed_starts: Duration.Input
}

export interface ChildPool {
  /** An interruption or a failure kills the child that runs the job. `replyTo` answers questions of the running job. */
  readonly run: (
    job: unknown,
    replyTo?: ReplyTo
  ) => Effect.Effect<unknown, ChildUnavailable | ChildTimedOut | ChildFailed>
  /** False during the pause after failed starts. */
  readonly available: Effect.Effect<boolean>
}

const failed_starts_max = 3

/** A pool of killable processes for work that can hang, crash or use up memory. A child starts when a job needs one. */
export const childPool = Effect.fnUntraced(function* (options: ChildPoolOptions) {
  const places = yield* Semaphore.make(options.size)
  const living = new Set<Child>()
  const idle: Array<Child> = []
  const starts = yield* circuit(options)

  const stop = (child: Child) =>
    Effect.suspend(() => {
      living.delete(child)
      return killChild(child)
    })

  const take = Effect.gen(function* () {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      if (isAlive(child)) return child
      yield* stop(child)
    }
    const child = yield* starts.guard(Effect.interruptible(startChild(options)))
    living.add(child)
    return child
  })

  const giveBack = (child: Child, exit: Exit.Exit<unknown, unknown>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (Exit.isFailure(exit) || isSpent(child, options) || !isAlive(child)) return stop(child)
      child.idle_since = now
      return Effect.sync(() => void idle.push(child))
    })

  const stopIdle = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const oldest = now - Duration.toMillis(options.idle_duration_max)
    const expired = idle.filter(({ idle_since }) => idle_since <= oldest)
    return Effect.forEach(expired, (child) => {
      idle.splice(idle.indexOf(child), 1)
      return stop(child)
    })
  })

  yield* Effect.addFinalizer(() => Effect.forEach(living, stop, { discard: true }))
  yield* stopIdle.pipe(Effect.delay(options.idle_duration_max), Effect.forever, Effect.forkScoped)

  const pool: ChildPool = {
    run: (job, replyTo = noReply) =>
      places.withPermit(
        Effect.acquireUseRelease(take, (child) => ask(child, job, options, replyTo), giveBack).pipe(
          // A job whose idle child has exited unnoticed is retried, at most once for each child of the pool.
          Effect.retry({ times: options.size, while: ({ _tag }) => _tag === "ChildGone" }),
          Effect.catchTag("ChildGone", ({ reason }) => Effect.fail(new ChildFailed({ cause: "ended", reason })))
        )
      ),
    available: starts.available
  }
  return pool
})

const noReply: ReplyTo = () => Effect.die("The job sends a question that its parent cannot answer.")

const isSpent = (child: Child, options: ChildPoolOptions) =>
  child.jobs_done >= options.jobs_per_child_max || child.memory_bytes > options.memory_bytes_kept_max

/** A circuit breaker: a start that cannot succeed (e.g. a package is missing) must not cost every job a new process. */
const circuit = Effect.fnUntraced(function* ({ pause_after_failed_starts }: ChildPoolOptions) {
  const state = yield* Ref.make({ failures: 0, failed_at: 0 })
  const pause_ms = Duration.toMillis(pause_after_failed_starts)

  const available = Effect.zipWith(Ref.get(state), Clock.currentTimeMillis, ({ failed_at, failures }, now) => {
    return failures < failed_starts_max || now >= failed_at + pause_ms
  })

  const failed = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Ref.update(state, ({ failures }) => ({ failures: failures + 1, failed_at: now }))
  )

  const guard = Effect.fnUntraced(function* <A>(start: Effect.Effect<A, ChildUnavailable>) {
    if (!(yield* available)) return yield* new ChildUnavailable({ reason: "The last starts failed." })
    return yield* start.pipe(
      Effect.tapError(() => failed),
      Effect.tap(() => Ref.update(state, () => ({ failures: 0, failed_at: 0 })))
    )
  })

  return { guard, available }
})
