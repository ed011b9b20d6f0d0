import { Effect, FiberMap, Layer, References } from "effect"
import type { WebhookId } from "../../kernel/Ids.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { measureEvery } from "../../platform/observability/Measuring.ts"
import { Deliveries } from "./Deliveries.ts"
import { Lanes } from "./Lanes.ts"

/** Maximum number of webhooks to which one process sends at a time; each webhook has a lane. */
const lanes_max = 256
const poll_interval = "200 millis"
const pause_in_outage = "1 second"
const keep_interval = "3 seconds"
const measure_interval = "15 seconds"
/** A run removes at most a million rows of each table, and a large installation writes as many in a day. */
const purge_interval = "1 hour"

/** Repeats the work for the lifetime of the process, and pauses after failures. */
const always = <E, R>(what: string, round: Effect.Effect<unknown, E, R>) =>
  round.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning(`${what} failed`, cause), Effect.sleep(pause_in_outage))
    ),
    Effect.forever,
    // The work is repeated every few hundred milliseconds, so its spans would hide all others.
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )

export const Deliverer = Layer.effectDiscard(
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const lanes = yield* Lanes
    // The finalizer is registered first, so it runs last: after the fibers of the lanes were interrupted.
    yield* Effect.addFinalizer(() => lanes.leave)
    const working = yield* FiberMap.make<WebhookId>()
    const tracing = yield* References.TracerEnabled

    const round = Effect.gen(function* () {
      const isMore = yield* deliveries.relay
      const room = lanes_max - (yield* FiberMap.size(working))
      const claimed = room > 0 ? yield* lanes.claim(room) : []
      // A lane may still have a fiber from an earlier lease that was released or lost. The new fiber replaces it.
      for (const id of claimed) yield* FiberMap.run(working, id, Effect.withTracerEnabled(lanes.work(id), tracing))
      if (!isMore) yield* Effect.sleep(poll_interval)
    })

    yield* always("webhook deliveries", round)
    yield* always(
      "renewing of webhook lanes",
      Effect.andThen(
        Effect.sleep(keep_interval),
        Effect.suspend(() => lanes.keep(Array.from(working, ([id]) => id)))
      )
    )
    yield* measureEvery(measure_interval, "the webhooks")(deliveries.measure)
  })
)

const Purge = Layer.unwrap(
  Effect.map(Deliveries, ({ purge }) => timed({ name: "webhooks.purge", every: purge_interval, run: purge }))
)

export const DeliveryWorker = Layer.mergeAll(Deliverer, Purge).pipe(Layer.provide(Lanes.layer))
