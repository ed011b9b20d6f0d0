import type { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoiceAdjustment, LineDiscount, LineTax } from "../invoice/EInvoice.ts"
import { amountText, decimalText, discountReason, lineRate, rounding_reason, roundingText } from "../invoice/Written.ts"

export type AmountElement = (name: string, amount: BigDecimal.BigDecimal) => XmlPart

export const amountIn =
  (currency: CurrencyCode): AmountElement =>
  (name, amount) =>
    textElement(name, amountText(amount, currency), { currencyID: currency })

export const taxSchemeOf = (scheme: "VAT" | "TAX") => element("cac:TaxScheme", textElement("cbc:ID", scheme))

export const taxCategory = (
  name: string,
  { category }: LineTax,
  rate: string | null,
  ...exemption: ReadonlyArray<XmlPart>
): XmlPart =>
  element(name, textElement("cbc:ID", category), textElement("cbc:Percent", rate), ...exemption, taxSchemeOf("VAT"))

interface Reason {
  readonly code: string | null
  readonly text: string
}

const allowanceCharge = (
  { amount: of, is_charge, percentage }: LineDiscount,
  reason: Reason,
  amount: AmountElement,
  taxes: ReadonlyArray<LineTax>
): XmlPart =>
  element(
    "cac:AllowanceCharge",
    textElement("cbc:ChargeIndicator", String(is_charge)),
    textElement("cbc:AllowanceChargeReasonCode", reason.code),
    textElement("cbc:AllowanceChargeReason", reason.text),
    percentage === null ? null : textElement("cbc:MultiplierFactorNumeric", decimalText(percentage.percent)),
    amount("cbc:Amount", of),
    percentage === null ? null : amount("cbc:BaseAmount", percentage.base),
    ...taxes.map((tax) => taxCategory("cac:TaxCategory", tax, lineRate(tax)))
  )

/** Writes a discount (BG-27) or a charge (BG-28) on a line. */
export const lineDiscount = (discount: LineDiscount, amount: AmountElement): XmlPart =>
  allowanceCharge(discount, discountReason(discount.is_charge), amount, [])

/** Writes the rounding of a line as a discount (BG-27) or a charge (BG-28). */
export const lineRounding = (rounding: LineDiscount, currency: CurrencyCode): XmlPart =>
  allowanceCharge(
    rounding,
    rounding_reason,
    (name, amount) => textElement(name, roundingText(amount), { currencyID: currency }),
    []
  )

/** Writes a discount (BG-20) or a charge (BG-21) on the document. */
export const documentAdjustment = (adjustment: EInvoiceAdjustment, amount: AmountElement): XmlPart =>
  allowanceCharge(
    adjustment,
    { ...discountReason(adjustment.is_charge), text: adjustment.reason },
    amount,
    adjustment.taxes
  )
