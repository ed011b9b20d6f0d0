import { BigDecimal } from "effect"
import type { LineItem } from "../../billing/lines/LineItem.ts"
import { percentOf, zero } from "../../kernel/Money.ts"
import type { EInvoiceLine, LineDiscount, LineTax } from "./EInvoice.ts"

/** Maximum difference that Peppol allows between a stated and a computed amount (R040, R120), in currency units. */
const slack = BigDecimal.make(2n, 2)

export const einvoiceLine = (item: LineItem): EInvoiceLine => {
  const takesAway = BigDecimal.isNegative(item.unit_price)
  return {
    id: String(item.position),
    ...textOf(item.description),
    quantity: takesAway ? BigDecimal.negate(item.quantity) : item.quantity,
    unit: item.unit,
    price: BigDecimal.abs(item.unit_price),
    net_amount: item.line_total,
    discount: discountOf(item),
    taxes: taxesOf(item)
  }
}

/** Takes the first line of the description that is not blank as the name. */
const textOf = (description: string): Pick<EInvoiceLine, "name" | "description"> => {
  const name = description.split(/[\r\n]+/).find((line) => /\S/.test(line)) ?? description
  return { name: name.trim(), description: name.trim() === description.trim() ? null : description }
}

const discountOf = (item: LineItem): LineDiscount | null => {
  const { discount, discount_amount, discount_type, line_subtotal } = item
  if (BigDecimal.isZero(discount_amount)) return null
  const amount = BigDecimal.abs(discount_amount)
  if (BigDecimal.isNegative(discount_amount)) return { is_charge: true, amount, percentage: null }
  // The percentage is left out when the rounded amount differs too much, as in a currency without cents.
  const exact = percentOf(line_subtotal, discount)
  const shown = discount_type === "percent" && isWithinSlack(amount, exact)
  return { is_charge: false, amount, percentage: shown ? { base: line_subtotal, percent: discount } : null }
}

export const isWithinSlack = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(left, right)), slack)

type Taxed = Pick<LineItem, "tax_exempt" | "tax_exemption_reason" | "exemption_code"> & {
  readonly tax_rates: ReadonlyArray<Pick<LineItem["tax_rates"][number], "category" | "rate" | "exemption_code">>
}

/** Returns the same categories as the tax breakdown of the document; see `price` in Totals. */
export const taxesOf = (item: Taxed): ReadonlyArray<LineTax> => {
  const { exemption_code = null } = item
  if (item.tax_exempt) return [{ category: item.tax_exemption_reason ?? "E", rate: zero, exemption_code }]
  if (item.tax_rates.length === 0) return [{ category: "Z", rate: zero, exemption_code: null }]
  return item.tax_rates.map(({ category, exemption_code = null, rate }) => ({ category, rate, exemption_code }))
}
