import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Puts the request of an Idempotency-Key into the state after its process was killed between its work and its answer.
 */
export const answerLost = (key: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update idempotency_keys set status = null, headers = null, sealed_body = null,
        leased_until = now() - interval '1 second'
      where key = ${key}`
  )
