import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The first id of the highest range that an installation may have; no id has more digits. */
export const large_id = 9_006_000_000_000_001

/** Moves all sequences of the database into the highest range. */
export const useLargeIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${large_id}, false) from pg_sequences`
}).pipe(Effect.orDie)
