import { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { allocate } from "../../kernel/Money.ts"
import type { Adjustment } from "../lines/Adjustment.ts"
import { type LineItem, LineItemId, lumpSum } from "../lines/LineItem.ts"
import type { TaxLine } from "../lines/Tax.ts"
import { type Adjustments, isSameRate } from "../lines/Totals.ts"

interface Discounted extends Adjustments<Adjustment> {
  readonly currency: CurrencyCode
  readonly items: ReadonlyArray<LineItem>
}

/**
 * Merges the discounts and charges of the invoice into its lines. A discount lowers the price of the lines with the
 * same taxes, so that a returned line is credited at the price that was paid. A charge, or a discount whose taxes no
 * line has, becomes a line of its own.
 */
export const creditableInvoice = <Invoice extends Discounted>(invoice: Invoice): Invoice => {
  const exponent = exponentOf(invoice.currency)
  const reduced = invoice.discounts.reduce((items, discount) => {
    const alike = items.filter((item) => areTaxedTheSame(item, discount))
    return alike.length === 0
      ? [...items, lineOf(discount, -1n, items.length)]
      : spread(items, alike, discount, exponent)
  }, invoice.items)
  const items = invoice.charges.reduce((lines, charge) => [...lines, lineOf(charge, 1n, lines.length)], reduced)
  return { ...invoice, items }
}

type Taxed = Pick<LineItem, "tax_exempt" | "tax_exemption_reason" | "exemption_code" | "tax_rates">

/** True when two lines, discounts or charges belong to the same rows of the tax breakdown. */
const areTaxedTheSame = (left: Taxed, right: Taxed): boolean =>
  left.tax_exempt === right.tax_exempt &&
  left.tax_exemption_reason === right.tax_exemption_reason &&
  left.exemption_code === right.exemption_code &&
  left.tax_rates.length === right.tax_rates.length &&
  left.tax_rates.every((tax) => sameTax(right.tax_rates, tax) !== undefined)

const sameTax = (taxes: ReadonlyArray<TaxLine>, tax: TaxLine) =>
  taxes.find((other) => other.id === tax.id && isSameRate(other, tax))

const spread = (
  items: ReadonlyArray<LineItem>,
  alike: ReadonlyArray<LineItem>,
  { net_amount, tax_rates }: Adjustment,
  exponent: number
): ReadonlyArray<LineItem> => {
  const weights = alike.map(({ line_total }) => line_total)
  const shareOf = (amount: BigDecimal.BigDecimal) => {
    const shares = allocate(amount, weights, exponent)
    return new Map(alike.map((item, index) => [item, shares[index] ?? amount]))
  }
  const nets = shareOf(net_amount)
  const taxes = tax_rates.map((tax) => ({ tax, shares: shareOf(tax.tax_amount) }))
  return items.map((item) => {
    const net = nets.get(item)
    if (net === undefined) return item
    const line_total = BigDecimal.subtract(item.line_total, net)
    const discount_amount = BigDecimal.sum(item.discount_amount, net)
    const rates = item.tax_rates.map((rate) => {
      const less = taxes.find(({ tax }) => tax.id === rate.id && isSameRate(tax, rate))?.shares.get(item)
      const tax_amount = less === undefined ? rate.tax_amount : BigDecimal.subtract(rate.tax_amount, less)
      return { ...rate, taxable_amount: line_total, tax_amount }
    })
    return {
      ...item,
      discount: discount_amount,
      discount_type: "amount",
      discount_amount,
      line_total,
      tax_amount: BigDecimal.sumAll(rates.map(({ tax_amount }) => tax_amount)),
      tax_rates: rates
    }
  })
}

/** True for a line of the invoice itself. A line that represents a discount or a charge has a negative id. */
export const isOwnLine = ({ id }: Pick<LineItem, "id">): boolean => id > 0

/** Converts a discount or a charge to a line with a negative id, which no line of an invoice has. */
const lineOf = (adjustment: Adjustment, sign: bigint, position: number): LineItem => {
  const signed = (amount: BigDecimal.BigDecimal) => (sign < 0n ? BigDecimal.negate(amount) : amount)
  const { description, exemption_code, net_amount, tax_amount, tax_exempt, tax_exemption_reason, tax_rates } =
    adjustment
  const net = signed(net_amount)
  return {
    id: LineItemId.make(-position),
    position: position + 1,
    description,
    ...lumpSum(net),
    tax_exempt,
    tax_exemption_reason,
    ...(exemption_code === undefined ? {} : { exemption_code }),
    tax_amount: signed(tax_amount),
    tax_rates: tax_rates.map((tax) => ({ ...tax, taxable_amount: net, tax_amount: signed(tax.tax_amount) }))
  }
}
