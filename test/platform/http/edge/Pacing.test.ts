import { expect, it } from "vitest"
import { waitTimes } from "../../../../src/platform/http/edge/Pacing.ts"

/** Returns the waiting times of this many simultaneous requests. */
const asked = (waitOf: ReturnType<typeof waitTimes>, requests: number, moment_ms: number, address = "192.0.2.1") =>
  Array.from({ length: requests }, () => waitOf(address, moment_ms))

it("admits a few requests of each address at once, and the others evenly after them", () => {
  const waitOf = waitTimes()
  expect(asked(waitOf, 24, 5_000)).toEqual([...Array<number>(21).fill(0), 20, 40, 60])
  expect(asked(waitOf, 1, 5_000, "192.0.2.2")).toEqual([0])
  expect(asked(waitOf, 1, 5_070)).toEqual([10])
  expect(asked(waitOf, 22, 6_000)).toEqual([...Array<number>(21).fill(0), 20])
})

it("lets no request wait longer than a second, and remembers the addresses that waited", () => {
  const waitOf = waitTimes()
  expect(Math.max(...asked(waitOf, 500, 1_999))).toBe(1_000)
  expect(asked(waitOf, 1, 2_001)).toEqual([1_000])
  expect(asked(waitOf, 1, 9_000)).toEqual([0])
})

it("starts afresh when the clock is set back", () => {
  const waitOf = waitTimes()
  asked(waitOf, 500, 9_000)
  expect(asked(waitOf, 1, 5_000)).toEqual([0])
})
