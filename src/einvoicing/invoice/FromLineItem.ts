import { BigDecimal } from "effect"
import type { LineItem } from "../../billing/lines/LineItem.ts"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { percentOf, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import type { EInvoiceLine, LineDiscount, LineTax } from "./EInvoice.ts"
import { amount_decimals_max } from "./Written.ts"

/** Maximum difference that Peppol allows between a stated and a computed amount (R040, R120), in currency units. */
const slack = BigDecimal.make(2n, 2)

export const einvoiceLine = (item: LineItem, currency: CurrencyCode): EInvoiceLine => {
  const takesAway = BigDecimal.isNegative(item.unit_price)
  const line = {
    id: String(item.position),
    ...textOf(item.description),
    quantity: takesAway ? BigDecimal.negate(item.quantity) : item.quantity,
    unit: item.unit,
    price: BigDecimal.abs(item.unit_price),
    net_amount: item.line_total,
    discount: discountOf(item),
    taxes: taxesOf(item)
  }
  return { ...line, rounding: roundingOf(line, currency) }
}

/** Computes the net amount of a line (BT-131) from quantity, price and discount, as Peppol does (R120). */
export const computedNet = ({ discount, price, quantity }: Pick<EInvoiceLine, "discount" | "price" | "quantity">) => {
  const amount = discount?.amount ?? zero
  const product = BigDecimal.multiply(quantity, price)
  return discount?.is_charge === true ? BigDecimal.sum(product, amount) : BigDecimal.subtract(product, amount)
}

const one = BigDecimal.fromBigInt(1n)

/**
 * Returns how much a line gains or loses because its net amount is rounded to a currency without cents. The gain or
 * loss itself may have cents (BR-DEC-24, BR-DEC-27).
 */
const roundingOf = (
  line: Pick<EInvoiceLine, "discount" | "net_amount" | "price" | "quantity">,
  currency: CurrencyCode
): LineDiscount | null => {
  const gain = BigDecimal.subtract(line.net_amount, computedNet(line))
  const size = BigDecimal.abs(gain)
  // Rounding changes a line by at most one currency unit. The check of Peppol's rule R120 reports a greater change.
  if (exponentOf(currency) > 0 || isWithinSlack(gain, zero) || BigDecimal.isGreaterThan(size, one)) return null
  const amount = roundHalfAwayFromZero(size, amount_decimals_max)
  return { is_charge: BigDecimal.isPositive(gain), amount, percentage: null }
}

/** Uses the first line of the description that is not blank as the name. */
const textOf = (description: string): Pick<EInvoiceLine, "name" | "description"> => {
  const name = description.split(/[\r\n]+/).find((line) => /\S/.test(line)) ?? description
  return { name: name.trim(), description: name.trim() === description.trim() ? null : description }
}

const discountOf = (item: LineItem): LineDiscount | null => {
  const { discount, discount_amount, discount_type, line_subtotal } = item
  if (BigDecimal.isZero(discount_amount)) return null
  const amount = BigDecimal.abs(discount_amount)
  if (BigDecimal.isNegative(discount_amount)) return { is_charge: true, amount, percentage: null }
  // In a currency without cents, rounding may make the amount differ from the percentage by more than R040 allows.
  const exact = percentOf(line_subtotal, discount)
  const shown = discount_type === "percent" && isWithinSlack(amount, exact)
  return { is_charge: false, amount, percentage: shown ? { base: line_subtotal, percent: discount } : null }
}

export const isWithinSlack = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(left, right)), slack)

type Taxed = Pick<LineItem, "tax_exempt" | "tax_exemption_reason" | "exemption_code"> & {
  readonly tax_rates: ReadonlyArray<
    Pick<LineItem["tax_rates"][number], "category" | "country" | "rate" | "exemption_code">
  >
}

/** Returns the taxes of a line in the categories of the document's tax breakdown (src/billing/lines/Totals.ts). */
export const taxesOf = (item: Taxed): ReadonlyArray<LineTax> => {
  const { exemption_code = null } = item
  const untaxed = { rate: zero, exemption_code: null, country: null }
  if (item.tax_exempt) return [{ ...untaxed, category: item.tax_exemption_reason ?? "E", exemption_code }]
  if (item.tax_rates.length === 0) return [{ ...untaxed, category: "Z" }]
  return item.tax_rates.map(({ category, country = null, exemption_code = null, rate }) => ({
    category,
    rate,
    exemption_code,
    country
  }))
}
