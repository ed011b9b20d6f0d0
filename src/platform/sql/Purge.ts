import { Effect } from "effect"
import { inBatches } from "../jobs/Batches.ts"

/** Maximum number of rows that one statement removes, so that none holds its locks for long. */
export const purged_rows_max = 1000
/** Limits a run to a million rows. */
const statements_max = 1000

/** Repeats a limited delete, which returns a row per removed row, until it removes fewer rows than its limit. */
export const purge = <E, R>(remove: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  inBatches(
    purged_rows_max,
    Effect.map(remove, ({ length }) => length),
    statements_max
  )
