import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import * as fc from "fast-check"
import { Candidate } from "../../../src/banking/matching/candidates/Candidate.ts"
import { netCombinations } from "../../../src/banking/matching/Combination.ts"
import type { Finding } from "../../../src/banking/matching/Matcher.ts"
import { find, iban, invoice, line } from "./Candidates.ts"

const decode = Schema.decodeSync(Candidate)
const common = { currency: "EUR", date: "2026-03-01", due_date: "2026-03-01" } as const

/** Our credit note to the customer of {@link invoice}; `open` is the amount that is still to be refunded. */
const note = (id: number, open: string, changes: object = {}) =>
  decode({
    type: "credit_note",
    direction: "debit",
    id,
    open,
    ...common,
    counterparty_id: 9,
    counterparty_name: "Beta Services BV",
    number: `CN-2026-000${id}`,
    reference: null,
    ...changes
  })

const bought = (id: number, open: string, changes: object = {}) =>
  decode({
    type: "expense",
    direction: "debit",
    id,
    open,
    ...common,
    counterparty_id: 8,
    counterparty_name: "Delta Supplies",
    number: null,
    reference: `D-77${id}`,
    ...changes
  })

const partsOf = (finding: Finding) =>
  finding._tag === "None"
    ? [finding._tag]
    : [
        finding._tag === "Suggested" && finding.confirmable ? "certain" : finding._tag,
        ...finding.best.documents.map(
          ({ candidate, open }) => `${candidate.type} ${candidate.id} ${BigDecimal.format(open)}`
        )
      ]

const paid = (amount: string, remittance_text = "") => line(amount, { counterparty_iban: iban, remittance_text })

describe("net suggestions of the matcher", () => {
  it.effect("names a customer's invoice and the credit note that is deducted, if the line quotes both", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), invoice(2, "55"), note(3, "30"), note(4, "12")]
      const quoting = line("70", { remittance_text: "INV-2026-0001 less CN-2026-0003" })
      const found = yield* find(open, quoting)
      assert.deepStrictEqual(partsOf(found), ["certain", "invoice 1 100", "credit_note 3 -30"])
      assert.isTrue(found._tag !== "None" && found.best.difference === null && found.best.score >= 50)
      assert.deepStrictEqual(
        found._tag === "None" ? [] : found.best.signals.map(({ points, signal }) => [signal, points]),
        [
          ["number", 9],
          ["sum", 8]
        ]
      )
    })
  )

  it.effect("names all open documents of the payer, and only suggests the one choice among more", () =>
    Effect.gen(function* () {
      const both = [invoice(1, "100"), note(3, "30"), invoice(7, "70.01", { counterparty_id: 5 })]
      assert.deepStrictEqual(partsOf(yield* find(both, paid("70"))), ["certain", "invoice 1 100", "credit_note 3 -30"])
      const more = [...both, invoice(2, "55.5")]
      assert.deepStrictEqual(partsOf(yield* find(more, paid("70"))), [
        "Suggested",
        "invoice 1 100",
        "credit_note 3 -30"
      ])
      const twice = [...more, invoice(4, "110"), note(5, "40")]
      assert.deepStrictEqual(partsOf(yield* find(twice, paid("70"))), ["None"])
    })
  )

  it.effect("prefers the net sum to a part payment of the quoted invoice", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), note(3, "30")]
      const wanted = ["Suggested", "invoice 1 100", "credit_note 3 -30"]
      for (const more of [open, [...open, invoice(2, "55.5")]]) {
        assert.deepStrictEqual(partsOf(yield* find(more, paid("70", "INV-2026-0001"))), wanted)
      }
      const several = [...open, invoice(2, "110"), note(5, "40")]
      const [tag] = partsOf(yield* find(several, paid("70", "INV-2026-0001")))
      assert.strictEqual(tag, "Ambiguous")
    })
  )

  it.effect("deducts a supplier's credit note, and nothing from a document that fits by itself", () =>
    Effect.gen(function* () {
      const credit = bought(2, "20", { direction: "credit" })
      const open = [bought(1, "70"), credit]
      const text = line("-50", { remittance_text: "D-771 D-772" })
      assert.deepStrictEqual(partsOf(yield* find(open, text)), ["certain", "expense 1 70", "expense 2 -20"])
      const whole = yield* find([...open, bought(3, "50")], line("-50", { remittance_text: "D-773" }))
      assert.deepStrictEqual(partsOf(whole), ["certain", "expense 3 50"])
    })
  )

  it.effect("deducts the fee of a payout, if the line quotes its number next to the invoices", () =>
    Effect.gen(function* () {
      const fee = bought(1, "3.5", { reference: "FEE-2026-88412" })
      const open = [invoice(1, "100"), invoice(2, "50", { counterparty_id: 5, counterparty_name: "Gamma" }), fee]
      const text = line("146.5", {
        counterparty_name: "Payments Ltd",
        remittance_text: "INV-2026-0001 INV-2026-0002 FEE-2026-88412"
      })
      assert.deepStrictEqual(partsOf(yield* find(open, text)), [
        "certain",
        "invoice 1 100",
        "invoice 2 50",
        "expense 1 -3.5"
      ])
      const unquoted = line("146.5", { remittance_text: "INV-2026-0001 INV-2026-0002" })
      assert.notInclude(partsOf(yield* find(open, unquoted)).join(), "-3.5")
    })
  )

  it.effect("suggests a refund to the customer, but no settled documents", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(partsOf(yield* find([note(3, "30")], paid("-30", "CN-2026-0003"))), [
        "certain",
        "credit_note 3 30"
      ])
      const open = [invoice(1, "100"), note(3, "30")]
      assert.deepStrictEqual(partsOf(yield* find(open, paid("70"), {}, () => true)), ["None"])
    })
  )
})

const amounts = (maximum: number) => fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: maximum })
const opened = (open: ReadonlyArray<number>) => open.map((each, id) => ({ id, open: BigInt(each) }))

describe("netCombinations", () => {
  it("have the amount as their net sum", () => {
    fc.assert(
      fc.property(amounts(6), amounts(4), fc.integer({ min: 1, max: 60 }), (plus, minus, target) => {
        const [added, deducted] = [opened(plus), opened(minus)]
        for (const chosen of netCombinations(BigInt(target), added, deducted) ?? []) {
          const sum = chosen.reduce((total, each) => total + (deducted.includes(each) ? -each.open : each.open), 0n)
          assert.strictEqual(sum, BigInt(target))
        }
      })
    )
  })

  it("are not searched among more documents than the limit", () => {
    assert.lengthOf(netCombinations(70n, opened([100, 110]), opened([30, 40])) ?? [], 2)
    const many = Array.from({ length: 13 }, (_, index) => 1_000 * 3 ** index)
    assert.isUndefined(netCombinations(999n, opened(many), opened([1])))
    assert.lengthOf(netCombinations(999n, opened(many.slice(0, 12)), opened([1])) ?? [], 1)
  })
})
