import { Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { inBatches } from "../jobs/InBatches.ts"
import { timed } from "../jobs/Timed.ts"

/** Maximum number of changes that one statement adds to the tallies. */
const changes_max = 10_000
/** Maximum number of statements in one run, which together add at most ten million changes. */
const statements_max = 1_000

/**
 * Every write to a table with tallies stores in `list_changes` by how much it changed the number of rows. One statement
 * adds these changes to the tallies and deletes them, so that a reader sees each change exactly once.
 */
export const mergeTallies = Effect.fn("mergeTallies")(function* () {
  const sql = yield* SqlClient.SqlClient
  const merge = SqlSchema.findOne({
    Request: Schema.Void,
    Result: Schema.Struct({ changes: Schema.Int }),
    execute: () => sql`
    with taken as (
      delete from list_changes where ctid = any(array(
        select ctid from list_changes limit ${changes_max} for update skip locked))
      returning organization_id, list, day, kind, state, count),
    merged as (
      insert into list_tallies as t (organization_id, list, day, kind, state, count)
      select organization_id, list, day, kind, state, sum(count) from taken
      group by 1, 2, 3, 4, 5 having sum(count) <> 0 order by 1, 2, 3, 4, 5
      on conflict (organization_id, list, day, kind, state) do update set count = t.count + excluded.count)
    select count(*)::integer as changes from taken`
  })
  return yield* inBatches(
    changes_max,
    Effect.map(merge(), ({ changes }) => changes),
    statements_max
  )
}, Effect.orDie)

export const TalliesWorker = timed({ name: "lists.tallies", every: "1 minute", run: Effect.suspend(mergeTallies) })
