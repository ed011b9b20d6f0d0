import type { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { LineTax } from "../invoice/EInvoice.ts"
import { amountText } from "../invoice/Written.ts"

export type AmountElement = (name: string, amount: BigDecimal.BigDecimal) => XmlPart

/** The document's currency stands once in its header, not with each amount. */
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

/** The tax of a line (BG-30), or with its amounts a group of the breakdown (BG-23): one element, in one order. */
export const taxElement = ({ category }: LineTax, rate: string | null, group: TaxGroupParts = nothing): XmlPart =>
  element(
    "ram:ApplicableTradeTax",
    group.amount,
    textElement("ram:TypeCode", "VAT"),
    group.reason,
    group.basis,
    textElement("ram:CategoryCode", category),
    group.code,
    textElement("ram:RateApplicablePercent", rate)
  )
