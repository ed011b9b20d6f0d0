import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import * as fc from "fast-check"
import { combination } from "../../../src/banking/matching/Combination.ts"
import { habitsOf } from "../../../src/banking/matching/candidates/Habits.ts"
import { matcher } from "../../../src/banking/matching/Matcher.ts"
import { nameOf, similarity } from "../../../src/banking/texts/Words.ts"
import { lineKeys } from "../../../src/banking/statements/LineKey.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { currency, find, iban, invoice, line, optionsOf, outcomeOf, signalsOf } from "./Candidates.ts"

const decimal = BigDecimal.fromStringUnsafe
const day = Schema.decodeSync(Day)

const quoting = (amount: string, remittance_text: string, changes: object = {}) =>
  line(amount, { remittance_text, ...changes })

describe("matcher", () => {
  it.effect("adds the points of each signal, and gives the reasons in words", () =>
    Effect.gen(function* () {
      const one = invoice(1, "100", { reference: "+++020/2600/04222+++" })
      const paid = line("100", {
        reference: "020260004222",
        counterparty_name: "BETA SERVICES",
        counterparty_iban: iban
      })
      const found = yield* find([one], paid)
      assert.deepStrictEqual(found._tag === "Suggested" && found.best.signals, [
        { signal: "reference", points: 12, reason: "The line quotes the reference +++020/2600/04222+++." },
        { signal: "amount", points: 5, reason: "The amount is exactly what is left to pay." },
        { signal: "only_amount", points: 2, reason: "No other open document has this amount." },
        { signal: "iban", points: 5, reason: "The account belongs to Beta Services BV." },
        { signal: "name", points: 4, reason: "The name is that of Beta Services BV." }
      ])
      assert.deepStrictEqual(yield* outcomeOf([one], paid), [1, 100, true])
    })
  )

  it.effect("finds a document by what payers write of its number", () =>
    Effect.gen(function* () {
      const spellings: ReadonlyArray<readonly [string, number | undefined]> = [
        ["INV-2026-0001", 9],
        ["Betreft inv 2026/0001, dank", 9],
        ["INV20260001", 9],
        ["INV-2026-00 01", 9],
        ["IN V-20 26-0001", 9],
        ["paid 2026-0001", 9],
        ["factuur 20260001", 7],
        ["Rechnungsnummer 0001", 7],
        ["INV 0001", 7],
        ["paid 20260001", 5],
        ["paid 0001", 2],
        ["PO-2026-0001", undefined],
        ["order 2026-0001", undefined],
        ["klantnummer 0001", undefined],
        ["2025 0001", undefined],
        ["2025-0001", undefined],
        ["BE48 0001 0000 0027", undefined],
        ["INV-2026-00015", undefined],
        ["INV-2026-0001-7", undefined],
        ["12.0001.77", undefined]
      ]
      for (const [text, points] of spellings) {
        const [first] = yield* signalsOf(
          [invoice(1, "100"), invoice(2, "100")],
          quoting("100", text, { counterparty_iban: iban })
        )
        assert.strictEqual(first, points === undefined ? "amount 5" : `number ${points}`, text)
      }
    })
  )

  it.effect("finds structured references, however they are separated, but only with right check digits", () =>
    Effect.gen(function* () {
      const candidates = [
        invoice(1, "100", { reference: "+++020/2600/04222+++" }),
        invoice(2, "100", { reference: "RF18 5390 0754 7034" }),
        invoice(3, "100", { reference: "210000000003139471430009017" })
      ]
      for (const [text, id] of [
        ["+++020/2600/04222+++", 1],
        ["***020/2600/ 04222***", 1],
        ["020 2600 04222", 1],
        ["paid 12 020260004222", 1],
        ["rf18 5390 0754 7034 thanks", 2],
        ["RF185390 07547034", 2],
        ["21 00000 00003 13947 14300 09017", 3]
      ] as const) {
        assert.deepStrictEqual(yield* outcomeOf(candidates, quoting("100", text)), [id, 85, true], text)
      }
      for (const text of ["+++020/2600/04223+++", "RF19539007547034", "1020260004222"]) {
        assert.strictEqual(yield* outcomeOf(candidates, quoting("100", text)), "None", text)
      }
    })
  )

  it.effect("confirms a known account or a unique name with the exact amount", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), invoice(2, "50", { counterparty_id: 8, counterparty_name: "Gamma Works" })]
      assert.deepStrictEqual(yield* outcomeOf(open, line("100", { counterparty_iban: iban })), [1, 60, true])
      assert.deepStrictEqual(yield* outcomeOf(open, line("50", { counterparty_name: "GAMMA WORKS NV" })), [2, 55, true])
      const namesake = invoice(3, "7", { counterparty_id: 7, counterparty_name: "Gamma Works" })
      const twice = line("50", { counterparty_name: "Gamma Works" })
      assert.deepStrictEqual(yield* outcomeOf([...open, namesake], twice), [2, 45, false])
      const beta = invoice(4, "30", { counterparty_name: "Beta" })
      assert.deepStrictEqual(yield* outcomeOf([beta], line("30", { counterparty_name: "Beta" })), [4, 45, false])
    })
  )

  it.effect("accepts late payments, bank charges and parts of a quoted document, but no overpayment", () =>
    Effect.gen(function* () {
      const one = invoice(1, "1000")
      const paid = (amount: string, changes: object = {}) =>
        outcomeOf([one], quoting(amount, "INV-2026-0001", { counterparty_iban: iban, ...changes }))
      assert.deepStrictEqual(yield* paid("1000", { booking_date: day("2026-08-30") }), [1, 100, true])
      assert.deepStrictEqual(yield* paid("1000", { booking_date: day("2027-02-01") }), [1, 95, true])
      assert.deepStrictEqual(yield* paid("985"), [1, 75, true])
      assert.deepStrictEqual(yield* paid("400"), [1, 65, true])
      assert.deepStrictEqual(yield* paid("1000.01"), [1, 50, false])
      const difference = Effect.map(
        find([one], quoting("985", "INV-2026-0001")),
        (found) =>
          found._tag === "Suggested" && found.best.difference !== null && BigDecimal.format(found.best.difference)
      )
      assert.strictEqual(yield* difference, "-15")
    })
  )

  it.effect("does not confirm what was paid before the document existed, unless the line quotes the document", () =>
    Effect.gen(function* () {
      const early = { booking_date: day("2026-02-01"), counterparty_iban: iban, counterparty_name: "Beta Services" }
      assert.deepStrictEqual(yield* outcomeOf([invoice(1, "100")], line("100", early)), [1, 45, false])
      assert.deepStrictEqual(yield* outcomeOf([invoice(1, "100")], quoting("100", "INV-2026-0001", early)), [
        1,
        100,
        true
      ])
    })
  )

  it.effect("does not take another document than the quoted one, whether that is open or settled", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), invoice(2, "70", { counterparty_id: 8, counterparty_name: "Gamma" })]
      const paid = quoting("100", "INV-2026-0002", { counterparty_iban: iban })
      assert.strictEqual(yield* outcomeOf(open, paid), "None")
      const settled = { mentionedElsewhere: (text: string) => (text.includes("0099") ? "INV-2026-0099" : undefined) }
      const old = quoting("100", "INV-2026-0099", { counterparty_iban: iban, counterparty_name: "Beta Services" })
      assert.deepStrictEqual(yield* outcomeOf(open, old, settled), [1, 40, false])
    })
  )

  it.effect("leaves the choice between equally good documents to a person", () =>
    Effect.gen(function* () {
      const twins = [invoice(1, "100"), invoice(2, "100")]
      assert.strictEqual(yield* outcomeOf(twins, line("100", { counterparty_iban: iban })), "Ambiguous")
      assert.deepStrictEqual(yield* outcomeOf(twins, quoting("100", "INV-2026-0002")), [2, 70, true])
      // The line quotes the first invoice, but its amount is exactly that of the customer's second invoice.
      const parts = [invoice(1, "300"), invoice(2, "100")]
      const paid = quoting("100", "INV-2026-0001", { counterparty_iban: iban })
      assert.strictEqual(yield* outcomeOf(parts, paid), "Ambiguous")
    })
  )

  it.effect("suggests nothing that is settled, in another currency or of the other direction", () =>
    Effect.gen(function* () {
      const paid = quoting("100", "INV-2026-0001")
      assert.strictEqual(yield* outcomeOf([invoice(1, "100")], paid, {}, () => true), "None")
      assert.strictEqual(yield* outcomeOf([invoice(1, "100")], { ...paid, currency: currency("USD") }), "None")
      assert.strictEqual(yield* outcomeOf([invoice(1, "100")], quoting("-100", "INV-2026-0001")), "None")
    })
  )

  it.effect("combines quoted documents, all open ones of the payer, or the only choice that fits", () =>
    Effect.gen(function* () {
      const open = [invoice(1, "100"), invoice(2, "50"), invoice(3, "30")]
      assert.deepStrictEqual(yield* outcomeOf(open, quoting("130", "INV-2026-0001 + 0003")), [1, 3, 85, true])
      const named = { counterparty_name: "Beta Services" }
      assert.deepStrictEqual(yield* outcomeOf(open, line("180", named)), [1, 2, 3, 60, true])
      assert.deepStrictEqual(yield* outcomeOf(open, line("130", named)), [1, 3, 45, false])
      assert.strictEqual(yield* outcomeOf([...open, invoice(4, "30")], line("130", named)), "None")
      assert.strictEqual(yield* outcomeOf(open, line("130", { counterparty_name: "Gamma" })), "None")
      const quoted = quoting("130", "INV-2026-0009", named)
      assert.strictEqual(yield* outcomeOf(open, quoted, { mentionedElsewhere: () => "INV-2026-0009" }), "None")
    })
  )

  it.effect("learns names and codes from confirmed lines, until they stand for several parties", () =>
    Effect.gen(function* () {
      const party = "customer 9"
      const paid = line("100", { counterparty_name: "J. Peeters", remittance_text: "KD88123" })
      assert.strictEqual(yield* outcomeOf([invoice(1, "100")], paid), "None")
      const learned = (...confirmed: ReadonlyArray<readonly [string, string, string]>) =>
        outcomeOf([invoice(1, "100")], paid, {
          habits: habitsOf(confirmed.map(([party, name, text]) => ({ party, name, text })))
        })
      assert.deepStrictEqual(yield* learned([party, "J. PEETERS", "x"]), [1, 55, true])
      assert.deepStrictEqual(yield* learned([party, "A", "KD88123"], [party, "B", "kd88123"]), [1, 55, true])
      assert.strictEqual(yield* learned([party, "J. Peeters", "x"], ["customer 8", "J. Peeters", "x"]), "None")
      assert.strictEqual(yield* learned([party, "A", "KD88123"]), "None")
    })
  )

  it.effect("finds expenses by the vendor's number and account", () =>
    Effect.gen(function* () {
      const expense = {
        type: "expense",
        direction: "debit",
        number: null,
        reference: "RE-44812",
        due_date: "2026-03-01"
      }
      const open = [invoice(1, "100", expense)]
      assert.deepStrictEqual(yield* outcomeOf(open, quoting("-100", "Rechnung RE 44812")), [1, 80, true])
      assert.deepStrictEqual(yield* outcomeOf(open, line("-100", { counterparty_iban: iban })), [1, 60, true])
    })
  )

  it.effect("forgets what lines have paid", () =>
    Effect.gen(function* () {
      const one = invoice(1, "100")
      const found = yield* matcher([one], optionsOf())
      found.take(one, decimal("40"))
      const paid = quoting("60", "INV-2026-0001")
      const again = found.find(paid)
      assert.strictEqual(again._tag === "Suggested" && again.best.score, 80)
      found.take(one, decimal("60"))
      assert.strictEqual(found.find(paid)._tag, "None")
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
          const found = combination(
            BigInt(sum),
            cents.map((open) => ({ open: BigInt(open) }))
          )
          if (found === undefined) return
          assert.strictEqual(
            found.reduce((total, { open }) => total + open, 0n),
            BigInt(sum)
          )
          assert.isTrue(found.length > 1 && found.length <= 6)
        }
      )
    )
  })
})

