import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Makes the request of an Idempotency-Key look as if its process was killed after the work and before the answer. */
export const answerLost = (key: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update idempotency_keys set status = null, headers = null, sealed_body = null,
        leased_until = now() - interval '1 second'
      where key = ${key}`
  )
