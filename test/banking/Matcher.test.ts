import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import * as fc from "fast-check"
import { combination } from "../../src/banking/matching/Combination.ts"
import { nameTokens, similarity } from "../../src/banking/matching/Words.ts"
import { lineKeys } from "../../src/banking/statements/LineKey.ts"
import { referencesIn } from "../../src/banking/statements/References.ts"
import { currency, find, invoice, line, scoreOf } from "./Candidates.ts"

const decimal = BigDecimal.fromStringUnsafe

const differenceOf = Effect.fnUntraced(function* (amount: string) {
  const found = yield* find([invoice(1, "100")], line(amount, { remittance_text: "INV-2026-0001" }))
  return found._tag === "Suggested" && found.best.difference !== null && BigDecimal.format(found.best.difference)
})

describe("matcher", () => {
  it.effect("adds the points of each signal and lists the signals", () =>
    Effect.gen(function* () {
      const one = invoice(1, "100", { reference: "+++020/2600/04222+++" })
      const found = yield* find([one], line("100", { reference: "020260004222", counterparty_name: "BETA SERVICES" }))
      assert.deepStrictEqual(found._tag === "Suggested" && found.best.signals, [
        { signal: "reference", points: 60 },
        { signal: "amount", points: 25 },
        { signal: "name", points: 12 },
        { signal: "date", points: 5 }
      ])
    })
  )

  it.effect("finds a number as a whole token, whatever its punctuation", () =>
    Effect.gen(function* () {
      const candidates = [invoice(1, "100"), invoice(2, "100")]
      for (const text of ["INV-2026-0001", "Betreft inv 2026/0001, dank", "INV20260001"]) {
        assert.deepStrictEqual(yield* scoreOf(candidates, line("100", { remittance_text: text })), [1, 80, true])
      }
      assert.strictEqual(yield* scoreOf(candidates, line("7", { remittance_text: "INV-2026-00015" })), "None")
    })
  )

  it.effect("confirms automatically only an exact amount with a clear lead or a unique reference", () =>
    Effect.gen(function* () {
      const one = invoice(1, "100", { reference: "RF18539007547034" })
      assert.deepStrictEqual(yield* scoreOf([one], line("100", { remittance_text: "rf18 5390 0754 7034" })), [
        1,
        90,
        true
      ])
      assert.deepStrictEqual(yield* scoreOf([one], line("99.9", { remittance_text: "RF18539007547034" })), [
        1,
        65,
        false
      ])
      assert.deepStrictEqual(yield* scoreOf([one], line("100", { counterparty_iban: "BE71096123456769" })), [
        1,
        50,
        false
      ])
    })
  )

  it.effect("reports equal scores as ambiguous, and suggests nothing below 40, declined or in another currency", () =>
    Effect.gen(function* () {
      const twins = [invoice(1, "100"), invoice(2, "100")]
      assert.strictEqual(yield* scoreOf(twins, line("100", { counterparty_iban: "BE71096123456769" })), "Ambiguous")
      assert.strictEqual(yield* scoreOf([invoice(1, "100")], line("100")), "None")
      const declined = yield* find([invoice(1, "100")], line("100", { remittance_text: "INV-2026-0001" }), () => true)
      assert.strictEqual(declined._tag, "None")
      const dollars = line("100", { remittance_text: "INV-2026-0001", currency: currency("USD") })
      assert.strictEqual(yield* scoreOf([invoice(1, "100")], dollars), "None")
      assert.strictEqual(
        yield* scoreOf([invoice(1, "100")], line("-100", { remittance_text: "INV-2026-0001" })),
        "None"
      )
    })
  )

  it.effect("reports small differences only", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* differenceOf("99.5"), "-0.5")
      assert.isFalse(yield* differenceOf("99.4"))
      assert.isFalse(yield* differenceOf("100"))
    })
  )

  it.effect("combines invoices of one customer only if exactly one combination fits", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), invoice(2, "50"), invoice(3, "30")]
      const found = yield* find(open, line("130", { counterparty_name: "Beta Services" }))
      assert.deepStrictEqual(found._tag === "Combined" && found.parts.map(({ number }) => number), [
        "INV-2026-0001",
        "INV-2026-0003"
      ])
      const twice = [...open, invoice(4, "30")]
      assert.strictEqual(yield* scoreOf(twice, line("130", { counterparty_name: "Beta Services" })), "None")
      assert.strictEqual(yield* scoreOf(open, line("130", { counterparty_name: "Gamma" })), "None")
    })
  )
})

describe("combination", () => {
  it("adds up to the amount whenever it gives a result", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 15 }),
        fc.integer({ min: 1, max: 1_500 }),
        (cents, sum) => {
          const amount = BigDecimal.make(BigInt(sum), 2)
          const found = combination(
            amount,
            cents.map((open) => ({ open: BigDecimal.make(BigInt(open), 2) }))
          )
          if (found === undefined) return
          assert.isTrue(BigDecimal.equals(BigDecimal.sumAll(found.map(({ open }) => open)), amount))
          assert.isTrue(found.length > 1 && found.length <= 6)
        }
      )
    )
  })
})

describe("the search for combinations", () => {
  /** No six of these add up to an odd number, which is certain only after trying all of them. */
  const even = Array.from({ length: 40 }, (_, index) => ({ open: decimal(String(1_000 + 2 * index)) }))

  it("stops at its limits, for one search and for all searches together", () => {
    const effort = { steps: 0 }
    for (let search = 0; search < 1_000; search++) combination(decimal("6101"), even, effort)
    assert.isTrue(effort.steps > 1_000_000 && effort.steps < 2_100_000)
    const pair = [{ open: decimal("1") }, { open: decimal("2") }]
    assert.lengthOf(combination(decimal("3"), pair) ?? [], 2)
    assert.isUndefined(combination(decimal("3"), pair, effort))
  })
})

describe("names and references", () => {
  it("compares names without legal forms, word order and accents", () => {
    assert.strictEqual(similarity(nameTokens("Müller & Söhne GmbH"), nameTokens("SOHNE MULLER")), 1)
    assert.strictEqual(similarity(nameTokens("Beta B.V."), nameTokens("beta bv")), 1)
    assert.strictEqual(similarity(nameTokens("SA"), nameTokens("NV")), 0)
  })

  it("finds only references with correct check digits", () => {
    assert.deepStrictEqual(referencesIn("paid +++020/2600/04222+++ and RF18 5390 0754 7034 thanks"), [
      "020260004222",
      "RF18539007547034"
    ])
    assert.deepStrictEqual(referencesIn("+++020/2600/04223+++ RF19539007547034"), [])
  })
})

describe("lineKeys", () => {
  it("numbers equal lines, and distinguishes lines by day, amount and text", () => {
    const coffee = line("-3", { remittance_text: "Coffee" })
    const lines = [coffee, coffee, line("-3", { remittance_text: "COFFEE " }), line("-4"), line("-3", { bank_id: "1" })]
    const keyed = lines.map(lineKeys())
    const keys = keyed.map(({ identity, occurrence }) => `${identity}#${occurrence}`)
    assert.strictEqual(new Set(keys).size, lines.length)
    assert.deepStrictEqual(
      keyed.map(({ occurrence }) => occurrence),
      [0, 1, 2, 0, 0]
    )
  })
})
