import { BigDecimal, Struct } from "effect"
import { documentFormat } from "../printing/DocumentFormat.ts"
import type { InvoicePdfDocument } from "../printing/documents/InvoicePdfDocument.ts"
import { type PaymentFacts, refundableOf } from "../payments/Payment.ts"
import { labeled } from "../printing/DocumentPdf.ts"
import { labelsIn } from "../printing/labels/Labels.ts"
import type { Invoice } from "../invoices/Invoice.ts"

export const receiptTemplate = new URL("../printing/templates/receipt.typ", import.meta.url)

export const receiptPage = (
  { currency, number }: Pick<Invoice, "currency" | "number">,
  sheet: InvoicePdfDocument,
  payments: ReadonlyArray<PaymentFacts>
) => {
  const { language, region } = sheet
  const { details, receipt } = labelsIn[language]
  const format = documentFormat(language, `${language}-${region}`, currency)
  const methods: Readonly<Record<string, string>> = {
    ...details.methods,
    sepa_credit_transfer: details.methods.bank_transfer
  }
  return {
    // The QR code of the tax authority belongs on the invoice only.
    ...Struct.omit(sheet, ["tax_qr"]),
    title: `${receipt.title} ${number ?? ""}`,
    draft: null,
    facts: labeled([[receipt.number, number]]),
    columns: [receipt.paid_on, details.payment_method, receipt.amount],
    payments: payments.map((payment) => [
      format.day(payment.payment_date),
      methods[payment.payment_method] ?? receipt.other,
      format.money(refundableOf(payment))
    ]),
    due: { label: receipt.total, value: format.money(BigDecimal.sumAll(payments.map(refundableOf))) }
  }
}
