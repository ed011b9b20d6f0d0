import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { scoreOf as scoreOfAll } from "../../src/banking/matching/Candidate.ts"
import { matcher } from "../../src/banking/matching/Matcher.ts"
import { explain, subjectOf } from "../../src/banking/matching/Score.ts"
import { find, invoice, line, scoreOf, threshold } from "./Candidates.ts"

const turns_max = 1_000

const anyAmount = fc.constantFrom("10", "20", "20.5", "100")
const anyIban = fc.constantFrom("BE71096123456769", "BE68539007547034")
const names = [null, "Beta", "Beta Services BV", "Services Beta Gamma Delta", "Gamma Delta Beta Epsilon Zeta"]
const anyName = fc.constantFrom(...names)

const party = (counterparty_id: number, counterparty_name: string | null, ...ibans: ReadonlyArray<string>) => ({
  counterparty_id,
  counterparty_name,
  ibans
})

const anyParty = fc.constantFrom(
  ...names.map((name, index) => party(index + 1, name)),
  party(11, "Services Beta", "BE71096123456769"),
  party(12, "Eta", "BE71096123456769", "BE68539007547034")
)

const anyCandidate = fc
  .record({
    party: anyParty,
    open: anyAmount,
    total: anyAmount,
    number: fc.constantFrom(null, "INV-2026-0001", "7"),
    reference: fc.constantFrom(null, "RF18539007547034")
  })
  .map(({ party, ...changes }) => ({ ...changes, ...party }))

const anyLine = fc
  .record({
    amount: anyAmount,
    counterparty_name: anyName,
    counterparty_iban: fc.option(anyIban),
    reference: fc.constantFrom(null, "RF18539007547034"),
    remittance_text: fc.constantFrom("", "paid INV 2026/0001")
  })
  .map(({ amount, ...changes }) => line(amount, changes))
const many = (count: number, changes: (id: number) => object) =>
  Array.from({ length: count }, (_, index) =>
    invoice(index + 1, "100", { counterparty_id: index + 1, ibans: [], ...changes(index + 1) })
  )

const namesakes = (count: number) => {
  const others = many(count - 1, () => ({ open: "7", counterparty_name: "Jan Jansen" }))
  const own = { counterparty_id: 9_001, counterparty_name: "Jan Jansen" }
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
      yield* Effect.provideService(matcher(candidates, threshold), Clock.Clock, clock)
      assert.isAtLeast(turns, 10)
    })
  )

  it("finds the same as comparing every document", () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyCandidate, { maxLength: 12 }), anyLine, async (drawn, subject) => {
        const candidates = drawn.map((changes, index) => invoice(index + 1, changes.open, changes))
        const scores = candidates.map((candidate) => scoreOfAll(explain(subjectOf(subject), candidate, false)))
        const best = Math.max(0, ...scores)
        const found = await Effect.runPromise(find(candidates, subject))
        const score = found._tag === "Suggested" || found._tag === "Ambiguous" ? found.best.score : 0
        assert.strictEqual(score, best >= 40 ? best : 0)
      })
    ))

  it.effect("combines documents by a name that 20 parties share, but with 21 only by IBAN", () =>
    Effect.gen(function* () {
      const named = line("130", { counterparty_name: "Jansen, Jan" })
      assert.strictEqual((yield* find(namesakes(20), named))._tag, "Combined")
      assert.strictEqual((yield* find(namesakes(21), named))._tag, "None")
      const known = { ...named, counterparty_iban: "BE71096123456769" }
      assert.strictEqual((yield* find(namesakes(2_000), known))._tag, "Combined")
    })
  )

  it.effect("distinguishes equal amounts by the payer, unless more than 500 documents have one name", () =>
    Effect.gen(function* () {
      const subscriptions = many(600, (id) => ({ counterparty_name: `Customer ${id}`, number: null }))
      const ofOne = line("100", { counterparty_name: "Customer 42" })
      assert.deepStrictEqual(yield* scoreOf(subscriptions, ofOne), [42, 42, false])
      const same = (count: number) => many(count, () => ({ counterparty_name: "Jan Jansen", number: null }))
      const named = line("100", { counterparty_name: "Jan Jansen" })
      assert.strictEqual(yield* scoreOf(same(500), named), "Ambiguous")
      assert.strictEqual(yield* scoreOf(same(501), named), "None")
      const referring = { ...named, reference: "RF18539007547034" }
      const one = invoice(900, "100", { counterparty_name: "Jan Jansen", reference: "RF18539007547034" })
      assert.deepStrictEqual(yield* scoreOf([...same(501), one], referring), [900, 102, true])
    })
  )
})
