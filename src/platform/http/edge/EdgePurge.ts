import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { timed } from "../../jobs/Timed.ts"
import { purge } from "../../sql/statements/Purge.ts"
import { kept_hours } from "./IdempotencyRepo.ts"

/** Age in minutes at which a row of the rate limit is removed. A window lasts one minute, so the row is of no use. */
const window_minutes = 10

export const purgeEdge = Effect.fn("purgeEdge")(function* () {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* purge(
    sql,
    "idempotency_keys",
    "organization_id, principal, route, key",
    sql`created_at < now() - make_interval(hours => ${kept_hours})`
  )
  const windows = yield* purge(
    sql,
    "rate_windows",
    "key",
    sql`started_at < now() - make_interval(mins => ${window_minutes})`
  )
  return { keys, windows }
})

export const EdgePurgeWorker = timed({ name: "edge.purge", every: "10 minutes", run: Effect.suspend(purgeEdge) })
