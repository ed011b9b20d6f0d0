import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Leaves the request of an Idempotency-Key like a process that was killed after its work and before its answer. */
export const answerLost = (key: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update idempotency_keys set status = null, headers = null, sealed_body = null,
        leased_until = now() - interval '1 second'
      where key = ${key}`
  )
