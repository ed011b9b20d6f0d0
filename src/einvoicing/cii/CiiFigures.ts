import type { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { LineDiscount, LineTax } from "../invoice/EInvoice.ts"
import { amountText, decimalText } from "../invoice/Written.ts"

export type AmountElement = (name: string, amount: BigDecimal.BigDecimal) => XmlPart

/** CII states the currency of the document once, in the header, so the amounts have no currency attribute. */
export const amountIn =
  (currency: CurrencyCode): AmountElement =>
  (name, amount) =>
    textElement(name, amountText(amount, currency))

interface TaxGroupParts {
  readonly amount: XmlPart
  readonly reason: XmlPart
  readonly basis: XmlPart
  readonly code: XmlPart
}

const nothing: TaxGroupParts = { amount: null, reason: null, basis: null, code: null }

/** Writes the tax of a line (BG-30) or, with `group`, a group of the tax breakdown (BG-23). */
export const taxElement = (tax: LineTax, rate: string | null, group: TaxGroupParts = nothing): XmlPart =>
  tradeTax("ram:ApplicableTradeTax", tax, rate, group)

/** Writes a tax under any element name, such as the tax of a discount (BT-95) or a charge (BT-102). */
export const tradeTax = (
  name: string,
  { category }: LineTax,
  rate: string | null,
  group: TaxGroupParts = nothing
): XmlPart =>
  element(
    name,
    group.amount,
    textElement("ram:TypeCode", "VAT"),
    group.reason,
    group.basis,
    textElement("ram:CategoryCode", category),
    group.code,
    textElement("ram:RateApplicablePercent", rate)
  )

/** Writes a discount or a charge on a line. With `taxes`, the discount or charge is on the whole document. */
export const discountElement = (
  { amount: of, is_charge, percentage }: LineDiscount,
  reason: { readonly code: string | null; readonly text: string },
  amount: AmountElement,
  taxes: ReadonlyArray<XmlPart> = []
): XmlPart =>
  element(
    "ram:SpecifiedTradeAllowanceCharge",
    element("ram:ChargeIndicator", textElement("udt:Indicator", String(is_charge))),
    percentage === null ? null : textElement("ram:CalculationPercent", decimalText(percentage.percent)),
    percentage === null ? null : amount("ram:BasisAmount", percentage.base),
    amount("ram:ActualAmount", of),
    textElement("ram:ReasonCode", reason.code),
    textElement("ram:Reason", reason.text),
    ...taxes
  )
