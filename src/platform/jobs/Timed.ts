import { Clock, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { job, Jobs, worker } from "./Jobs.ts"

interface Timed<E, R> {
  /** Name such as `webhooks.purge`. */
  readonly name: string
  /** Time is divided into slots of this length, counted from the epoch. */
  readonly every: Duration.Input
  /** Does all work that is due, however old, because a slot that has passed is not run. */
  readonly run: Effect.Effect<unknown, E, R>
}

const attempts_max = 5
const time_limit = "10 minutes"

/**
 * Runs periodic work once per time slot. Each process enqueues a job for the current slot at its start and whenever a
 * slot begins. A job's id is the number of its slot, which the queue accepts only once.
 */
export const timed = <E, R>({ every, name, run }: Timed<E, R>) => {
  const slot_ms = Duration.toMillis(every)
  const definition = job({
    name: `timed.${name}`,
    payload: Schema.Struct({ slot: Schema.Int }),
    attempts_max,
    back_off: Schedule.spaced("30 seconds"),
    concurrency: 1,
    time_limit
  })

  const slotAt = (epoch_ms: number) => Math.floor(epoch_ms / slot_ms)

  const enqueue = Effect.gen(function* () {
    const jobs = yield* Jobs
    const now = yield* Clock.currentTimeMillis
    const slot = slotAt(now)
    yield* jobs.offer(definition, { slot }, { id: String(slot) })
    yield* Effect.sleep((slot + 1) * slot_ms - now)
  })

  const clock = enqueue.pipe(
    Effect.catchCause((cause) => Effect.logWarning("timed work could not be enqueued", cause)),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.withTracerEnabled(false),
    Effect.forkScoped,
    Layer.effectDiscard
  )

  // After a run that was longer than its slot, the jobs of the slots that passed meanwhile have nothing left to do.
  const runUnlessPassed = Effect.fnUntraced(function* ({ slot }: { readonly slot: number }) {
    if (slot < slotAt(yield* Clock.currentTimeMillis)) return
    yield* run
  })
  return worker(definition, runUnlessPassed).pipe(Layer.merge(clock))
}
