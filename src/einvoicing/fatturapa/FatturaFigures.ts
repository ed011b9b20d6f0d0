import { BigDecimal, Option } from "effect"
import { formatAmount, percentOf, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import type { EInvoiceLine } from "../invoice/EInvoice.ts"

/** Number of decimals of amounts and rates. */
export const amount_decimals = 2
export const price_decimals_max = 8

export const amountText = (amount: BigDecimal.BigDecimal): string => formatAmount(amount, amount_decimals)

/** Formats a price or a quantity with 2 to 8 decimals, as many as the number has. */
export const priceText = (price: BigDecimal.BigDecimal): string =>
  formatAmount(price, Math.min(price_decimals_max, Math.max(amount_decimals, BigDecimal.normalize(price).scale)))

/** The discount (SC) or the charge (MG) on the unit price of a line. */
export interface PriceChange {
  readonly type: "SC" | "MG"
  readonly percent: BigDecimal.BigDecimal | null
  readonly amount: BigDecimal.BigDecimal
}

/** In FatturaPA a quantity is never negative, but a price may be. */
interface LineFigures {
  readonly quantity: BigDecimal.BigDecimal
  readonly price: BigDecimal.BigDecimal
  readonly change: PriceChange | null
  /** The total that the Sistema di Interscambio computes from the other figures. */
  readonly computed: BigDecimal.BigDecimal
}

export const lineFigures = (line: EInvoiceLine): LineFigures => {
  const takesAway = BigDecimal.isNegative(line.quantity)
  const quantity = BigDecimal.abs(line.quantity)
  const price = takesAway ? BigDecimal.negate(line.price) : line.price
  const change = changeOf(line, quantity, price)
  return { quantity, price, change, computed: BigDecimal.multiply(quantity, changed(price, change)) }
}

/** Turns a discount on the total of a line, as our documents have it, into a discount or charge on its unit price. */
const changeOf = (
  { discount, net_amount }: EInvoiceLine,
  quantity: BigDecimal.BigDecimal,
  price: BigDecimal.BigDecimal
): PriceChange | null => {
  if (discount === null) return null
  const type = discount.is_charge ? "MG" : "SC"
  const percent = discount.percentage?.percent ?? null
  if (percent !== null && BigDecimal.normalize(percent).scale <= amount_decimals) {
    const change = { type, percent, amount: percentOf(price, percent) } as const
    if (isNear(net_amount, BigDecimal.multiply(quantity, changed(price, change)))) return change
  }
  const share = Option.getOrElse(BigDecimal.divide(discount.amount, quantity), () => zero)
  return { type, percent: null, amount: roundHalfAwayFromZero(share, price_decimals_max) }
}

const changed = (price: BigDecimal.BigDecimal, change: PriceChange | null): BigDecimal.BigDecimal => {
  if (change === null) return price
  return change.type === "SC" ? BigDecimal.subtract(price, change.amount) : BigDecimal.sum(price, change.amount)
}

/** Maximum difference, in currency units, between a stated and a computed amount (rules 00421 and 00423). */
const tolerance = BigDecimal.make(1n, 2)

export const isNear = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal): boolean =>
  BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(left, right)), tolerance)
