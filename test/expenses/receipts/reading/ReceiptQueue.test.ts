import { Duration, Effect, Schedule } from "effect"
import { describe, expect, it } from "vitest"
import { ReceiptQueue } from "../../../../src/expenses/receipts/reading/ReceiptQueue.ts"

describe("ReceiptQueue", () => {
  it("tries to read a receipt for a day before it fails", async () => {
    const { attempts_max, back_off } = ReceiptQueue
    const pauses = Effect.gen(function* () {
      const step = yield* Schedule.toStep(back_off)
      const [, ...retries] = Array.from({ length: attempts_max }, (_, attempt) => attempt)
      return yield* Effect.forEach(retries, (attempt) => step(0, attempt))
    })
    const sum = (await Effect.runPromise(pauses)).reduce(
      (total, [, pause]) => Duration.sum(total, pause),
      Duration.zero
    )
    expect(Duration.toHours(sum)).toBeGreaterThan(24)
    expect(Duration.toHours(sum)).toBeLessThan(25)
  })
})
