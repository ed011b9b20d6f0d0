import { BigDecimal } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { TaxGroup } from "../lines/Tax.ts"
import { taxInUsualName } from "../taxes/UsualTaxRates.ts"
import { convertedTax } from "../lines/VatGroups.ts"
import { documentFormat } from "./DocumentFormat.ts"
import type { PdfDocument, PrintedDocument, Printing } from "./DocumentPdf.ts"
import { codedName } from "./ExemptionReasons.ts"
import { labelsIn } from "./labels/Labels.ts"

export const plain = (label: string, value: string) => ({ label, value, strong: false })

/** Rows of the totals block: amount before discounts, discounts, charges, subtotal, taxes. */
export const sumsOf = (document: PrintedDocument, printing: Printing): PdfDocument["totals"] => {
  const { format, labels } = printing
  const taxOf = (tax: TaxGroup) =>
    plain(
      `${nameOf(tax, printing)} ${labels.tax_on} ${format.amount(tax.taxable_amount)}`,
      format.money(tax.tax_amount)
    )
  return [
    ...reductionsOf(document, printing),
    plain(labels.subtotal, format.money(document.subtotal)),
    ...document.tax_breakdown.map(taxOf)
  ]
}

/** Rows between the sum of the prices and the subtotal: discounts of lines, discounts of the document, charges. */
const reductionsOf = (document: PrintedDocument, { format, labels, sheet }: Printing): PdfDocument["totals"] => {
  const { charges = [], discount_total, discounts = [] } = document
  const on_document = sumOf(discounts)
  const on_lines = BigDecimal.subtract(discount_total, on_document)
  const lines = BigDecimal.subtract(BigDecimal.sum(document.subtotal, on_document), sumOf(charges))
  const adjustmentOf =
    (sign: (amount: BigDecimal.BigDecimal) => BigDecimal.BigDecimal) =>
    ({ description, net_amount, percentage }: (typeof discounts)[number]) =>
      plain(
        percentage === null ? description : `${description} (${format.percent(percentage)})`,
        format.money(sign(net_amount))
      )
  const adjustments = [...discounts.map(adjustmentOf(BigDecimal.negate)), ...charges.map(adjustmentOf((own) => own))]
  return [
    ...(BigDecimal.isZero(on_lines)
      ? []
      : [
          plain(labels.before_discount, format.money(BigDecimal.sum(lines, on_lines))),
          plain(labels.discount, format.money(BigDecimal.negate(on_lines)))
        ]),
    ...(adjustments.length === 0 ? [] : [plain(labelsIn[sheet.language].details.lines_total, format.money(lines))]),
    ...adjustments
  ]
}

const sumOf = (adjustments: ReadonlyArray<{ readonly net_amount: BigDecimal.BigDecimal }>) =>
  BigDecimal.sumAll(adjustments.map(({ net_amount }) => net_amount))

/** The document stores the name of a tax without a rate in English, so the name is translated here by category. */
const nameOf = (
  { category, exemption_code, name, rate, tax_rate_id }: TaxGroup,
  { format, sheet }: Printing
): string => {
  const names: { readonly [category in TaxGroup["category"]]?: string } = labelsIn[sheet.language].tax.untaxed
  if (tax_rate_id === null) return codedName(exemption_code) ?? names[category] ?? name
  const usual = taxInUsualName(name, rate)
  return usual === undefined ? name : `${usual} ${format.percent(rate)}`
}

/** In a foreign currency, a document also states the tax in the organization's currency (2006/112/EC, art. 230). */
interface Converted extends Pick<PrintedDocument, "currency" | "tax_breakdown"> {
  /** Units of the organization's currency for one unit of the document's currency. */
  readonly exchange_rate: BigDecimal.BigDecimal | null
}

const rateOf = ({ currency, exchange_rate }: Converted, own: CurrencyCode | null) =>
  own === null || exchange_rate === null || currency === own ? null : { own, exchange_rate }

/** Row with the tax in the organization's currency, as the e-invoice states it (EN 16931 BT-111). */
export const convertedTaxOf = (
  document: Converted,
  { locale, own_currency, sheet: { language } }: Printing
): PdfDocument["totals"] => {
  const rate = rateOf(document, own_currency)
  if (rate === null) return []
  const { exchange_rate, own } = rate
  const tax = convertedTax(document.tax_breakdown, exchange_rate, own)
  return [plain(`${labelsIn[language].tax.tax_in} ${own}`, documentFormat(language, locale, own).money(tax))]
}

/** Row with the exchange rate: "1 USD = 0.92 EUR". */
export const exchangeRateOf = (
  document: Converted,
  { format, own_currency, sheet: { language } }: Printing
): readonly [label: string, value: string | null] => {
  const rate = rateOf(document, own_currency)
  const text = rate === null ? null : `1 ${document.currency} = ${format.quantity(rate.exchange_rate)} ${rate.own}`
  return [labelsIn[language].tax.exchange_rate, text]
}
