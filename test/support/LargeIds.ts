import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The first id that the sequences return afterwards; it does not fit into a 32-bit integer. */
export const large_id = 2 ** 31 + 10

/** Makes all sequences of the database continue beyond the range of 32-bit integers. */
export const useLargeIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${large_id}, false) from pg_sequences`
}).pipe(Effect.orDie)
