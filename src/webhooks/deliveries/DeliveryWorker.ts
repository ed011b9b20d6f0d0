import { Effect, FiberMap, Layer } from "effect"
import type { WebhookId } from "../../kernel/Ids.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { Deliveries, events_max } from "./Deliveries.ts"
import { Lanes } from "./Lanes.ts"

/** Lanes that one process works on at the same time. */
const lanes_max = 256
const poll_interval = "200 millis"
const pause_in_outage = "1 second"
const keep_interval = "3 seconds"
const measure_interval = "15 seconds"

/** Runs it for as long as the process lives; an outage is waited out. */
const always = <E, R>(what: string, round: Effect.Effect<unknown, E, R>) =>
  round.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning(`${what} failed`, cause), Effect.sleep(pause_in_outage))
    ),
    Effect.forever,
    Effect.forkScoped
  )

/** Turns events into deliveries and works on the lanes that have some, as many as there is room for. */
export const Deliverer = Layer.effectDiscard(
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const lanes = yield* Lanes
    // Registered first, so that it runs after the lanes' fibers were interrupted.
    yield* Effect.addFinalizer(() => lanes.leave)
    const working = yield* FiberMap.make<WebhookId>()

    const round = Effect.gen(function* () {
      const events = yield* deliveries.relay
      const room = lanes_max - (yield* FiberMap.size(working))
      const claimed = room > 0 ? yield* lanes.claim(room) : []
      // Replaces a fiber that has given the lane back, or lost it, and has not ended yet.
      for (const id of claimed) yield* FiberMap.run(working, id, lanes.work(id))
      if (events < events_max) yield* Effect.sleep(poll_interval)
    })

    yield* always("webhook deliveries", round)
    yield* always(
      "renewing of webhook lanes",
      Effect.andThen(
        Effect.sleep(keep_interval),
        Effect.suspend(() => lanes.keep(Array.from(working, ([id]) => id)))
      )
    )
    yield* always("measuring of webhooks", Effect.andThen(deliveries.measure, Effect.sleep(measure_interval)))
  })
)

const Purge = Layer.unwrap(
  Effect.map(Deliveries, ({ purge }) => timed({ name: "webhooks.purge", every: "1 day", run: purge }))
)

export const DeliveryWorker = Layer.mergeAll(Deliverer, Purge).pipe(Layer.provide(Lanes.layer))
