import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Candidate } from "../../src/banking/matching/Candidate.ts"
import { explain, subjectOf } from "../../src/banking/matching/Score.ts"
import type { StatementLine } from "../../src/banking/statements/Statement.ts"
import { Day } from "../../src/kernel/Calendar.ts"
import { Amount } from "../../src/kernel/Money.ts"
import { line as paid } from "./Candidates.ts"

const amount = Schema.decodeSync(Amount)
const day = Schema.decodeSync(Day)

const line = (changes: Partial<StatementLine> = {}): StatementLine =>
  paid("7", { booking_date: day("2027-01-01"), ...changes })

/** Issued on 1 March, due on 31 March. */
const invoice = (changes: object = {}): Candidate =>
  Schema.decodeSync(Candidate)({
    type: "invoice",
    id: 1,
    open: "60",
    total: "100",
    currency: "EUR",
    date: "2026-03-01",
    due_date: "2026-03-31",
    counterparty_id: 9,
    counterparty_name: "Beta Services BV",
    ibans: ["BE71096123456769"],
    number: "INV-2026-0001",
    reference: null,
    ...changes
  })

const scored = (candidate: Candidate, changes: Partial<StatementLine>, isDeclined = false) =>
  explain(subjectOf(line(changes)), candidate, isDeclined).map(({ points, signal }) => `${signal} ${points}`)

describe("the score of a bank line and a document", () => {
  it("is 0 without any signal, and -100 after a decline", () => {
    assert.deepStrictEqual(scored(invoice(), {}), [])
    assert.deepStrictEqual(scored(invoice(), {}, true), ["declined -100"])
  })

  it("gives 25 points for the open amount, and 10 for the total of a partially paid document", () => {
    assert.deepStrictEqual(scored(invoice(), { amount: amount("60") }), ["amount 25"])
    assert.deepStrictEqual(scored(invoice(), { amount: amount("100") }), ["total 10"])
    assert.deepStrictEqual(scored(invoice({ open: "100" }), { amount: amount("100") }), ["amount 25"])
    assert.deepStrictEqual(scored(invoice(), { amount: amount("60.01") }), [])
  })

  it("gives 20 points for an IBAN of the counterparty, and none for another IBAN", () => {
    assert.deepStrictEqual(scored(invoice(), { counterparty_iban: "BE71096123456769" }), ["iban 20"])
    assert.deepStrictEqual(scored(invoice(), { counterparty_iban: "BE68539007547034" }), [])
  })

  it("gives 50 points for a number of at least four characters", () => {
    assert.deepStrictEqual(scored(invoice({ number: "2026" }), { remittance_text: "paid 2026" }), ["number 50"])
    assert.deepStrictEqual(scored(invoice({ number: "202" }), { remittance_text: "paid 202" }), [])
  })

  it("gives 5 points from the day before issue until a week after the due date, then 2 until 60 days after it", () => {
    const points = [
      ["2026-02-27", []],
      ["2026-02-28", ["date 5"]],
      ["2026-04-07", ["date 5"]],
      ["2026-04-08", ["date 2"]],
      ["2026-05-30", ["date 2"]],
      ["2026-05-31", []]
    ] as const
    for (const [booked, expected] of points) {
      assert.deepStrictEqual(scored(invoice(), { booking_date: day(booked) }), [...expected], booked)
    }
  })
})
