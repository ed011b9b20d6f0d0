import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import { TaxRate } from "../../../src/billing/lines/Tax.ts"
import { creditableInvoice } from "../../../src/billing/credit-notes/CreditableInvoice.ts"
import { price, type ResolvedAdjustment, type ResolvedItem } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode, exponentOf } from "../../../src/kernel/Currency.ts"
import { zero } from "../../../src/kernel/Money.ts"
import { Notes } from "../credit-notes/allocation/Notes.ts"

/** Rates in percent; the first and the last have the same percentage but different ids. */
const percentages = [21, 6, 5, 0, 21]
const rates = percentages.map((rate, index) =>
  Schema.decodeSync(TaxRate)({ id: index + 1, name: `${rate}%`, rate, category: rate === 0 ? "Z" : "S" })
)

const AnyTax = fc.integer({ min: 0, max: percentages.length - 1 })
/** The price is in hundredths of the currency's smallest unit. */
const AnyLine = fc.record({ tax: AnyTax, price: fc.integer({ min: 1, max: 999_999_99 }) })
const AnyAdjustment = fc.record({
  tax: AnyTax,
  of: fc.oneof(
    fc.record({ coins: fc.integer({ min: 1, max: 99_999 }) }),
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) })
  )
})
type AnyAdjustment = typeof AnyAdjustment extends fc.Arbitrary<infer Of> ? Of : never

const AnyDocument = fc.record({
  currency: fc.constantFrom("EUR", "JPY", "KWD").map((code) => CurrencyCode.make(code)),
  lines: fc.array(AnyLine, { minLength: 1, maxLength: 8 }),
  discounts: fc.array(AnyAdjustment, { maxLength: 3 }),
  charges: fc.array(AnyAdjustment, { maxLength: 3 })
})
type AnyDocument = typeof AnyDocument extends fc.Arbitrary<infer Of> ? Of : never

/** Divides, and rounds halves away from zero. */
const rounded = (numerator: bigint, denominator: bigint): bigint => {
  const half = numerator < 0n ? -denominator : denominator
  return (2n * numerator + half) / (2n * denominator)
}
const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((left, right) => left + right, 0n)

const percentOf = (tax: number) => BigInt(percentages[tax] ?? 0)

/** Computes the amounts of a document with integers, in the currency's smallest units. */
const byIntegers = ({ charges, discounts, lines }: AnyDocument) => {
  const nets = lines.map(({ price, tax }) => ({ percent: percentOf(tax), net: rounded(BigInt(price), 100n) }))
  const netOf = ({ of, tax }: AnyAdjustment) => {
    if ("coins" in of) return BigInt(of.coins)
    const base = sum(nets.filter(({ percent }) => percent === percentOf(tax)).map(({ net }) => net))
    return rounded(base * BigInt(of.percent), 100n)
  }
  const less = discounts.map((one) => ({ percent: percentOf(one.tax), net: -netOf(one) }))
  const more = charges.map((one) => ({ percent: percentOf(one.tax), net: netOf(one) }))
  const all = [...nets, ...less, ...more]
  const taxes = [...new Set(all.map(({ percent }) => percent))].map((percent) => {
    const taxable = sum(all.filter((one) => one.percent === percent).map(({ net }) => net))
    return { percent, taxable, tax: rounded(taxable * percent, 100n) }
  })
  const tax_total = sum(taxes.map(({ tax }) => tax))
  const subtotal = sum(all.map(({ net }) => net))
  return { less, more, taxes, subtotal, tax_total, total: subtotal + tax_total }
}

const priceOf = ({ charges, currency, discounts, lines }: AnyDocument) => {
  const exponent = exponentOf(currency)
  const item = (line: (typeof lines)[number]): ResolvedItem => ({
    description: "Work",
    quantity: BigDecimal.fromBigInt(1n),
    unit: "C62",
    unit_price: BigDecimal.make(BigInt(line.price), exponent + 2),
    discount: BigDecimal.fromBigInt(0n),
    discount_type: "percent",
    tax_exempt: false,
    tax_exemption_reason: null,
    tax_rates: rates.slice(line.tax, line.tax + 1)
  })
  const adjustment = ({ of, tax }: AnyAdjustment): ResolvedAdjustment => ({
    description: "Adjustment",
    amount: "coins" in of ? BigDecimal.make(BigInt(of.coins), exponent) : null,
    percentage: "percent" in of ? BigDecimal.fromBigInt(BigInt(of.percent)) : null,
    tax_exempt: false,
    tax_exemption_reason: null,
    tax_rates: rates.slice(tax, tax + 1)
  })
  const adjustments = { discounts: discounts.map(adjustment), charges: charges.map(adjustment) }
  return price(lines.map(item), currency, adjustments)
}

const check = (property: (document: AnyDocument) => void) =>
  fc.assert(fc.property(AnyDocument, property), { numRuns: 500 })

const coinsOf = (document: AnyDocument) => {
  const scale = exponentOf(document.currency)
  return (amount: BigDecimal.BigDecimal) => {
    const scaled = BigDecimal.scale(BigDecimal.normalize(amount), scale)
    assert.isTrue(BigDecimal.equals(scaled, amount))
    return scaled.value
  }
}

