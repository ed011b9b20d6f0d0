import { Effect } from "effect"

/** Rows that one statement removes at most, so that none holds its locks for long. */
export const purged_rows_max = 1000
/** A million rows per run; the rest waits for the next one. */
const statements_max = 1000

/** Repeats a bounded delete, which answers a row for each that it removed, until it finds less than it may remove. */
export const purge = Effect.fnUntraced(function* <E, R>(remove: Effect.Effect<ReadonlyArray<unknown>, E, R>) {
  let removed = 0
  for (let statement = 0; statement < statements_max; statement++) {
    const { length } = yield* remove
    removed += length
    if (length < purged_rows_max) break
  }
  return removed
})
