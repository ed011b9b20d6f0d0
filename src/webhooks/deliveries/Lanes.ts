import { Clock, Context, Effect, FiberSet, Layer, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import type { WebhookId } from "../../kernel/Ids.ts"
import { isDelivered } from "./Attempt.ts"
import { Deliveries } from "./Deliveries.ts"
import type { DueDelivery } from "./DeliveriesRepo.ts"
import { LanesRepo } from "./LanesRepo.ts"

/** Requests to one webhook at the same time, whatever the number of processes. */
export const requests_max = 4
/** Half of them when the next delivery has been due for so long, and all of them later; before it a single one. */
const late_ms = 100
const very_late_ms = 500
/** Deliveries that are read at once. */
const read_max = 8
/** After a failure, so that what is out of order is not run over. */
const failure_pause = "250 millis"
/** Before a lane in which something of ours broke, the database say, is given back. */
const pause_after_break = "5 seconds"
/** After it a lane lets others go first. */
const turn_ms_max = 10_000
/** How often a lane that waits for an answer looks for further deliveries. */
const look_interval = "1 second"
/** A killed process's lanes are taken over after it; a living one renews its own. */
const lease_seconds = 10

/**
 * A webhook's deliveries go through a lane of its own, which one process at a time holds: a slow receiver delays
 * nobody's deliveries but its own, and what was interrupted is tried again by the next holder.
 */
export class Lanes extends Context.Service<
  Lanes,
  {
    /** Takes lanes that have something to do. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<WebhookId>>
    /** Delivers what is due in a lane, until nothing is or its turn is over. */
    readonly work: (id: WebhookId) => Effect.Effect<void>
    readonly keep: (ids: ReadonlyArray<WebhookId>) => Effect.Effect<void>
    /** Gives all lanes back. */
    readonly leave: Effect.Effect<void>
  }
>()("invoicing/webhooks/deliveries/Lanes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* LanesRepo
      const deliveries = yield* Deliveries
      const lease = SecureRandom.uuidV4Unsafe()

      const claim = (limit: number) =>
        Effect.map(repo.claim({ lease, lease_seconds, limit }), (lanes) => lanes.map(({ webhook_id }) => webhook_id))

      const keep = (ids: ReadonlyArray<WebhookId>) => repo.keep({ lease, lease_seconds, ids })

      const drain = Effect.fnUntraced(function* (webhook_id: WebhookId) {
        const ends = (yield* Clock.currentTimeMillis) + turn_ms_max
        const slots = yield* Semaphore.make(requests_max)
        const running = yield* FiberSet.make<void>()
        const underway = new Set<number>()
        let failing = false

        const start = Effect.fnUntraced(function* (delivery: DueDelivery) {
          const taken = failing ? requests_max : placesOf(delivery)
          yield* Semaphore.take(slots, taken)
          underway.add(delivery.id)
          const delivering = Effect.gen(function* () {
            const reply = yield* deliveries.deliver(delivery)
            failing = !isDelivered(reply) && delivery.is_active
            underway.delete(delivery.id)
            if (failing) yield* Effect.sleep(failure_pause)
            yield* Semaphore.release(slots, taken)
          })
          yield* FiberSet.run(running, delivering)
        })

        const isOver = Effect.map(Clock.currentTimeMillis, (now) => now >= ends)
        const turn = Effect.gen(function* () {
          while (!(yield* isOver)) {
            const found = yield* deliveries.due({ lease, webhook_id, except: [...underway], limit: read_max })
            failing ||= found.some(({ failing_ms, is_active }) => is_active && failing_ms !== null)
            for (const delivery of found) if (!(yield* isOver)) yield* start(delivery)
            if (found.length === read_max) continue
            const all = Effect.as(FiberSet.awaitEmpty(running), true)
            const isDone = yield* Effect.timeoutOrElse(all, {
              duration: look_interval,
              orElse: () => Effect.succeed(false)
            })
            if (isDone) break
          }
          yield* FiberSet.awaitEmpty(running)
        })
        // Whatever breaks in a delivery breaks the turn.
        yield* Effect.raceFirst(turn, FiberSet.join(running))
      }, Effect.scoped)

      const work = (webhook_id: WebhookId) =>
        drain(webhook_id).pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(Effect.logWarning("webhook lane broke", cause), Effect.sleep(pause_after_break))
          ),
          Effect.andThen(repo.leave({ lease, webhook_id })),
          // What cannot even be given back is anybody's when its lease has ended.
          Effect.ignoreCause({ log: "Warn", message: "webhook lane could not be given back" }),
          Effect.withSpan("Lanes.work", { root: true, attributes: { "webhook.id": webhook_id } })
        )

      return Lanes.of({ claim, work, keep, leave: repo.leaveAll({ lease }) })
    })
  ).pipe(Layer.provide([LanesRepo.layer, Deliveries.layer]))
}

/**
 * One by one, which is in order, while the lane keeps up. The later it is, the more at a time; no more than it takes,
 * since what a killed process has under way is sent again.
 */
const placesOf = ({ waiting_ms }: DueDelivery): number =>
  waiting_ms < late_ms ? requests_max : waiting_ms < very_late_ms ? requests_max / 2 : 1
