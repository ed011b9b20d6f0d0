import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { timed } from "../../jobs/Timed.ts"
import { purge, purged_rows_max } from "../../sql/statements/Purge.ts"
import { kept_hours } from "./IdempotencyRepo.ts"

/** Age in minutes at which a row of the rate limit is removed. A window lasts one minute, so the row is of no use. */
const window_minutes = 10

export const purgeEdge = Effect.fn("purgeEdge")(function* () {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* purge(
    "idempotency_keys",
    sql`
    delete from idempotency_keys where (organization_id, principal, route, key) in (
      select organization_id, principal, route, key from idempotency_keys
      where created_at < now() - make_interval(hours => ${kept_hours})
      limit ${purged_rows_max} for update skip locked)
    returning 1`
  )
  const windows = yield* purge(
    "rate_windows",
    sql`
    delete from rate_windows where key in (
      select key from rate_windows
      where started_at < now() - make_interval(mins => ${window_minutes})
      limit ${purged_rows_max} for update skip locked)
    returning 1`
  )
  return { keys, windows }
})

export const EdgePurgeWorker = timed({ name: "edge.purge", every: "10 minutes", run: Effect.suspend(purgeEdge) })
