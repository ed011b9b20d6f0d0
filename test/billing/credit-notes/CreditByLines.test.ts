import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Result } from "effect"
import * as fc from "fast-check"
import type { Allocation } from "../../../src/billing/credit-notes/allocation/Allocation.ts"
import { creditByAmount } from "../../../src/billing/credit-notes/allocation/CreditByAmount.ts"
import { creditByLines } from "../../../src/billing/credit-notes/allocation/CreditByLines.ts"
import { type CreditedInvoice, remainingOf } from "../../../src/billing/credit-notes/allocation/Remaining.ts"
import { creditableInvoice } from "../../../src/billing/credit-notes/allocation/CreditableInvoice.ts"
import type { CreditedItem } from "../../../src/billing/credit-notes/CreditNoteItem.ts"
import type { LineItem } from "../../../src/billing/lines/LineItem.ts"
import type { TaxGroup } from "../../../src/billing/lines/Tax.ts"
import { price } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode, exponentOf } from "../../../src/kernel/Currency.ts"
import { formatAmount, percentOf, roundHalfAwayFromZero, zero } from "../../../src/kernel/Money.ts"
import { decimal, equal, invoiceOf, item, randomInvoices, requireSums, sum } from "./RandomInvoices.ts"

/** The notes of an invoice, some of which are deleted again. */
class Notes {
  readonly invoice: CreditedInvoice
  notes: ReadonlyArray<Allocation> = []
  constructor(invoice: CreditedInvoice) {
    this.invoice = invoice
  }

  credited = () => {
    const [first, ...others] = this.notes.map(({ shares }) => shares)
    return others.reduce(
      (sums, shares) => sums.map((share, index) => BigDecimal.sum(share, shares[index] ?? zero)),
      first ?? []
    )
  }
  left = () => BigDecimal.subtract(this.invoice.total, sum(this.notes.map(({ total }) => total)))
  amount = (amount: BigDecimal.BigDecimal) => {
    const note = creditByAmount(this.invoice, this.credited(), amount, "Returned")
    this.notes = [...this.notes, note]
    return note
  }
  lines = (items: ReadonlyArray<CreditedItem>) => {
    const result = Effect.runSync(Effect.result(creditByLines(this.invoice, this.credited(), items)))
    if (Result.isSuccess(result)) this.notes = [...this.notes, result.success]
    return result
  }
  made = (items: ReadonlyArray<CreditedItem>) => Result.getOrThrow(this.lines(items))
  refused = (items: ReadonlyArray<CreditedItem>) => {
    const refusal = Result.getOrThrow(Result.flip(this.lines(items)))
    return "errors" in refusal ? refusal.errors : BigDecimal.format(refusal.details.remaining)
  }
  quantity = (line: number, quantity: string): CreditedItem => ({
    invoice_item_id: this.idOf(line),
    quantity: decimal(quantity)
  })
  gross = (line: number, amount: string): CreditedItem => ({
    invoice_item_id: this.idOf(line),
    amount: decimal(amount)
  })
  private idOf = (line: number) => {
    const id = this.invoice.items[line]?.id
    if (id === undefined) throw new Error(`The invoice has no line ${line}.`)
    return id
  }
}

const groupsOf = (note: Pick<Allocation, "tax_breakdown">, exponent = 2) =>
  note.tax_breakdown.map(
    ({ name, tax_amount, taxable_amount }) =>
      `${name}: ${formatAmount(taxable_amount, exponent)} + ${formatAmount(tax_amount, exponent)}`
  )

const sumsOf = ({ discount_amount, line_subtotal, line_total, position, quantity, tax_amount, unit_price }: LineItem) =>
  [
    position,
    ...[quantity, unit_price, line_subtotal, discount_amount, line_total, tax_amount].map(BigDecimal.format)
  ].join(" ")

/** The contract's invoice of 271.36. */
const contract = () =>
  new Notes(
    invoiceOf([
      { ...item("3", "19.99", ["21"]), discount: decimal("10") },
      item("2.5", "40", ["6"]),
      item("1", "0.05", ["21"]),
      item("1", "100", [])
    ])
  )