describe("price of a document with discounts and charges", () => {
  it("equals a computation with integers of the smallest unit, in euros, yen and dinars", () => {
    check((document) => {
      const coins = coinsOf(document)
      const priced = priceOf(document)
      const expected = byIntegers(document)
      const { charge_total, charges, discount_total, discounts, subtotal, tax_total, total } = priced
      assert.deepStrictEqual([subtotal, tax_total, total].map(coins), [
        expected.subtotal,
        expected.tax_total,
        expected.total
      ])
      assert.deepStrictEqual(
        discounts.map(({ net_amount }) => -coins(net_amount)),
        expected.less.map(({ net }) => net)
      )
      assert.strictEqual(coins(charge_total), sum(expected.more.map(({ net }) => net)))
      assert.strictEqual(coins(discount_total), -sum(expected.less.map(({ net }) => net)))
      for (const { percent, tax, taxable } of expected.taxes) {
        const rows = priced.tax_breakdown.filter(
          ({ rate }) => coins(rate) === percent * 10n ** BigInt(rateScale(document))
        )
        assert.strictEqual(sum(rows.map((row) => coins(row.taxable_amount))), taxable)
        assert.strictEqual(sum(rows.map((row) => coins(row.tax_amount))), tax)
      }
      const taxes = (parts: ReadonlyArray<{ readonly tax_amount: BigDecimal.BigDecimal }>) =>
        sum(parts.map(({ tax_amount }) => coins(tax_amount)))
      assert.strictEqual(taxes(priced.items) - taxes(discounts) + taxes(charges), expected.tax_total)
    })
  })

  it("is the same again when it is priced from what was stored", () => {
    check((document) => {
      const once = priceOf(document)
      assert.deepStrictEqual(price(once.items, document.currency, once), once)
    })
  })

  it("is credited as lines that come to it exactly, rate by rate", () => {
    check((document) => {
      const priced = priceOf(document)
      const { items } = creditableInvoice({ ...priced, currency: document.currency })
      const coins = coinsOf(document)
      assert.strictEqual(sum(items.map((line) => coins(line.line_total))), coins(priced.subtotal))
      assert.strictEqual(sum(items.map((line) => coins(line.tax_amount))), coins(priced.tax_total))
      for (const row of priced.tax_breakdown) {
        const taxes = items.flatMap(({ tax_rates }) => tax_rates.filter(({ id }) => id === row.tax_rate_id))
        assert.strictEqual(sum(taxes.map((tax) => coins(tax.taxable_amount))), coins(row.taxable_amount))
        assert.strictEqual(sum(taxes.map((tax) => coins(tax.tax_amount))), coins(row.tax_amount))
      }
      for (const line of items) {
        assert.strictEqual(coins(line.line_subtotal) - coins(line.discount_amount), coins(line.line_total))
      }
    })
  })

  it("is credited line by line, whatever the ids of the rates, and the notes come to its total exactly", () => {
    let credited = 0
    check((document) => {
      const { currency } = document
      const invoice = creditableInvoice({ ...priceOf(document), currency })
      const own = invoice.items.filter(({ id }) => id > 0)
      // A discount that exceeds its lines, or has none, could be credited only together with other lines.
      if (invoice.items.some(({ line_total }) => !BigDecimal.isPositive(line_total))) return
      const notes = new Notes(invoice)
      for (const [index] of own.entries()) notes.made([notes.quantity(index, "1")])
      assert.isTrue(BigDecimal.equals(notes.left(), zero))
      credited += 1
    })
    assert.isAbove(credited, 100)
  })

  it("is credited under the rates of its discount if an older version booked the discount there", () => {
    const document = {
      currency: CurrencyCode.make("EUR"),
      lines: [
        { tax: 0, price: 10_000_00 },
        { tax: 4, price: 90_000_00 }
      ],
      discounts: [{ tax: 0, of: { coins: 10_000 } }],
      charges: []
    }
    const priced = priceOf(document)
    type Amounts = ReadonlyArray<ReadonlyArray<bigint>>
    const creditedBy = (rows: Amounts): Amounts => {
      const tax_breakdown = priced.tax_breakdown.map((row, index) => {
        const [net = 0n, tax = 0n] = rows[index] ?? []
        return { ...row, taxable_amount: BigDecimal.make(net, 2), tax_amount: BigDecimal.make(tax, 2) }
      })
      const { items } = creditableInvoice({ ...priced, tax_breakdown, currency: document.currency })
      return items.map(({ line_total, tax_amount }) => [line_total, tax_amount].map(coinsOf(document)))
    }
    const divided: Amounts = [
      [9_000n, 1_890n],
      [81_000n, 17_010n]
    ]
    const underFirst: Amounts = [
      [0n, 0n],
      [90_000n, 18_900n]
    ]
    assert.deepStrictEqual(creditedBy(divided), divided)
    assert.deepStrictEqual(creditedBy(underFirst), underFirst)
  })
})

const rateScale = ({ currency }: AnyDocument) => exponentOf(currency)
