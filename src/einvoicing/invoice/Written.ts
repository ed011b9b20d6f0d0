import { BigDecimal } from "effect"
import { exponentOf, type CurrencyCode } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { EInvoice, LineTax, Party } from "./EInvoice.ts"

/** Amounts of money may not have more (UBL-DT-01, BR-DEC), whatever the currency has. */
export const amount_decimals_max = 2

/** An amount of money as both syntaxes write it. */
export const amountText = (amount: BigDecimal.BigDecimal, currency: CurrencyCode): string =>
  formatAmount(amount, Math.min(exponentOf(currency), amount_decimals_max))

/** A quantity, price or percentage: these have as many decimals as they need. */
export const decimalText = BigDecimal.format

/** BT-152. A line that is not subject to tax has no rate, not a rate of zero (BR-O-05). */
export const lineRate = ({ category, rate }: LineTax): string | null => (category === "O" ? null : decimalText(rate))

/** BT-119. Germany wants a rate in every group of the breakdown (DE-R-014), also in one not subject to tax. */
export const breakdownRate = ({ buyer, seller }: EInvoice, tax: LineTax): string | null => {
  const isGerman = seller.address.country === "DE" && buyer.address.country === "DE"
  return isGerman ? decimalText(tax.rate) : lineRate(tax)
}

/** BT-28 or BT-45. */
export const tradingName = ({ name, trading_name }: Party): string => trading_name ?? name

/** BT-107 or BT-108, which a document with a discount or a charge states even when it is zero (BR-CO-11, BR-CO-12). */
export const adjustedTotal = ({ adjustments, totals }: EInvoice, charges: boolean): BigDecimal.BigDecimal | null => {
  if (!adjustments.some(({ is_charge }) => is_charge === charges)) return null
  return charges ? totals.charges : totals.discounts
}

/** UNCL 5189: discount. */
const discount_code = "95"

/** BT-139 and BT-140, or of a charge BT-144, since that code is no reason for one. */
export const discountReason = (is_charge: boolean) => ({
  code: is_charge ? null : discount_code,
  text: "Discount"
})

/** BT-122: the number of an attachment within its document. */
export const attachmentReference = (index: number): string => `ATT-${index + 1}`
