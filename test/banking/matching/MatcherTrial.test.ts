import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { trialOf } from "../../../scripts/bench/parts/MatchingTrial.ts"
import { decoysOf } from "../../../scripts/bench/parts/Decoys.ts"
import { worldOf } from "../../../scripts/bench/parts/Payments.ts"

const size = { invoices: 400, expenses: 100, payments: 1_200, customers: 120, vendors: 30 }

/** `npm run bench:matching` measures the same with 10,000 movements. */
describe("automatic confirmation of generated movements", () => {
  for (const seed of [11, 12, 13, 14, 15]) {
    it.effect(`is right at least 999 times in 1,000, and confirms 95 % of the decidable lines (seed ${seed})`, () =>
      Effect.gen(function* () {
        const { confirmed, decidable, right_decidable, wrong } = yield* trialOf(worldOf(seed, size))
        assert.isAbove(decidable, 200)
        assert.isAtMost(wrong.length, confirmed / 1_000, JSON.stringify(wrong, null, 1))
        assert.isAtLeast(right_decidable, decidable * 0.95)
      })
    )

    it.effect(`confirms no movement that only looks like a payment (seed ${seed})`, () =>
      Effect.gen(function* () {
        const { wrong } = yield* trialOf(decoysOf(seed, { ...size, payments: 150 }))
        assert.deepStrictEqual(wrong, [])
      })
    )
  }
})
