import { formatAmount } from "../../kernel/Money.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { InvoicePdfDocument } from "../printing/documents/InvoicePdfDocument.ts"
import { labelsIn } from "../printing/labels/Labels.ts"

export interface WaysToPay {
  readonly payment: InvoicePdfDocument["payment"]
  /** Values of the placeholders in the organization's `payment_url`; null if the invoice is not to be paid online. */
  readonly payable: Readonly<Record<"number" | "amount" | "currency" | "reference", string>> | null
}

/** Returns what the portal shows about the payment of an invoice with an amount due. */
export const waysToPay = (invoice: Invoice, { language, payment }: InvoicePdfDocument): WaysToPay => {
  const method = invoice.payment_means?.method ?? "bank_transfer"
  const isTransfer = payment !== null && method === "bank_transfer"
  return {
    // The title of the PDF is neutral; here it asks for a transfer, which only a customer who pays by transfer makes.
    payment: isTransfer ? { ...payment, title: labelsIn[language].portal.transfer } : payment,
    // The organization collects the amount of a direct debit, so that an online payment would be a second one.
    payable: method === "direct_debit" ? null : payableOf(invoice)
  }
}

const payableOf = ({ balance_due, currency, number, payment_reference }: Invoice): WaysToPay["payable"] => ({
  number: number ?? "",
  amount: formatAmount(balance_due, exponentOf(currency)),
  currency,
  reference: payment_reference ?? number ?? ""
})