describe("the search for combinations", () => {
  /** All amounts are even, so no six of them have an odd sum. The search finds this out only by trying all of them. */
  const even = Array.from({ length: 40 }, (_, index) => ({ open: BigInt(1_000 + 2 * index) }))

  it("stops at its limits, for one search and for all searches together", () => {
    const effort = { steps: 0 }
    for (let search = 0; search < 1_000; search++) combination(6_101n, even, effort)
    assert.isTrue(effort.steps > 1_000_000 && effort.steps < 2_100_000)
    const pair = [{ open: 1n }, { open: 2n }]
    assert.lengthOf(combination(3n, pair) ?? [], 2)
    assert.isUndefined(combination(3n, pair, effort))
  })
})

const alike = (left: string, right: string) => similarity(nameOf(left), nameOf(right))

describe("the similarity of names", () => {
  it("ignores legal forms, word order, accents and cut ends", () => {
    assert.strictEqual(alike("Müller & Söhne GmbH", "SOHNE MULLER"), 1)
    assert.strictEqual(alike("Beta B.V.", "beta bv"), 1)
    assert.isAbove(alike("Verrerie de Biot", "VERRERIE DE BI"), 0.85)
    assert.strictEqual(alike("SA", "NV"), 0)
  })

  it("distinguishes names that differ in a digit or a letter", () => {
    assert.isAtMost(alike("Customer 12", "Customer 13"), 0.5)
    assert.isBelow(alike("Jansen Bouw", "Janssen Bouw"), 0.9)
    assert.isBelow(alike("Belpelgar Belgar", "Belpelgar Quinteld"), 0.6)
  })
})

describe("lineKeys", () => {
  it("numbers equal lines, and distinguishes lines by day, amount and text", () => {
    const coffee = line("-3", { remittance_text: "Coffee" })
    const lines = [coffee, coffee, line("-3", { remittance_text: "COFFEE " }), line("-4"), line("-3", { bank_id: "1" })]
    const keysOf = lineKeys()
    const keys = lines.map((line) => keysOf(line).keys[0])
    assert.strictEqual(new Set(keys).size, lines.length)
    assert.deepStrictEqual(
      keys.map((key) => key.split("#")[1]),
      ["0", "1", "2", "0", "0"]
    )
  })
})
