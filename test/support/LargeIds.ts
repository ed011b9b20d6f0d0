import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The first id of the highest range that an installation may have; no id has more digits. */
export const large_id = 9_006_000_000_000_001

/** An SQL statement that makes every sequence of a database go on with the given id. */
export const sequencesFrom = (id: number): string =>
  `select setval(format('%I.%I', schemaname, sequencename)::regclass, ${id}, false) from pg_sequences`

/** Moves all sequences of the database into the highest range. */
export const useLargeIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(sequencesFrom(large_id))
}).pipe(Effect.orDie)
