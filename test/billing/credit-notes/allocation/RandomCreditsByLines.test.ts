import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import type { Allocation } from "../../../../src/billing/credit-notes/Allocation.ts"
import { creditableInvoice } from "../../../../src/billing/credit-notes/CreditableInvoice.ts"
import { remainingOf } from "../../../../src/billing/credit-notes/Remaining.ts"
import type { CreditedItem } from "../../../../src/billing/credit-notes/CreditNoteItem.ts"
import type { TaxGroup } from "../../../../src/billing/lines/Tax.ts"
import { price } from "../../../../src/billing/lines/Totals.ts"
import { exponentOf } from "../../../../src/kernel/Currency.ts"
import { percentOf, roundHalfAwayFromZero, zero } from "../../../../src/kernel/Money.ts"
import { Notes } from "./Notes.ts"
import { decimal, equal, hasNearTaxes, randomInvoices, requireNearTaxes, requireSums, sum } from "./RandomInvoices.ts"
import { runs } from "../../../support/service/Runs.ts"

const invoices_count = runs(2_000)
const lines_max = 8

const adjustments = fc.array(
  fc.record({
    isCharge: fc.boolean(),
    coins: fc.bigInt({ min: 1n, max: 20_000n }),
    /** Index of a line of the invoice that has the same taxes as the adjustment; null if the adjustment is exempt. */
    line: fc.option(fc.nat(lines_max - 1))
  }),
  { maxLength: 3 }
)

/** Invoices with discounts and charges, prepared for the computation of credit notes. */
const adjustedInvoices = fc
  .tuple(randomInvoices(lines_max), adjustments)
  .map(([{ invoice, items }, drawn]) => {
    const priced = drawn.map(({ coins, isCharge, line }) => {
      const tax_rates = items[line ?? lines_max]?.tax_rates ?? []
      const taxes = { tax_exempt: tax_rates.length === 0, tax_exemption_reason: null, exemption_code: null, tax_rates }
      const amount = BigDecimal.make(coins, exponentOf(invoice.currency))
      return { isCharge, adjustment: { description: "Adjustment", amount, percentage: null, ...taxes } }
    })
    const [charges, discounts] = [true, false].map((kind) =>
      priced.flatMap(({ adjustment, isCharge }) => (isCharge === kind ? [adjustment] : []))
    )
    const totals = price(items, invoice.currency, { charges: charges ?? [], discounts: discounts ?? [] })
    return { invoice: creditableInvoice({ ...totals, currency: invoice.currency }) }
  })
  .filter(({ invoice }) => BigDecimal.isPositive(invoice.total))

const fraction = fc.integer({ min: 1, max: 1_000 })
const step = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("amount" as const), fraction }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant("lines" as const),
      lines: fc.uniqueArray(fc.record({ line: fc.nat(lines_max - 1), fraction, isQuantity: fc.boolean() }), {
        minLength: 1,
        maxLength: lines_max,
        selector: ({ line }) => line
      })
    }),
    weight: 4
  },
  { arbitrary: fc.record({ kind: fc.constant("delete" as const), note: fc.nat(20) }), weight: 1 }
)
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never

const partOf = (amount: BigDecimal.BigDecimal, thousandths: number, decimals: number) =>
  BigDecimal.floor(BigDecimal.multiply(amount, BigDecimal.make(BigInt(thousandths), 3)), decimals)

const takeStep = (notes: Notes, taken: Step): Allocation | undefined => {
  const exponent = exponentOf(notes.invoice.currency)
  if (taken.kind === "delete") {
    notes.notes = notes.notes.filter((_, index) => index !== taken.note)
    return
  }
  if (taken.kind === "amount") {
    const amount = partOf(notes.left(), taken.fraction, exponent)
    return BigDecimal.isPositive(amount) ? notes.amount(amount) : undefined
  }
  const items = taken.lines.flatMap(({ fraction, isQuantity, line }): ReadonlyArray<CreditedItem> => {
    const of = notes.invoice.items[line]
    if (of === undefined || of.id < 0) return []
    const amount = partOf(BigDecimal.sum(of.line_total, of.tax_amount), fraction, exponent)
    if (!isQuantity && BigDecimal.isPositive(amount)) return [{ invoice_item_id: of.id, amount }]
    return [{ invoice_item_id: of.id, quantity: partOf(of.quantity, fraction, 6) }]
  })
  const positive = items.filter(({ quantity }) => BigDecimal.isPositive(quantity ?? decimal("1")))
  return Result.getOrUndefined(notes.lines(positive))
}

/** Credits the whole rest of each line. The refusal of a credit that is too large states this rest. */
const takeAllLines = (notes: Notes): Allocation | undefined => {
  const own = notes.invoice.items.filter(({ id }) => id > 0)
  const items = own.map(({ id }) => ({ invoice_item_id: id, quantity: decimal("1000000") }))
  const refusal = Result.getOrThrow(Result.flip(notes.lines(items)))
  const errors: Readonly<Record<string, ReadonlyArray<string>>> = "errors" in refusal ? refusal.errors : {}
  const rest = items.flatMap((asked, index) => {
    const [sentence = ""] = errors[`items.${index}.quantity`] ?? []
    const quantity = decimal(/more than ([\d.]+),/.exec(sentence)?.[1] ?? "0")
    return BigDecimal.isPositive(quantity) ? [{ ...asked, quantity }] : []
  })
  return Result.getOrUndefined(notes.lines(rest))
}

