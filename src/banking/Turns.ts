import { Clock, Effect } from "effect"

/** Thousands of lines of a statement take a second; after so long at a stretch, everybody else has a turn. */
const stretch_ms_max = 10

/** Does something with each of many lines, and lets other work go on in between. */
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
