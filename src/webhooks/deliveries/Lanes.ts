import { Clock, Context, Effect, FiberSet, Layer, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import type { WebhookId } from "../../kernel/Ids.ts"
import { isDelivered } from "./Attempt.ts"
import { Deliveries } from "./Deliveries.ts"
import type { DueDelivery } from "./DeliveriesRepo.ts"
import { LanesRepo } from "./LanesRepo.ts"

/** Maximum number of concurrent requests to one webhook, over all processes. */
export const requests_max = 4
/** A lane sends one delivery at a time, two when they are `late_ms` late, four after `very_late_ms`. */
const late_ms = 100
const very_late_ms = 500
const read_max = 8
/** Total size of the events that a lane reads at once, so that many lanes together do not fill the memory. */
const read_bytes_max = 4 * 1024 * 1024
/** Size from which an event is sent alone, for the same reason. */
const large_bytes_min = 1024 * 1024
/** Pause of a lane after a failed delivery, so that a receiver with problems is not overloaded. */
const failure_pause = "250 millis"
/**
 * Time after which a delivery is read again before it is sent, because its webhook may have been changed or deleted. It
 * is shorter than `failure_pause`, because a failure may deactivate the webhook.
 */
const fresh_ms_max = 100
/** Pause before a lane is released after an internal error, such as a database error. */
const pause_after_break = "5 seconds"
/** Maximum time for which a lane sends deliveries before it lets other lanes run. */
const turn_ms_max = 10_000
/** Interval at which a lane that is waiting for replies looks for further deliveries. */
const look_interval = "1 second"
/** Time after which a lease expires. Running processes renew their leases, so only a crashed process loses its lanes. */
const lease_seconds = 10

/**
 * A lane is the queue of one webhook's deliveries. One process at a time leases it, so a slow receiver delays only its
 * own deliveries. If the process crashes, the next one that leases the lane repeats the interrupted deliveries.
 */
export class Lanes extends Context.Service<
  Lanes,
  {
    /** Leases lanes that have due deliveries. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<WebhookId>>
    /** Sends the due deliveries of a lane until none is left or its turn is over. */
    readonly work: (id: WebhookId) => Effect.Effect<void>
    readonly keep: (ids: ReadonlyArray<WebhookId>) => Effect.Effect<void>
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
        /** Deliveries that were read must be sent until then, or be read again. */
        let fresh_until = 0

        /** Waits for its turn. Returns false, without sending, if the delivery must be read again. */
        const start = Effect.fnUntraced(function* (delivery: DueDelivery) {
          const taken = failing ? requests_max : placesOf(delivery)
          yield* Semaphore.take(slots, taken)
          if ((yield* Clock.currentTimeMillis) >= fresh_until) {
            yield* Semaphore.release(slots, taken)
            return false
          }
          underway.add(delivery.id)
          const delivering = Effect.gen(function* () {
            const reply = yield* deliveries.deliver(delivery)
            failing = !isDelivered(reply) && delivery.is_active
            underway.delete(delivery.id)
            if (failing) yield* Effect.sleep(failure_pause)
            yield* Semaphore.release(slots, taken)
          })
          yield* FiberSet.run(running, delivering)
          return true
        })

        const startAll = Effect.fnUntraced(function* (found: ReadonlyArray<DueDelivery>) {
          for (const delivery of found) if (!(yield* start(delivery))) return false
          return true
        })

        const isOver = Effect.map(Clock.currentTimeMillis, (now) => now >= ends)
        const turn = Effect.gen(function* () {
          while (!(yield* isOver)) {
            const found = yield* deliveries.due({
              lease,
              webhook_id,
              except: [...underway],
              limit: read_max,
              bytes_max: read_bytes_max
            })
            fresh_until = Math.min(ends, (yield* Clock.currentTimeMillis) + fresh_ms_max)
            failing ||= found.some(({ failing_ms, is_active }) => is_active && failing_ms !== null)
            const isStarted = yield* startAll(found)
            const waiting = found[0]?.found ?? 0
            if (!isStarted || waiting === read_max || waiting > found.length) continue
            const all = Effect.as(FiberSet.awaitEmpty(running), true)
            const isDone = yield* Effect.timeoutOrElse(all, {
              duration: look_interval,
              orElse: () => Effect.succeed(false)
            })
            if (isDone) break
          }
          yield* FiberSet.awaitEmpty(running)
        })
        // An unexpected error in a delivery ends the turn.
        yield* Effect.raceFirst(turn, FiberSet.join(running))
      }, Effect.scoped)

      const work = (webhook_id: WebhookId) =>
        drain(webhook_id).pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(Effect.logWarning("webhook lane broke", cause), Effect.sleep(pause_after_break))
          ),
          Effect.andThen(repo.leave({ lease, webhook_id })),
          // A lane that cannot be released is free for other processes when its lease expires.
          Effect.ignoreCause({ log: "Warn", message: "webhook lane could not be released" }),
          Effect.withSpan("Lanes.work", { root: true, attributes: { "webhook.id": webhook_id } })
        )

      return Lanes.of({ claim, work, keep, leave: repo.leaveAll({ lease }) })
    })
  ).pipe(Layer.provide([LanesRepo.layer, Deliveries.layer]))
}

/**
 * Returns how many of the `requests_max` concurrent requests to a webhook a delivery takes. A delivery on time takes
 * all of them, so that deliveries are sent in order. A late one takes fewer, so that several are sent at once, but not
 * more than needed, because all deliveries in progress are sent again after a crash.
 */
const placesOf = ({ data, waiting_ms }: DueDelivery): number =>
  waiting_ms < late_ms || Buffer.byteLength(data) >= large_bytes_min
    ? requests_max
    : waiting_ms < very_late_ms
      ? requests_max / 2
      : 1
