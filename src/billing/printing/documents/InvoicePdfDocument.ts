import { BigDecimal, Option } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { zero } from "../../../kernel/Money.ts"
import type { PrintedOrganization } from "../../correspondence/Correspondents.ts"
import { asSection, labeled, sheetOf } from "../DocumentPdf.ts"
import type { LabeledText, PdfDocument, Printed, PrintedDocument, Printing } from "../DocumentPdf.ts"
import { convertedTaxOf, exchangeRateOf, plain, sumsOf } from "../DocumentSums.ts"
import { detailFacts, detailSections, inGroups, payeeText, paymentMeansRows } from "../DetailFacts.ts"
import { paymentWording, taxNumberOf } from "../SellerFacts.ts"
import type { InvoiceStatus } from "../../invoices/Invoice.ts"
import { epcPayload, qrSvg } from "../EpcQr.ts"
import { labelsIn } from "../labels/Labels.ts"

/** The status is printed only for a draft or a void invoice. */
export interface PrintedInvoice extends PrintedDocument {
  readonly status: InvoiceStatus
  readonly due_date: Day
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly amount_paid: BigDecimal.BigDecimal
  /** `amount_paid` includes this amount. */
  readonly prepaid_amount: BigDecimal.BigDecimal
  readonly amount_credited: BigDecimal.BigDecimal
  readonly amount_refunded: BigDecimal.BigDecimal
  readonly balance_due: BigDecimal.BigDecimal
  readonly refundable_amount: BigDecimal.BigDecimal
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

export const invoiceTemplate = new URL("../templates/invoice.typ", import.meta.url)

export const invoicePdf = (input: Printed & { readonly invoice: PrintedInvoice }): InvoicePdfDocument => {
  const { customer, invoice, organization } = input
  const printing = sheetOf(invoice, invoice.status === "draft", input)
  const { format, labels, sheet } = printing
  const { seller: own, state } = labelsIn[sheet.language]
  const number = invoice.number ?? invoice.draft_reference
  return {
    ...sheet,
    draft: invoice.status === "void" ? state.void : sheet.draft,
    title: `${labels.invoice} ${number}`,
    facts: labeled([
      [labels.invoice_number, number],
      [labels.issue_date, format.day(invoice.issue_date)],
      [labels.due_date, format.day(invoice.due_date)],
      [labels.payment_reference, invoice.payment_reference],
      taxNumberOf(customer, "yours", sheet.language),
      exchangeRateOf(invoice, printing),
      ...detailFacts(invoice, printing)
    ]),
    totals: [...sumsOf(invoice, printing), ...convertedTaxOf(invoice, printing), ...settlementOf(invoice, printing)],
    due: { label: labels.amount_due, value: format.money(invoice.balance_due) },
    payment: paymentOf(invoice, organization, printing),
    sections: [
      ...labeled(detailSections(invoice, customer.country, printing)).map(asSection),
      ...sheet.sections,
      ...labeled([[own.late_payment, paymentWording(input, sheet.language).join("\n")]]).map(asSection)
    ]
  }
}

/**
 * Returns the rows of the total and of its settlement: prepaid, paid, refunded, credited, overpaid. The amount due
 * before credit notes is printed because it is the amount payable in the embedded e-invoice (BT-115): the customer books
 * a credit note as a document of its own.
 */
const settlementOf = (
  invoice: PrintedInvoice,
  { format, labels, sheet: { language } }: Printing
): PdfDocument["totals"] => {
  const unlessZero = (label: string, amount: BigDecimal.BigDecimal) =>
    BigDecimal.isZero(amount) ? [] : [plain(label, format.money(amount))]
  const paid_since = BigDecimal.subtract(invoice.amount_paid, invoice.prepaid_amount)
  const settled = BigDecimal.subtract(invoice.amount_paid, invoice.amount_refunded)
  const payable = BigDecimal.max(zero, BigDecimal.subtract(invoice.total, settled))
  const credited = [
    plain(labels.due_before_credit, format.money(payable)),
    plain(labels.credited, format.money(BigDecimal.negate(invoice.amount_credited)))
  ]
  return [
    ...unlessZero(labels.rounding, invoice.rounding_adjustment),
    { label: labels.total, value: format.money(invoice.total), strong: true },
    ...unlessZero(labelsIn[language].details.prepaid, BigDecimal.negate(invoice.prepaid_amount)),
    ...unlessZero(labels.paid, BigDecimal.negate(paid_since)),
    ...unlessZero(labels.refunded, invoice.amount_refunded),
    ...(BigDecimal.isZero(invoice.amount_credited) ? [] : credited),
    ...unlessZero(labels.overpaid, invoice.refundable_amount)
  ]
}

/**
 * A draft has no payment section. An issued invoice states its means of payment, or else requests a transfer of the
 * balance.
 */
const paymentOf = (
  invoice: PrintedInvoice,
  organization: PrintedOrganization,
  printing: Printing
): PdfPayment | null => {
  const { number, payment_means, status } = invoice
  if (number === null || status === "draft") return null
  if (payment_means && payment_means.method !== "bank_transfer") {
    const rows = labeled([...paymentMeansRows(invoice, printing), [printing.labels.beneficiary, payeeText(invoice)]])
    return { title: printing.labels.payment, rows, qr: null }
  }
  return transferOf(invoice, number, organization, printing)
}

/** The account that the invoice names, such as that of a factor; otherwise that of the organization. */
const accountOf = ({ payment_means: means }: PrintedInvoice, { bic, iban }: PrintedOrganization) =>
  means?.iban ? { iban: means.iban, bic: means.bic ?? null } : { iban, bic }

const transferOf = (
  invoice: PrintedInvoice,
  number: string,
  organization: PrintedOrganization,
  { labels }: Printing
): PdfPayment | null => {
  const { balance_due, currency, payee, payment_reference } = invoice
  const { name } = organization
  const { bic, iban } = accountOf(invoice, organization)
  if (iban === null || !BigDecimal.isPositive(balance_due)) return null
  const reference = payment_reference ?? number
  const beneficiary = payee?.name ?? name
  const payload = epcPayload({ beneficiary, iban, bic, amount: balance_due, currency, reference })
  return {
    title: labels.payment,
    rows: labeled([
      [labels.beneficiary, payeeText(invoice) ?? name],
      ["IBAN", inGroups(iban)],
      ["BIC", bic],
      [labels.reference, reference]
    ]),
    qr: Option.getOrNull(Option.map(payload, (text) => ({ svg: qrSvg(text), caption: labels.scan_to_pay })))
  }
}
