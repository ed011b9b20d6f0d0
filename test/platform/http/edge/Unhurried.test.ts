import { expect, it } from "vitest"
import { firstOfSecond } from "../../../../src/platform/http/edge/Unhurried.ts"

it("lets the first ones of each address through, anew each second, and whenever the clock is set back", () => {
  const isFirst = firstOfSecond(2)
  const ask = (moment_ms: number, address = "192.0.2.1") => isFirst(address, moment_ms)
  expect([ask(5_000), ask(5_001), ask(5_999)]).toEqual([true, true, false])
  expect(ask(5_999, "192.0.2.2")).toBe(true)
  expect([ask(6_000), ask(6_500), ask(6_999)]).toEqual([true, true, false])
  expect([ask(5_000), ask(5_000), ask(5_000)]).toEqual([true, true, false])
})
