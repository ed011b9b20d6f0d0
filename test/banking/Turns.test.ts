import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { inTurns } from "../../src/banking/Turns.ts"

const item_ms = 15

const busy = () => {
  const end = performance.now() + item_ms
  while (performance.now() < end);
}

/** Uses the processor for this long, however many other processes share it. */
const compute = (duration_ms: number) => {
  const before = process.threadCpuUsage()
  for (let cpu_ms = 0; cpu_ms < duration_ms;) {
    const { system, user } = process.threadCpuUsage(before)
    cpu_ms = (system + user) / 1_000
  }
}

/** Stops this thread without using the processor, as the machine does while it runs other processes. */
const wait = (duration_ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration_ms)

const stretches = 10
const computation = inTurns(Array.from({ length: stretches }), () => Effect.sync(() => compute(4)))

/** Returns the number of pauses that a long computation makes while others run in between. */
const pausesBeside = Effect.fnUntraced(function* (others: () => void) {
  let is_over = false
  setImmediate(function turn() {
    others()
    if (!is_over) setImmediate(turn)
  })
  // The first computation ends the measurements from before the others ran.
  yield* computation
  const timers = vi.spyOn(globalThis, "setTimeout")
  yield* computation
  is_over = true
  const pauses = timers.mock.calls.length
  timers.mockRestore()
  return pauses
})

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

  it.live("pauses while others use the processor, but not while the machine runs other processes", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* pausesBeside(() => compute(30)), stretches / 2)
      // The garbage collector may cause a pause.
      assert.isBelow(yield* pausesBeside(() => wait(30)), stretches / 2)
    })
  )
})
