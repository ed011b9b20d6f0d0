import { BigDecimal, Struct } from "effect"
import { yearOf, type Day } from "../../kernel/Calendar.ts"
import type { TaxGroup } from "../lines/Tax.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { Correspondents, PrintedOrganization } from "../correspondence/Correspondents.ts"
import type { TaxQr } from "./ClearanceStamps.ts"
import { qrSvg } from "./EpcQr.ts"
import { addressLines, documentFormat, isText, readerOf, type DocumentFormat } from "./DocumentFormat.ts"
import { withReadableDiscounts } from "./CashDiscounts.ts"
import { sellerFacts, taxNumberOf } from "./SellerFacts.ts"
import type { PrintedDetails } from "./DetailFacts.ts"
import { splitTaxesOf } from "../lines/SplitPayment.ts"
import { exemptionReason } from "./ExemptionReasons.ts"
import { brand_color_default, readableOn } from "../../platform/pages/BrandColor.ts"
import { directionOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { Labels } from "./labels/en.ts"
import { labelsIn } from "./labels/Labels.ts"

/** Fields that all kinds of documents share, as the API returns them, with exact amounts. */
export interface PrintedDocument extends PrintedDetails {
  /** Null on a document that is not issued yet, which `draft_reference` identifies instead. */
  readonly number: string | null
  readonly draft_reference: string
  readonly issue_date: Day
  readonly currency: CurrencyCode
  readonly items: ReadonlyArray<PrintedItem>
  readonly subtotal: BigDecimal.BigDecimal
  readonly discount_total: BigDecimal.BigDecimal
  readonly discounts?: ReadonlyArray<PrintedAdjustment>
  readonly charges?: ReadonlyArray<PrintedAdjustment>
  readonly total: BigDecimal.BigDecimal
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
  readonly notes: string | null
  readonly terms: string | null
}

interface Named {
  readonly number: string | null
  readonly draft_reference: string | null
}

/** The number of a document, or the reference of a draft. */
export const nameOf = ({ draft_reference, number }: Named): string => number ?? draft_reference ?? ""

export interface PrintedItem {
  readonly description: string
  readonly quantity: BigDecimal.BigDecimal
  /** Code of the unit of measure (UN/ECE Recommendation 20). */
  readonly unit: string
  readonly unit_price: BigDecimal.BigDecimal
  readonly discount: BigDecimal.BigDecimal
  readonly discount_type: "percent" | "amount"
  readonly line_total: BigDecimal.BigDecimal
  readonly tax_rates: ReadonlyArray<{ readonly rate: BigDecimal.BigDecimal }>
}

interface PrintedAdjustment {
  readonly description: string
  readonly percentage: BigDecimal.BigDecimal | null
  readonly net_amount: BigDecimal.BigDecimal
}

/** Input of a template: every text is in the reader's language, every date and amount is formatted. */
export interface PdfDocument {
  readonly language: PageLanguage
  readonly direction: "ltr" | "rtl"
  /** The country whose conventions dates and amounts follow. */
  readonly region: string
  /** True when Han characters are drawn in their Japanese forms instead of the Chinese ones. */
  readonly japanese: boolean
  readonly title: string
  /** Date in the metadata of the file. It is fixed, so that the same document always has the same bytes. */
  readonly date: { readonly year: number; readonly month: number; readonly day: number }
  /** Watermark of a document that is not issued yet; null on an issued document. */
  readonly draft: string | null
  /** Notice on every page that the document went through a simulated e-invoicing network; null for a real one. */
  readonly sandbox: string | null
  /** The QR code of the tax authority; absent where the law requires none. */
  readonly tax_qr?: { readonly svg: string; readonly title: string; readonly sentence: string | null }
  readonly sender: { readonly name: string; readonly return_address: string; readonly lines: ReadonlyArray<string> }
  readonly recipient: { readonly name: string; readonly lines: ReadonlyArray<string> }
  readonly facts: ReadonlyArray<LabeledText>
  readonly columns: Pick<
    Labels["document"],
    "description" | "quantity" | "unit" | "unit_price" | "discount" | "tax" | "net"
  >
  readonly items: ReadonlyArray<PdfItem>
  readonly totals: ReadonlyArray<LabeledText & { readonly strong: boolean }>
  readonly due: LabeledText
  readonly sections: ReadonlyArray<{ readonly title: string; readonly text: string }>
  /** Hash of the file of the sender's logo. */
  readonly logo: string | null
  /** Colour of lines, of the sender's name and of the final amount. */
  readonly accent: string
  /** The sender's own text above the footer. */
  readonly closing: string | null
  /** Columns of text lines in the footer of every page. */
  readonly footer: ReadonlyArray<ReadonlyArray<string>>
}

export interface LabeledText {
  readonly label: string
  readonly value: string
}

interface PdfItem {
  readonly description: string
  readonly quantity: string
  readonly unit: string
  readonly unit_price: string
  readonly discount: string | null
  readonly tax: string
  readonly net: string
}

const paper = "#ffffff"

/** The parties of a document. `sandbox` is true if the document went through a simulated e-invoicing network. */
export interface Printed extends Correspondents {
  readonly sandbox?: boolean
  readonly tax_qr?: TaxQr | null
}

/** Builds the part of a PDF that all kinds of documents share, with the labels and formats of the reader. */
export const sheetOf = (document: PrintedDocument, draft: boolean, input: Printed) => {
  const { customer, organization, sandbox = false, tax_qr = null } = input
  const { language, locale } = readerOf({ customer, organization })
  const labels = labelsIn[language].document
  const format = documentFormat(language, locale, document.currency)
  const abroad = customer.country !== organization.country
  const sheet = {
    language,
    direction: directionOf(language),
    region: locale.slice(-2),
    japanese: customer.country === "JP" || organization.country === "JP",
    date: {
      year: yearOf(document.issue_date),
      month: Number(document.issue_date.slice(5, 7)),
      day: Number(document.issue_date.slice(8, 10))
    },
    draft: draft ? labels.draft : null,
    sandbox: sandbox ? labelsIn[language].sandbox.notice : null,
    ...(tax_qr === null ? {} : { tax_qr: { svg: qrSvg(tax_qr.url), title: tax_qr.title, sentence: tax_qr.sentence } }),
    sender: senderOf(organization, abroad, language),
    recipient: { name: customer.name, lines: addressLines(customer, abroad, language) },
    columns: Struct.pick(labels, ["description", "quantity", "unit", "unit_price", "discount", "tax", "net"]),
    items: document.items.map((item) => itemOf(item, format)),
    sections: sectionsOf(document, organization, labels, { format, language }),
    logo: organization.logo,
    accent: readableOn(organization.brand_color ?? brand_color_default, paper),
    closing: organization.document_footer,
    footer: sellerFacts(organization, language)
  }
  return { format, labels, locale, own_currency: organization.currency, sheet }
}

/** The shared part of a PDF, with the labels and formats for building the other parts. */
export type Printing = ReturnType<typeof sheetOf>

export const labeled = (
  rows: ReadonlyArray<readonly [label: string, value: string | null]>
): ReadonlyArray<LabeledText> => rows.flatMap(([label, value]) => (isText(value) ? [{ label, value }] : []))

const senderOf = (
  organization: PrintedOrganization,
  abroad: boolean,
  language: PageLanguage
): PdfDocument["sender"] => {
  const { contact_email, contact_phone } = organization
  const address = addressLines(organization, abroad, language)
  const [label, tax_number] = taxNumberOf(organization, "own", language)
  const contact = [contact_phone, contact_email, isText(tax_number) ? `${label} ${tax_number}` : null]
  return {
    name: organization.name,
    return_address: [organization.name, ...address].join(" · "),
    lines: [...address, ...contact.filter(isText)]
  }
}

/** Text in the tax column for a line without a tax rate. */
export const untaxed = "–"

const itemOf = (item: PrintedItem, format: DocumentFormat): PdfItem => ({
  description: item.description,
  quantity: format.quantity(item.quantity),
  unit: format.unit(item.unit, item.quantity),
  unit_price: format.price(item.unit_price),
  discount: discountOf(item, format),
  tax: item.tax_rates.map(({ rate }) => format.percent(rate)).join(" + ") || untaxed,
  net: format.amount(item.line_total)
})

const discountOf = ({ discount, discount_type }: PrintedItem, format: DocumentFormat): string | null => {
  if (BigDecimal.isZero(discount)) return null
  return discount_type === "percent" ? format.percent(discount) : format.amount(discount)
}

const sectionsOf = (
  document: PrintedDocument,
  { country }: PrintedOrganization,
  labels: Labels["document"],
  { format, language }: { readonly format: DocumentFormat; readonly language: PageLanguage }
): PdfDocument["sections"] => {
  const reasons = new Set(document.tax_breakdown.map((tax) => exemptionReason(tax, language, country)))
  const split = splitTaxesOf(document.tax_breakdown, document.currency).map(
    ({ rate, tax_amount }) => `IVA ${format.percent(rate)}: ${format.money(tax_amount)}, versata dal committente`
  )
  return labeled([
    [labels.tax_notes, [...[...reasons].filter(isText), ...split].join("\n")],
    [labels.notes, document.notes],
    [labels.terms, withReadableDiscounts(document.terms, { format, language })]
  ]).map(asSection)
}

export const asSection = ({ label, value }: LabeledText) => ({ title: label, text: value })
