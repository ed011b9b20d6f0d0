import { Effect } from "effect"
import { inBatches } from "../jobs/Batches.ts"

/** Rows that one statement removes at most, so that none holds its locks for long. */
export const purged_rows_max = 1000
/** A million rows per run. */
const statements_max = 1000

/** Repeats a bounded delete, which answers a row for each that it removed, until it finds less than it may remove. */
export const purge = <E, R>(remove: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  inBatches(
    purged_rows_max,
    Effect.map(remove, ({ length }) => length),
    statements_max
  )
