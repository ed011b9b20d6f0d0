import { BigDecimal, Option } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { PrintedOrganization } from "../printing/Correspondents.ts"
import type { DocumentFormat } from "../printing/DocumentFormat.ts"
import type { DocumentLabels } from "../printing/DocumentLabels.ts"
import { asSection, labeled, type LabeledText, type PdfDocument } from "../printing/DocumentPdf.ts"
import { type Printed, type PrintedDocument, sheetOf } from "../printing/DocumentPdf.ts"
import { convertedTaxOf, exchangeRateOf, plain, sumsOf } from "../printing/DocumentSums.ts"
import { paymentWording, taxNumberOf } from "../printing/mentions/SellerFacts.ts"
import { sellerLabels } from "../printing/mentions/SellerLabels.ts"
import type { InvoiceStatus } from "./Invoice.ts"
import { epcPayload, qrSvg } from "../printing/EpcQr.ts"

/** `balance_due` is what is still to be paid; of the status no more is printed than that it is a draft or void. */
export interface PrintedInvoice extends PrintedDocument {
  readonly status: InvoiceStatus
  readonly due_date: Day
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly amount_paid: BigDecimal.BigDecimal
  readonly amount_credited: BigDecimal.BigDecimal
  readonly amount_refunded: BigDecimal.BigDecimal
  readonly balance_due: BigDecimal.BigDecimal
  readonly payment_reference: string | null
  readonly exchange_rate: BigDecimal.BigDecimal | null
}

export interface InvoicePdfDocument extends PdfDocument {
  readonly payment: PdfPayment | null
}

interface PdfPayment {
  readonly title: string
  readonly rows: ReadonlyArray<LabeledText>
  readonly qr: { readonly svg: string; readonly caption: string } | null
}

export const invoiceTemplate = new URL("../printing/templates/invoice.typ", import.meta.url)

/** The invoice in the customer's language, else the organization's, else English. */
export const invoicePdf = (input: Printed & { readonly invoice: PrintedInvoice }): InvoicePdfDocument => {
  const { customer, invoice, organization } = input
  const printing = sheetOf(invoice, invoice.status === "draft", input)
  const { format, labels, sheet } = printing
  const own = sellerLabels[sheet.language]
  const number = invoice.number ?? invoice.draft_reference
  return {
    ...sheet,
    draft: invoice.status === "void" ? labels.void : sheet.draft,
    title: `${labels.invoice} ${number}`,
    facts: labeled([
      [labels.invoice_number, number],
      [labels.issue_date, format.day(invoice.issue_date)],
      [labels.due_date, format.day(invoice.due_date)],
      [labels.payment_reference, invoice.payment_reference],
      taxNumberOf(customer, { vat: labels.your_tax_number, national: own.your_national_tax_number }),
      exchangeRateOf(invoice, printing)
    ]),
    totals: [
      ...sumsOf(invoice, printing),
      ...convertedTaxOf(invoice, printing),
      ...settlementOf(invoice, labels, format)
    ],
    due: { label: labels.amount_due, value: format.money(invoice.balance_due) },
    payment: paymentOf(invoice, organization, labels),
    sections: [
      ...sheet.sections,
      ...labeled([[own.late_payment, paymentWording(input, sheet.language).join("\n")]]).map(asSection)
    ]
  }
}

/** The total, and what became of it. */
const settlementOf = (
  invoice: PrintedInvoice,
  labels: DocumentLabels,
  format: DocumentFormat
): PdfDocument["totals"] => {
  const unlessZero = (label: string, amount: BigDecimal.BigDecimal) =>
    BigDecimal.isZero(amount) ? [] : [plain(label, format.amount(amount))]
  return [
    ...unlessZero(labels.rounding, invoice.rounding_adjustment),
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
  const { balance_due, number, payment_reference, status } = invoice
  if (number === null || status === "draft" || organization.iban === null) return null
  if (!BigDecimal.isPositive(balance_due)) return null
  const reference = payment_reference ?? number
  const payload = epcPayload({
    beneficiary: organization.name,
    iban: organization.iban,
    bic: organization.bic,
    amount: balance_due,
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
