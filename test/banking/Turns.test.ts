import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inTurns } from "../../src/banking/Turns.ts"

const item_ms = 15

const busy = () => {
  const end = performance.now() + item_ms
  while (performance.now() < end);
}

describe("inTurns", () => {
  it.live("processes all items in order, and yields to other fibers between long stretches", () =>
    Effect.gen(function* () {
      let turns = 0
      let is_over = false
      setImmediate(function turn() {
        turns++
        if (!is_over) setImmediate(turn)
      })
      const done = yield* inTurns([3, 1, 2], (item, index) =>
        Effect.sync(() => (busy(), [item, index, turns] as const))
      )
      is_over = true
      assert.deepStrictEqual(
        done.map(([item, index]) => [item, index]),
        [
          [3, 0],
          [1, 1],
          [2, 2]
        ]
      )
      const [first, second, third] = done.map(([, , seen]) => seen)
      assert.isTrue((first ?? 0) < (second ?? 0) && (second ?? 0) < (third ?? 0))
    })
  )
})
