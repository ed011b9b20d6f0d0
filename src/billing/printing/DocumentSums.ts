import { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { TaxGroup } from "../lines/Tax.ts"
import { convertedTax } from "../lines/VatGroups.ts"
import { documentFormat } from "./DocumentFormat.ts"
import type { PdfDocument, PrintedDocument, Printing } from "./DocumentPdf.ts"
import type { DocumentLanguage } from "./DocumentLabels.ts"
import { taxLabels } from "./mentions/TaxLabels.ts"

export const plain = (label: string, value: string) => ({ label, value, strong: false })

/** From before the discount to the taxes. */
export const sumsOf = (document: PrintedDocument, { format, labels, sheet }: Printing): PdfDocument["totals"] => {
  const { discount_total, subtotal, tax_breakdown } = document
  const gross = BigDecimal.sum(subtotal, discount_total)
  const discounted = !BigDecimal.isZero(discount_total)
  const taxOf = (tax: TaxGroup) =>
    plain(
      `${nameOf(tax, sheet.language)} ${labels.tax_on} ${format.amount(tax.taxable_amount)}`,
      format.amount(tax.tax_amount)
    )
  return [
    ...(discounted ? [plain(labels.before_discount, format.amount(gross))] : []),
    ...(discounted ? [plain(labels.discount, format.amount(BigDecimal.negate(discount_total)))] : []),
    plain(labels.subtotal, format.amount(subtotal)),
    ...tax_breakdown.map(taxOf)
  ]
}

/** A line without a rate has a name that the document stores in English. */
const nameOf = ({ category, name, tax_rate_id }: TaxGroup, language: DocumentLanguage): string => {
  const names: { readonly [category in TaxGroup["category"]]?: string } = taxLabels[language].untaxed
  return tax_rate_id === null ? (names[category] ?? name) : name
}

/** A document in another currency than its organization's owes the tax in that one, too (Directive 2006/112/EC, 230). */
interface Converted extends Pick<PrintedDocument, "currency" | "tax_breakdown"> {
  /** Units of the organization's currency for one of the document's. */
  readonly exchange_rate: BigDecimal.BigDecimal | null
}

const rateOf = ({ currency, exchange_rate }: Converted, own: CurrencyCode | null) =>
  own === null || exchange_rate === null || currency === own ? null : { own, exchange_rate }

/** The tax in the organization's currency, as the e-invoice states it (BT-111). */
export const convertedTaxOf = (
  document: Converted,
  { locale, own_currency, sheet: { language } }: Printing
): PdfDocument["totals"] => {
  const rate = rateOf(document, own_currency)
  if (rate === null) return []
  const { exchange_rate, own } = rate
  const tax = convertedTax(document.tax_breakdown, exchange_rate, own)
  return [plain(`${taxLabels[language].tax_in} ${own}`, documentFormat(language, locale, own).money(tax))]
}

/** "1 USD = 0.92 EUR" */
export const exchangeRateOf = (
  document: Converted,
  { format, own_currency, sheet: { language } }: Printing
): readonly [label: string, value: string | null] => {
  const rate = rateOf(document, own_currency)
  const text = rate === null ? null : `1 ${document.currency} = ${format.quantity(rate.exchange_rate)} ${rate.own}`
  return [taxLabels[language].exchange_rate, text]
}
