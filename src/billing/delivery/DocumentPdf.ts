import { BigDecimal, Option, Struct } from "effect"
import { yearOf, type Day } from "../../kernel/Calendar.ts"
import type { ExemptionCategory } from "../lines/LineItem.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import {
  addressLines,
  documentFormat,
  isText,
  localeOf,
  type DocumentFormat,
  type PostalAddress
} from "./DocumentFormat.ts"
import { documentLabels, documentLanguages, type DocumentLabels, type DocumentLanguage } from "./DocumentLabels.ts"
import { epcPayload, qrSvg } from "./EpcQr.ts"

/** The invoice as the API gives it, with exact amounts. `balance_due` is what is still to be paid. */
export interface PrintedInvoice {
  /** Null on a draft, which is named by `draft_reference`. */
  readonly number: string | null
  readonly draft_reference: string
  readonly issue_date: Day
  readonly due_date: Day
  readonly currency: CurrencyCode
  readonly items: ReadonlyArray<PrintedItem>
  readonly subtotal: BigDecimal.BigDecimal
  readonly discount_total: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  readonly tax_breakdown: ReadonlyArray<PrintedTax>
  readonly amount_paid: BigDecimal.BigDecimal
  readonly amount_credited: BigDecimal.BigDecimal
  readonly amount_refunded: BigDecimal.BigDecimal
  readonly balance_due: BigDecimal.BigDecimal
  readonly payment_reference: string | null
  readonly notes: string | null
  readonly terms: string | null
}

export interface PrintedItem {
  readonly description: string
  readonly quantity: BigDecimal.BigDecimal
  /** UN/ECE Recommendation 20 code. */
  readonly unit: string
  readonly unit_price: BigDecimal.BigDecimal
  readonly discount: BigDecimal.BigDecimal
  readonly discount_type: "percent" | "amount"
  readonly line_total: BigDecimal.BigDecimal
  readonly tax_rates: ReadonlyArray<{ readonly rate: BigDecimal.BigDecimal }>
  readonly tax_exemption_reason: ExemptionCategory | null
}

interface PrintedTax {
  readonly name: string
  readonly taxable_amount: BigDecimal.BigDecimal
  readonly tax_amount: BigDecimal.BigDecimal
}

export interface PrintedCustomer extends PostalAddress {
  readonly name: string
  readonly tax_number: string | null
  readonly language: string | null
}

interface PrintedOrganization extends PostalAddress {
  readonly name: string
  readonly contact_email: string | null
  readonly contact_phone: string | null
  readonly website: string | null
  readonly tax_number: string | null
  readonly registration_number: string | null
  readonly legal_form: string | null
  readonly language: string | null
  readonly iban: string | null
  readonly bic: string | null
}

/** What a template lays out: every text in the reader's language, every date and amount ready to print. */
export interface PdfDocument {
  readonly language: DocumentLanguage
  /** The country whose conventions dates and amounts follow. */
  readonly region: string
  /** Han characters are drawn as in Japan, not as in China. */
  readonly japanese: boolean
  readonly title: string
  /** Date of the file, so that the same document always has the same bytes. */
  readonly date: { readonly year: number; readonly month: number; readonly day: number }
  /** Printed across the page of a document that is not issued yet. */
  readonly draft: string | null
  readonly sender: { readonly name: string; readonly return_address: string; readonly lines: ReadonlyArray<string> }
  readonly recipient: { readonly name: string; readonly lines: ReadonlyArray<string> }
  readonly facts: ReadonlyArray<LabeledText>
  readonly columns: Pick<
    DocumentLabels,
    "description" | "quantity" | "unit" | "unit_price" | "discount" | "tax" | "net"
  >
  readonly items: ReadonlyArray<PdfItem>
  readonly totals: ReadonlyArray<LabeledText & { readonly strong: boolean }>
  readonly due: LabeledText
  readonly payment: PdfPayment | null
  readonly sections: ReadonlyArray<{ readonly title: string; readonly text: string }>
  /** Columns of lines at the foot of every page. */
  readonly footer: ReadonlyArray<ReadonlyArray<string>>
}

