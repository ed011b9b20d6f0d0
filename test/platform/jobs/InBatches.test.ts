import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { inBatches } from "../../../src/platform/jobs/InBatches.ts"

/** A step that processes the due items, `size` at a time, and counts its calls. */
const taking = (due: number, size: number) => {
  const state = { due, steps: 0 }
  const step = Effect.sync(() => {
    const taken = Math.min(state.due, size)
    state.due -= taken
    state.steps++
    return taken
  })
  return { state, step }
}

describe("inBatches", () => {
  it("repeats until a batch is not full, and returns the total", () => {
    const { state, step } = taking(25, 10)
    expect(Effect.runSync(inBatches(10, step))).toBe(25)
    expect(state).toEqual({ due: 0, steps: 3 })
  })

  it("runs once more after a full batch, because it cannot know that it was the last", () => {
    const { state, step } = taking(20, 10)
    expect(Effect.runSync(inBatches(10, step))).toBe(20)
    expect(state).toEqual({ due: 0, steps: 3 })
  })

  it("leaves what exceeds one run for the next run", () => {
    const { state, step } = taking(100, 10)
    expect(Effect.runSync(inBatches(10, step, 4))).toBe(40)
    expect(state).toEqual({ due: 60, steps: 4 })
  })
})
