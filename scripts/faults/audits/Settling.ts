import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import type { World } from "../World.ts"

const look_interval_ms = 100
/** Seconds after which a lease (a temporary claim on work) counts as expired; its holder renews it more often. */
const silence_seconds = 12
/** Seconds after which failed work is tried again in this test. The service itself waits longer. */
const back_off_seconds = 2
const settled_ms_max = 120_000

/**
 * Ends leases that were not renewed for `seconds`, because their holders are dead or stopped, and makes failed work due
 * again: a round is too short to wait for that.
 */
export const timePasses = (seconds = silence_seconds) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const silence = sql`make_interval(secs => ${seconds})`
    yield* sql`
      update jobs set acquired_at = acquired_at - interval '1 minute'
      where state = 'pending' and acquired_at < localtimestamp - ${silence}`
    // The attempts are reset: without the usual pauses between them, the maximum number would be reached too early.
    yield* sql`
      update jobs set visible_at = localtimestamp, attempts = 1
      where state = 'pending' and attempts > 0 and acquired_at is null
        and updated_at < localtimestamp - make_interval(secs => ${back_off_seconds})`
    // The service delays the job `einvoicing.enrollment-repair` by a minute, so that it does not disturb a registration
    // in progress.
    yield* sql`
      update jobs set visible_at = localtimestamp
      where state = 'pending' and attempts = 0 and visible_at > localtimestamp
        and queue_name = 'einvoicing.enrollment-repair'`
    yield* sql`
      update webhook_lanes set leased_until = now() where leased_until < now() + interval '30 seconds' - ${silence}`
    yield* sql`update webhook_deliveries set due_at = now() where status = 'failed' and due_at > now()`
    yield* sql`
      update webhook_lanes l set due_at = now() where l.leased_until is null and exists (
        select from webhook_deliveries d where d.webhook_id = l.webhook_id and d.due_at is not null)`
    yield* sql`
      update receipts set created_at = created_at - interval '2 minutes'
      where status = 'reserved' and created_at < now() - ${silence}`
    yield* sql`
      update document_sendings set expires_at = now() - interval '1 second'
      where expires_at < now() + interval '20 seconds' - ${silence}`
    yield* sql`
      update einvoicing_changes set expires_at = now() - interval '1 second'
      where expires_at < now() + interval '30 seconds' - ${silence}`
    yield* sql`
      update idempotency_keys set leased_until = now() - interval '1 second'
      where status is null and leased_until < now() + interval '20 seconds' - ${silence}`
  })

/** Finds background work that is not done. A failed job (a dead letter) never counts as done. */
const openWork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ what: string; count: number }>`
    select 'job ' || queue_name || ' ' || state as what, count(*)::integer as count from jobs
    -- What is offered for later is not late.
    where state = 'failed' or (state = 'pending' and (attempts > 0 or visible_at <= localtimestamp)) group by 1
    union all select 'event not relayed', count(*)::integer from outbox where relayed_at is null having count(*) > 0
    union all select 'delivery not made', count(*)::integer from webhook_deliveries
      where status <> 'delivered' having count(*) > 0
    union all select 'submission ' || status, count(*)::integer from einvoices
      where status not in ('accepted', 'rejected', 'failed') group by 1
    union all select 'receipt not read', count(*)::integer from receipts
      where status = 'processing' having count(*) > 0`
})

/** Waits until all background work is done, and reports the work that is stuck. */
export const settled = async (world: World): Promise<ReadonlyArray<string>> => {
  const ends = Date.now() + settled_ms_max
  let open = await world.sql(openWork)
  while (open.length > 0 && Date.now() < ends) {
    await sleep(look_interval_ms)
    open = await world.sql(Effect.andThen(timePasses(), openWork))
  }
  return open.map(({ count, what }) => `stuck: ${count} x ${what}`)
}
