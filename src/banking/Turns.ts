import { Clock, Effect } from "effect"

/** Longest time that a loop computes before it yields to other fibers; thousands of lines take a second. */
const stretch_ms_max = 10

/** Processes the items in order, and regularly yields to other fibers. */
export const inTurns = Effect.fnUntraced(function* <A, B, E, R>(
  items: ReadonlyArray<A>,
  work: (item: A, index: number) => Effect.Effect<B, E, R>
) {
  const done: Array<B> = []
  let since = yield* Clock.currentTimeMillis
  for (const [index, item] of items.entries()) {
    done.push(yield* work(item, index))
    if ((yield* Clock.currentTimeMillis) - since < stretch_ms_max) continue
    yield* Effect.yieldNow
    since = yield* Clock.currentTimeMillis
  }
  return done
})