interface LabeledText {
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

interface PdfPayment {
  readonly title: string
  readonly rows: ReadonlyArray<LabeledText>
  readonly qr: { readonly svg: string; readonly caption: string } | null
}

export const invoiceTemplate = new URL("./templates/invoice.typ", import.meta.url)

/** The invoice in the customer's language, else the organization's, else English. */
export const invoicePdf = (input: {
  readonly invoice: PrintedInvoice
  readonly customer: PrintedCustomer
  readonly organization: PrintedOrganization
}): PdfDocument => {
  const { customer, invoice, organization } = input
  const language = languageOf(customer.language) ?? languageOf(organization.language) ?? "en"
  const labels = documentLabels[language]
  const locale = localeOf(language, customer.country ?? organization.country)
  const format = documentFormat(language, locale, invoice.currency)
  const abroad = customer.country !== organization.country
  const number = invoice.number ?? invoice.draft_reference
  return {
    language,
    region: locale.slice(-2),
    japanese: customer.country === "JP" || organization.country === "JP",
    title: `${labels.invoice} ${number}`,
    date: {
      year: yearOf(invoice.issue_date),
      month: Number(invoice.issue_date.slice(5, 7)),
      day: Number(invoice.issue_date.slice(8, 10))
    },
    draft: invoice.number === null ? labels.draft : null,
    sender: senderOf(organization, abroad, labels, language),
    recipient: { name: customer.name, lines: addressLines(customer, abroad, language) },
    facts: labeled([
      [labels.invoice_number, number],
      [labels.issue_date, format.day(invoice.issue_date)],
      [labels.due_date, format.day(invoice.due_date)],
      [labels.payment_reference, invoice.payment_reference],
      [labels.your_tax_number, customer.tax_number]
    ]),
    columns: Struct.pick(labels, ["description", "quantity", "unit", "unit_price", "discount", "tax", "net"]),
    items: invoice.items.map((item) => itemOf(item, format)),
    totals: totalsOf(invoice, labels, format),
    due: { label: labels.amount_due, value: format.money(invoice.balance_due) },
    payment: paymentOf(invoice, organization, labels),
    sections: sectionsOf(invoice, labels),
    footer: footerOf(organization, labels)
  }
}

const languageOf = (tag: string | null): DocumentLanguage | undefined =>
  documentLanguages.find((language) => language === tag?.slice(0, 2).toLowerCase())

const labeled = (rows: ReadonlyArray<readonly [label: string, value: string | null]>): ReadonlyArray<LabeledText> =>
  rows.flatMap(([label, value]) => (isText(value) ? [{ label, value }] : []))

const senderOf = (
  organization: PrintedOrganization,
  abroad: boolean,
  labels: DocumentLabels,
  language: DocumentLanguage
): PdfDocument["sender"] => {
  const { contact_email, contact_phone, tax_number } = organization
  const address = addressLines(organization, abroad, language)
  const contact = [contact_phone, contact_email, isText(tax_number) ? `${labels.tax_number} ${tax_number}` : null]
  return {
    name: organization.name,
    return_address: [organization.name, ...address].join(" · "),
    lines: [...address, ...contact.filter(isText)]
  }
}

const itemOf = (item: PrintedItem, format: DocumentFormat): PdfItem => ({
  description: item.description,
  quantity: format.quantity(item.quantity),
  unit: format.unit(item.unit, item.quantity),
  unit_price: format.price(item.unit_price),
  discount: discountOf(item, format),
  tax: item.tax_rates.map(({ rate }) => format.percent(rate)).join(" + ") || "–",
  net: format.amount(item.line_total)
})

const discountOf = ({ discount, discount_type }: PrintedItem, format: DocumentFormat): string | null => {
  if (BigDecimal.isZero(discount)) return null
  return discount_type === "percent" ? format.percent(discount) : format.amount(discount)
}

const totalsOf = (invoice: PrintedInvoice, labels: DocumentLabels, format: DocumentFormat): PdfDocument["totals"] => {
  const plain = (label: string, amount: BigDecimal.BigDecimal) => ({
    label,
    value: format.amount(amount),
    strong: false
  })
  const unlessZero = (label: string, amount: BigDecimal.BigDecimal) =>
    BigDecimal.isZero(amount) ? [] : [plain(label, amount)]
  const discounted = !BigDecimal.isZero(invoice.discount_total)
  return [
    ...(discounted ? [plain(labels.before_discount, BigDecimal.sum(invoice.subtotal, invoice.discount_total))] : []),
    ...unlessZero(labels.discount, BigDecimal.negate(invoice.discount_total)),
    plain(labels.subtotal, invoice.subtotal),
    ...invoice.tax_breakdown.map((tax) =>
      plain(`${tax.name} ${labels.tax_on} ${format.amount(tax.taxable_amount)}`, tax.tax_amount)
    ),
    { label: labels.total, value: format.money(invoice.total), strong: true },
    ...unlessZero(labels.paid, BigDecimal.negate(invoice.amount_paid)),
    ...unlessZero(labels.refunded, invoice.amount_refunded),
    ...unlessZero(labels.credited, BigDecimal.negate(invoice.amount_credited))
  ]
}

/** Only an issued invoice with something left to pay asks for money, and only an account can be paid to. */
const paymentOf = (
  invoice: PrintedInvoice,
  organization: PrintedOrganization,
  labels: DocumentLabels
): PdfPayment | null => {
  if (invoice.number === null || organization.iban === null || !BigDecimal.isPositive(invoice.balance_due)) return null
  const reference = invoice.payment_reference ?? invoice.number
  const payload = epcPayload({
    beneficiary: organization.name,
    iban: organization.iban,
    bic: organization.bic,
    amount: invoice.balance_due,
    currency: invoice.currency,
    reference
  })
  return {
    title: labels.payment,
    rows: labeled([
      [labels.beneficiary, organization.name],
      ["IBAN", organization.iban.replaceAll(/\s/g, "").replaceAll(/(.{4})(?=.)/g, "$1 ")],
      ["BIC", organization.bic],
      [labels.reference, reference]
    ]),
    qr: Option.getOrNull(Option.map(payload, (text) => ({ svg: qrSvg(text), caption: labels.scan_to_pay })))
  }
}

const sectionsOf = (invoice: PrintedInvoice, labels: DocumentLabels): PdfDocument["sections"] => {
  const reasons = new Set(
    invoice.items.flatMap(({ tax_exemption_reason: reason }) => (reason === null ? [] : [labels.exemptions[reason]]))
  )
  return labeled([
    [labels.tax_notes, [...reasons].join("\n")],
    [labels.notes, invoice.notes],
    [labels.terms, invoice.terms]
  ]).map(({ label, value }) => ({ title: label, text: value }))
}

const footerOf = (organization: PrintedOrganization, labels: DocumentLabels): PdfDocument["footer"] => {
  const numbers = labeled([
    [labels.registration_number, organization.registration_number],
    [labels.tax_number, organization.tax_number]
  ]).map(({ label, value }) => `${label} ${value}`)
  const contact = [organization.website, organization.contact_email].filter(isText)
  const name = [organization.name, organization.legal_form].filter(isText)
  return [name, numbers, contact].filter((column) => column.length > 0)
}
