import { Effect, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { inBatches } from "../../jobs/InBatches.ts"

/** Maximum number of rows that one statement removes, so that no statement holds its locks for long. */
export const purged_rows_max = 1000
/** Maximum number of statements in one run, which together remove up to a million rows. */
const statements_max = 1000

const removed = Metric.counter("pruned_rows_total", {
  description: "Rows that were removed because their retention is over, by table.",
  incremental: true
})

export const recordPruned = (table: string, rows: number) =>
  rows === 0 ? Effect.void : Metric.update(Metric.withAttributes(removed, { table }), rows)

/**
 * Removes the rows that are due, and returns their number. Rows that another transaction has locked stay until the
 * next run. `key` lists the columns that identify a row.
 */
export const purge = (sql: SqlClient.SqlClient, table: string, key: string, due: Fragment) => {
  const [rows, columns] = [sql.literal(table), sql.literal(key)]
  const remove = sql`
    delete from ${rows} where (${columns}) in (
      select ${columns} from ${rows} where ${due} limit ${purged_rows_max} for update skip locked)
    returning 1`
  return Effect.orDie(removeInBatches(table, remove))
}

/**
 * Repeats a limited delete, which returns a row per removed row, until it removes fewer rows than its limit or has run
 * `statements_max` times.
 */
export const removeInBatches = <E, R>(table: string, remove: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  inBatches(
    purged_rows_max,
    Effect.tap(
      Effect.map(remove, ({ length }) => length),
      (rows) => recordPruned(table, rows)
    ),
    statements_max
  )