const rowsOf = (notes: ReadonlyArray<Allocation>, group: TaxGroup) =>
  notes.flatMap(({ tax_breakdown }) =>
    tax_breakdown.filter(
      (row) =>
        row.tax_rate_id === group.tax_rate_id &&
        row.category === group.category &&
        row.country === group.country &&
        BigDecimal.equals(row.rate, group.rate)
    )
  )

const isBetween = (amount: BigDecimal.BigDecimal, limit: BigDecimal.BigDecimal) =>
  BigDecimal.between(amount, { minimum: BigDecimal.min(zero, limit), maximum: BigDecimal.max(zero, limit) })

/** Asserts that no part of the invoice is credited beyond its amount or quantity. */
const requireWithin = (notes: Notes) => {
  for (const { amounts, left, lines } of remainingOf(notes.invoice, notes.credited()).parts) {
    for (const [index, amount] of left.entries()) assert.isTrue(isBetween(amount, amounts[index] ?? zero))
    for (const { item, net, quantity } of lines) {
      assert.isTrue(isBetween(net, item.line_total))
      assert.isTrue(isBetween(quantity, item.quantity))
    }
  }
  assert.isFalse(BigDecimal.isNegative(notes.left()))
}

describe(`${invoices_count} random invoices, credited by lines and amounts in random order`, () => {
  it("close every tax and every line exactly, and no note takes more than is left", { timeout: 300_000 }, () => {
    const counts = { lines: 0, amount: 0, delete: 0, byLines: 0, byAmount: 0, near: 0 }
    fc.assert(
      fc.property(
        adjustedInvoices,
        fc.constantFrom("0", "1", "-1"),
        fc.array(step, { maxLength: 8, size: "max" }),
        fc.boolean(),
        ({ invoice }, coins, steps, endsWithLines) => {
          const exponent = exponentOf(invoice.currency)
          const rounding_adjustment = BigDecimal.make(BigInt(coins), exponent)
          const total = BigDecimal.sum(invoice.total, rounding_adjustment)
          if (!BigDecimal.isPositive(total)) return
          const notes = new Notes({ ...invoice, rounding_adjustment, total })
          for (const taken of steps) {
            const note = takeStep(notes, taken)
            if (note !== undefined) requireSums(note, exponent)
            if (note !== undefined) counts[taken.kind] += 1
            requireWithin(notes)
          }
          if (endsWithLines && takeAllLines(notes) !== undefined) counts.byLines += 1
          requireWithin(notes)
          if (BigDecimal.isPositive(notes.left())) {
            counts.byAmount += 1
            notes.amount(notes.left())
          }
          // A deleted note takes its roundings with it, so that those of the others may add up.
          if (hasNearTaxes(invoice) && steps.every(({ kind }) => kind !== "delete")) {
            counts.near += notes.notes.length
            for (const note of notes.notes) requireNearTaxes(note, exponent)
          }
          for (const group of invoice.tax_breakdown) {
            const rows = rowsOf(notes.notes, group)
            equal(sum(rows.map((row) => row.taxable_amount)), group.taxable_amount)
            equal(sum(rows.map((row) => row.tax_amount)), group.tax_amount)
          }
          for (const { lines } of remainingOf(notes.invoice, notes.credited()).parts) {
            for (const { net } of lines) equal(net, zero)
          }
          equal(sum(notes.notes.map((note) => note.rounding_adjustment)), rounding_adjustment)
          equal(notes.left(), zero)
        }
      ),
      { numRuns: invoices_count, seed: 1 }
    )
    const { amount, byAmount, byLines, lines, near } = counts
    for (const count of [lines, byLines, amount, byAmount, near]) assert.isAbove(count, invoices_count / 10)
  })

  it("round the tax of a note within a coin of its net, when notes name quantities only", { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(
        randomInvoices(lines_max),
        fc.array(fc.tuple(fc.nat(lines_max - 1), fraction), { maxLength: 12, size: "max" }),
        ({ invoice }, steps) => {
          const exponent = exponentOf(invoice.currency)
          const notes = new Notes(invoice)
          for (const [line, thousandths] of steps) {
            const asked = { kind: "lines" as const, lines: [{ line, fraction: thousandths, isQuantity: true }] }
            const note = takeStep(notes, asked)
            for (const row of note?.tax_breakdown ?? []) {
              const rounded = roundHalfAwayFromZero(percentOf(row.taxable_amount, row.rate), exponent)
              const off = BigDecimal.abs(BigDecimal.subtract(row.tax_amount, rounded))
              assert.isTrue(BigDecimal.isLessThanOrEqualTo(off, BigDecimal.make(1n, exponent)))
            }
          }
        }
      ),
      { numRuns: 500, seed: 1 }
    )
  })
})
