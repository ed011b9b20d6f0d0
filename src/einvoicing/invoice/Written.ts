import { BigDecimal } from "effect"
import { exponentOf, type CurrencyCode } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { EInvoice, LineTax, Party } from "./EInvoice.ts"

/** Maximum number of decimals of a monetary amount (UBL-DT-01, BR-DEC), even if the currency has more. */
export const amount_decimals_max = 2

export const amountText = (amount: BigDecimal.BigDecimal, currency: CurrencyCode): string =>
  formatAmount(amount, Math.min(exponentOf(currency), amount_decimals_max))

/** Formats the rounding of a line, which has cents even in a currency without cents. */
export const roundingText = (amount: BigDecimal.BigDecimal): string => formatAmount(amount, amount_decimals_max)

/** Formats a quantity, a price or a percentage with all of its decimals. */
export const decimalText = BigDecimal.format

/** Returns the VAT rate of a line (BT-152). A line that is not subject to VAT must not state one (BR-O-05). */
export const lineRate = ({ category, rate }: LineTax): string | null => (category === "O" ? null : decimalText(rate))

/** BT-119. Germany requires a rate even for lines that are not subject to VAT (DE-R-014). */
export const breakdownRate = ({ buyer, seller }: EInvoice, tax: LineTax): string | null => {
  const isGerman = seller.address.country === "DE" && buyer.address.country === "DE"
  return isGerman ? decimalText(tax.rate) : lineRate(tax)
}

/** Returns the trading name of a party (BT-28, BT-45); the default is the name of the party. */
export const tradingName = ({ name, trading_name }: Party): string => trading_name ?? name

/**
 * BT-29. A seller must state this identifier, a VAT identifier or a registration number (BR-CO-26), so the number at
 * the tax authority stands in for a seller that has no other number, such as a German freelancer.
 */
export const sellerIdentifier = ({ legal_registration, tax_registration, vat_identifier }: Party): string | null =>
  vat_identifier === null && legal_registration === null ? tax_registration : null

/** BT-107 or BT-108. A document with a discount or charge must state even a sum of zero (BR-CO-11, BR-CO-12). */
export const adjustedTotal = ({ adjustments, totals }: EInvoice, charges: boolean): BigDecimal.BigDecimal | null => {
  if (!adjustments.some(({ is_charge }) => is_charge === charges)) return null
  return charges ? totals.charges : totals.discounts
}

/** Code of a discount in UNCL 5189. */
const discount_code = "95"

/** BT-140 and BT-139. A charge has a text only (BT-144), because UNCL 5189 is a list of discounts. */
export const discountReason = (is_charge: boolean) => ({
  code: is_charge ? null : discount_code,
  text: "Discount"
})

/** The reason of a line's rounding (BT-139 or BT-144), for which the code lists have no code. */
export const rounding_reason = { code: null, text: "Rounding" }

export const attachmentReference = (index: number): string => `ATT-${index + 1}`