describe("creditByLines", () => {
  it("credits a quantity with its part of the discount, and an amount that includes taxes", () => {
    const notes = contract()
    const note = notes.made([notes.quantity(0, "1"), notes.gross(1, "53.00")])
    assert.deepStrictEqual(groupsOf(note), ["21: 17.99 + 3.78", "6: 50.00 + 3.00"])
    assert.deepStrictEqual(note.items.map(sumsOf), ["1 1 19.99 19.99 2 17.99 3.78", "2 1 50 50 0 50 3"])
  })

  it("is the invoice when it takes all quantities at once, and gives the rounding of the total back", () => {
    const { invoice } = contract()
    const rounded = { ...invoice, rounding_adjustment: decimal("0.04"), total: decimal("271.40") }
    const notes = new Notes(rounded)
    const note = notes.made(["3", "2.5", "1", "1"].map((quantity, line) => notes.quantity(line, quantity)))
    assert.deepStrictEqual(groupsOf(note), groupsOf(rounded))
    assert.deepStrictEqual(note.items.map(sumsOf), rounded.items.map(sumsOf))
    equal(note.total, rounded.total)
  })

  it("counts what an amount took of a line against its quantity", () => {
    const notes = new Notes(invoiceOf([item("4", "25", ["21"]), item("1", "100", ["21"])]))
    notes.amount(decimal("121"))
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "3")]), {
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "2")])), ["21: 50.00 + 10.50"])
    assert.deepStrictEqual(notes.refused([notes.gross(1, "60.51")]), {
      "items.0.amount": [
        "The items.0.amount field may not be more than 60.50, which is left of the line with its taxes."
      ]
    })
    equal(notes.made([notes.gross(1, "60.50")]).total, decimal("60.50"))
  })

  it("counts what notes took before lines were counted in proportion to the lines", () => {
    const notes = new Notes(invoiceOf([item("4", "25", ["21"]), item("1", "300", ["21"])]))
    const old = notes.amount(decimal("242"))
    notes.notes = [{ ...old, shares: old.shares.slice(0, 3) }]
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "2.1")]), {
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    notes.made([notes.quantity(0, "2"), notes.quantity(1, "0.5")])
    equal(notes.left(), zero)
  })

  it("closes a line whose thirds are no whole cents, in whatever order notes were deleted", () => {
    const notes = new Notes(invoiceOf([item("3", "3.333333", ["21"])]))
    const nets = ["1", "1", "1"].map((quantity) => formatAmount(notes.made([notes.quantity(0, quantity)]).subtotal, 2))
    assert.deepStrictEqual(nets, ["3.33", "3.34", "3.33"])
    notes.notes = notes.notes.slice(1)
    assert.strictEqual(formatAmount(notes.made([notes.quantity(0, "1")]).subtotal, 2), "3.33")
  })

  it("rounds the tax of many small lines once", () => {
    const notes = new Notes(
      invoiceOf(
        Array.from({ length: 4 }, () => item("1", "15", ["10"])),
        CurrencyCode.make("JPY")
      )
    )
    const first = notes.made([notes.quantity(0, "1"), notes.quantity(1, "1")])
    assert.deepStrictEqual(groupsOf(first, 0), ["10: 30 + 3"])
  })

  it("takes all of a line for an amount that differs from its price by a rounding", () => {
    const notes = new Notes(invoiceOf([item("1", "10.09", ["21"]), item("1", "5", ["21"])]))
    assert.deepStrictEqual(groupsOf(notes.made([notes.gross(0, "12.20")])), ["21: 10.09 + 2.11"])
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(1, "1")])), ["21: 5.00 + 1.06"])
    equal(notes.left(), zero)
  })

  it("refuses what is no line of the invoice, a line twice, fractions of a coin and amounts of rebates", () => {
    const notes = new Notes(invoiceOf([item("1", "100", ["21"]), item("1", "-20", ["21"]), item("1", "50", ["6"])]))
    const foreign = { ...notes.quantity(0, "1"), invoice_item_id: notes.quantity(0, "1").invoice_item_id }
    const unknown = { ...foreign, invoice_item_id: contract().invoice.items[3]?.id ?? foreign.invoice_item_id }
    assert.deepStrictEqual(
      notes.refused([
        notes.quantity(2, "1"),
        unknown,
        notes.quantity(2, "1"),
        notes.gross(0, "1.001"),
        notes.gross(1, "1")
      ]),
      {
        "items.1.invoice_item_id": ["The items.1.invoice_item_id field must name a line of the invoice."],
        "items.2.invoice_item_id": ["The items.2.invoice_item_id field may not name a line twice."],
        "items.3.amount": ["The items.3.amount field may not have more than 2 decimal places in EUR."],
        "items.4.amount": [
          "The items.4.amount field may not be given for a line that takes money off: give its quantity."
        ]
      }
    )
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "1")]), {
      items: [
        "The items field credits more of a tax than is left of it: name the lines that take money off, too, or credit less."
      ]
    })
    assert.deepStrictEqual(groupsOf(notes.made([notes.quantity(0, "1"), notes.quantity(1, "1")])), [
      "21: 80.00 + 16.80"
    ])
  })

  it("leaves no taxes open that cancel each other out", () => {
    const notes = new Notes(invoiceOf([item("1", "100", []), item("1", "-21", ["0"]), item("1", "50", ["0"])]))
    assert.deepStrictEqual(notes.refused([notes.quantity(0, "1"), notes.quantity(1, "1")]), {
      items: [
        "The items field credits more of a tax than is left of it: name the lines that take money off, too, or credit less."
      ]
    })
    const rebate = new Notes(invoiceOf([item("10", "10", []), item("1", "-20", ["0"])]))
    assert.deepStrictEqual(rebate.refused([rebate.quantity(0, "9")]), "80")
    assert.deepStrictEqual(rebate.refused([rebate.quantity(0, "8")]), {
      items: [
        "The items field leaves taxes that add up to nothing, so that no later note could credit them: name more lines."
      ]
    })
    equal(rebate.made([rebate.quantity(0, "8"), rebate.quantity(1, "0.5")]).total, decimal("70"))
    equal(rebate.amount(decimal("10")).total, decimal("10"))
  })
})

const invoices_count = 2_000
const lines_max = 8

const adjustments = fc.array(
  fc.record({
    isCharge: fc.boolean(),
    coins: fc.bigInt({ min: 1n, max: 20_000n }),
    /** The line that is taxed alike; none: exempt. */
    line: fc.option(fc.nat(lines_max - 1))
  }),
  { maxLength: 3 }
)

/** Invoices with discounts and charges, as their credit notes see them. */
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

/** Asks for far too much of every line, and then for what the refusal says is left. */
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

/** Nothing of the invoice is credited beyond what it has. */
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
    const counts = { lines: 0, amount: 0, delete: 0, byLines: 0, byAmount: 0 }
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
    for (const count of [counts.lines, counts.byLines, counts.amount, counts.byAmount]) assert.isAbove(count, 200)
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
