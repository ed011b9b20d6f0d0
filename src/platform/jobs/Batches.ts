import { Effect } from "effect"

/** Records that timed work takes at once, so that none of its statements holds many. */
export const batch_max = 100
const batches_max_default = 100

/**
 * Repeats a step, which does up to `size` of what is due and answers how many, until one is not full; at most so many
 * times, for the next run goes on. Answers how many there were in all.
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
