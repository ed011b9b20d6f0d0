import { BigDecimal } from "effect"
import type { CreditNoteFacts } from "../../billing/credit-notes/CreditNote.ts"
import { default_type_code } from "../../billing/credit-notes/CreditNote.ts"
import type { InvoiceFacts } from "../../billing/invoices/Invoice.ts"
import { zero } from "../../kernel/Money.ts"
import type { SourceDocument } from "./FromDocument.ts"

/** UNTDID 1001. */
const commercial_invoice = "380"

const undetailed = {
  discounts: [],
  charges: [],
  delivery: null,
  delivery_address: null,
  purchase_order: null,
  buyer_reference: null,
  contract_reference: null,
  project_reference: null,
  operation_nature: null,
  corrective_cause: null,
  payment_means: null,
  payee: null,
  attachments: []
} as const

/** `name` stands for the number of an invoice that has none yet. */
export const invoiceSource = (invoice: InvoiceFacts, name = ""): SourceDocument => ({
  ...invoice,
  kind: "invoice",
  number: invoice.number ?? name,
  type_code: commercial_invoice,
  paid: BigDecimal.subtract(invoice.amount_paid, invoice.amount_refunded),
  ...undetailed,
  preceding_invoice: null
})

/** `today` stands for the day of a note that is not issued yet. */
export const creditNoteSource = (
  note: Omit<CreditNoteFacts, "sequence">,
  today: SourceDocument["issue_date"]
): SourceDocument => ({
  ...note,
  kind: "credit_note",
  number: note.number ?? "",
  issue_date: note.issue_date ?? today,
  due_date: null,
  type_code: note.credit_note_type_code ?? default_type_code,
  paid: zero,
  ...undetailed,
  payment_reference: null,
  notes: note.reason,
  terms: null,
  preceding_invoice: note.original_invoice
})
