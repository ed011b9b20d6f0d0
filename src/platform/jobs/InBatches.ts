import { Effect } from "effect"

/** Maximum number of records that periodic work reads at once, so that no SQL statement returns too many. */
export const batch_max = 100
const batches_max_default = 100

/**
 * Repeats a step that handles up to `size` records, until a batch is not full or `batches_max` is reached; the next run
 * handles the rest. Returns the number of records.
 */
export const inBatches = Effect.fnUntraced(function* <E, R>(
  size: number,
  step: Effect.Effect<number, E, R>,
  batches_max = batches_max_default
) {
  let done = 0
  for (let batch = 0; batch < batches_max; batch++) {
    const count = yield* step
    done += count
    if (count < size) break
  }
  return done
})
