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

/** Reads batches, each beginning after the last record of the one before, and handles each before the next is read. */
export const eachBatch = <A, E, R, E2, R2>(
  size: number,
  read: (last: A | undefined) => Effect.Effect<ReadonlyArray<A>, E, R>,
  handle: (batch: ReadonlyArray<A>) => Effect.Effect<unknown, E2, R2>
) =>
  Effect.suspend(() => {
    let last: A | undefined
    const step = Effect.gen(function* () {
      const found = yield* read(last)
      yield* handle(found)
      last = found.at(-1)
      return found.length
    })
    return inBatches(size, step)
  })
