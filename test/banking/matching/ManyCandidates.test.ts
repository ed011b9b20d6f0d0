import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { matcher } from "../../../src/banking/matching/Matcher.ts"
import { iban, invoice, line, optionsOf, outcomeOf } from "./Candidates.ts"

const turns_max = 1_000

const many = (count: number, changes: (id: number) => object) =>
  Array.from({ length: count }, (_, index) =>
    invoice(index + 1, "100", { counterparty_id: index + 100, ...changes(index + 1) })
  )

const namesakes = (count: number) => {
  const others = many(count - 1, () => ({ open: "7", counterparty_name: "Jan Jansen" }))
  const own = { counterparty_id: 9, counterparty_name: "Jan Jansen" }
  return [...others, invoice(9_001, "100", own), invoice(9_002, "30", own)]
}

describe("a matcher of many documents", () => {
  it.live("yields to other work while it is prepared", () =>
    Effect.gen(function* () {
      let now_ms = 0
      const clock = Object.assign(Object.create(Clock.Clock.defaultValue()), {
        currentTimeMillis: Effect.sync(() => now_ms++)
      })
      let turns = 0
      setImmediate(function turn() {
        if (++turns < turns_max) setImmediate(turn)
      })
      const candidates = many(200, (id) => ({ counterparty_name: `Customer ${id}` }))
      yield* Effect.provideService(matcher(candidates, optionsOf()), Clock.Clock, clock)
      assert.isAtLeast(turns, 10)
    })
  )

  it.effect("combines documents by a name that 20 parties share, but with 21 only by IBAN", () =>
    Effect.gen(function* () {
      const named = line("130", { counterparty_name: "Jansen, Jan" })
      assert.deepStrictEqual(yield* outcomeOf(namesakes(20), named), [9_001, 9_002, 45, false])
      assert.strictEqual(yield* outcomeOf(namesakes(21), named), "None")
      const known = { ...named, counterparty_iban: iban }
      assert.deepStrictEqual(yield* outcomeOf(namesakes(2_000), known), [9_001, 9_002, 85, true])
    })
  )

  it.effect("distinguishes equal amounts by the payer, unless more than 500 documents have one name", () =>
    Effect.gen(function* () {
      const subscriptions = many(600, (id) => ({ counterparty_name: `Customer ${id}`, number: null }))
      const ofOne = line("100", { counterparty_name: "Customer 42" })
      assert.deepStrictEqual(yield* outcomeOf(subscriptions, ofOne), [42, 40, false])
      const same = (count: number) => many(count, () => ({ counterparty_name: "Jan Jansen", number: null }))
      const named = line("100", { counterparty_name: "Jan Jansen" })
      assert.strictEqual(yield* outcomeOf(same(20), named), "Ambiguous")
      assert.strictEqual(yield* outcomeOf(same(501), named), "None")
      const referring = { ...named, reference: "RF18539007547034" }
      const one = invoice(900, "100", { counterparty_name: "Jan Jansen", reference: "RF18539007547034" })
      assert.deepStrictEqual(yield* outcomeOf([...same(501), one], referring), [900, 100, true])
    })
  )
})
