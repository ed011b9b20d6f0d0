import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The smallest id that the sequences give out afterwards: no 32-bit integer holds it. */
export const large_id = 2 ** 31 + 10

/** Lets all sequences of the database go on beyond the range of 32-bit integers. */
export const useLargeIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${large_id}, false) from pg_sequences`
}).pipe(Effect.orDie)
