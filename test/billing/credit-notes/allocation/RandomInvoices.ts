import { assert } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import type { Allocation } from "../../../../src/billing/credit-notes/Allocation.ts"
import type { CreditedInvoice } from "../../../../src/billing/credit-notes/Remaining.ts"
import { TaxRate } from "../../../../src/billing/lines/Tax.ts"
import { price, type ResolvedItem } from "../../../../src/billing/lines/Totals.ts"
import { vatGroups } from "../../../../src/billing/lines/VatGroups.ts"
import { CurrencyCode, exponentOf } from "../../../../src/kernel/Currency.ts"
import { fitsExponent, percentOf, roundHalfAwayFromZero, zero } from "../../../../src/kernel/Money.ts"

export const decimal = BigDecimal.fromStringUnsafe
export const sum = BigDecimal.sumAll
const euro = CurrencyCode.make("EUR")

/** Parses a tax rate: `21` is 21 %, `21'` is another rate of 21 %, and `21DE` is a rate of 21 % in Germany. */
const rate = (text: string): TaxRate => {
  const [, percent = "", twin = "", country = ""] = /^([\d.]+)('?)(.*)$/.exec(text) ?? []
  const id = 1 + Number(percent.replace(".", "")) + (twin === "" ? 0 : 1000) + (country === "" ? 0 : 2000)
  const facts = { id, name: text, rate: percent, category: "S" as const }
  return Schema.decodeSync(TaxRate)(country === "" ? facts : { ...facts, country })
}

export const item = (quantity: string, unit_price: string, rates: ReadonlyArray<string>): ResolvedItem => ({
  description: "Work",
  quantity: decimal(quantity),
  unit: "C62",
  unit_price: decimal(unit_price),
  discount: zero,
  discount_type: "percent",
  tax_exempt: rates.length === 0,
  tax_exemption_reason: null,
  tax_rates: rates.map(rate)
})

export const invoiceOf = (items: ReadonlyArray<ResolvedItem>, currency = euro): CreditedInvoice => ({
  ...price(items, currency),
  currency,
  rounding_adjustment: zero
})

const percents = ["0", "2.1", "5.5", "6", "7.7", "8.1", "10", "12", "19.6", "20", "21", "25", "21'", "6'", "21DE"]

const units = (min: bigint, max: bigint, scale: number) =>
  fc.bigInt({ min, max }).map((value) => BigDecimal.make(value, scale))

/** An invoice with lines of up to 6 rates (exempt if there are none) and a positive total. */
export const randomInvoices = (lines_max: number) =>
  fc
    .tuple(
      fc.subarray(percents, { maxLength: 6 }),
      fc.array(
        fc.tuple(
          units(1n, 50_000n, 2),
          fc.oneof({ arbitrary: units(-20_000n, 1_000_000n, 3), weight: 3 }, units(-20n, 1_000n, 3)),
          units(0n, 10_000n, 2),
          fc.nat({ max: 1_000 }),
          fc.nat({ max: 9 })
        ),
        { minLength: 1, maxLength: lines_max, size: "max" }
      ),
      fc.constantFrom("JPY", "EUR", "KWD").map((code) => CurrencyCode.make(code))
    )
    .map(([rates, lines, currency]) => {
      const items = lines.map(([quantity, unit_price, discount, dice, twice]): ResolvedItem => {
        const first = rates[dice % Math.max(1, rates.length)]
        const second = twice === 0 ? rates[(dice + 1) % rates.length] : undefined
        const borne = [...new Set([first, second])].flatMap((percent) => percent ?? [])
        return { ...item("1", "1", borne), quantity, unit_price, discount }
      })
      return { invoice: invoiceOf(items, currency), items }
    })
    .filter(({ invoice }) => BigDecimal.isPositive(invoice.total))

export const equal = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) => {
  if (!BigDecimal.equals(left, right)) assert.fail(`${BigDecimal.format(left)} is not ${BigDecimal.format(right)}`)
}

/**
 * Asserts that the tax of each percentage of a note is its exact tax, rounded, or one coin beside it, as the Italian
 * control 00421 requires. The invoice may not have a line with two taxes, nor be in a currency without decimals.
 */
export const requireNearTaxes = ({ tax_breakdown }: Pick<Allocation, "tax_breakdown">, exponent: number) => {
  for (const [row, ...others] of vatGroups(tax_breakdown)) {
    const rows = [row, ...others]
    const net = sum(rows.map(({ taxable_amount }) => taxable_amount))
    const off = BigDecimal.subtract(
      sum(rows.map(({ tax_amount }) => tax_amount)),
      roundHalfAwayFromZero(percentOf(net, row.rate), exponent)
    )
    assert.isTrue(BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(off), BigDecimal.make(1n, exponent)))
  }
}

/** True for an invoice to which the Italian control 00421 applies: it has cents, and one tax on each line. */
export const hasNearTaxes = ({ currency, items }: CreditedInvoice): boolean =>
  exponentOf(currency) > 0 && items.every(({ tax_rates }) => tax_rates.length < 2)

type Priced = Omit<Allocation, "shares">

/** Checks the sums without tolerance (BR-CO-10 to BR-CO-16 of EN 16931; BR-CO-11 and BR-CO-12 do not occur). */
export const requireSums = (document: Priced, exponent: number) => {
  const { items, rounding_adjustment, subtotal, tax_breakdown, tax_total, total } = document
  equal(sum(items.map((line) => line.line_total)), subtotal)
  for (const line of items) equal(BigDecimal.subtract(line.line_subtotal, line.discount_amount), line.line_total)
  equal(sum(tax_breakdown.map((group) => group.tax_amount)), tax_total)
  equal(sum(items.map((line) => line.tax_amount)), tax_total)
  equal(sum([subtotal, tax_total, rounding_adjustment]), total)
  for (const amount of [subtotal, tax_total, ...items.flatMap((line) => [line.line_total, line.tax_amount])]) {
    assert.isTrue(fitsExponent(amount, exponent))
  }
}
