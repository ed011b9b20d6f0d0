import { BigDecimal } from "effect"
import { type CreditNote, default_type_code } from "../../billing/credit-notes/CreditNote.ts"
import type { Invoice } from "../../billing/invoices/Invoice.ts"
import type { EmbeddedFile } from "../../billing/invoices/attachments/Attachments.ts"
import { zero } from "../../kernel/Money.ts"
import type { DeliveryTime } from "../invoice/EInvoice.ts"
import type { SourceDocument } from "./FromDocument.ts"

/** Type code of UNTDID 1001. */
export const commercial_invoice = "380"

interface Naming {
  /** Placeholder for the number of an invoice that has none yet. */
  readonly name?: string
  /** Files to embed in the XML (BG-24). */
  readonly files?: ReadonlyArray<EmbeddedFile>
}

export const invoiceSource = (invoice: Invoice, { files = [], name = "" }: Naming = {}): SourceDocument => ({
  ...invoice,
  kind: "invoice",
  number: invoice.number ?? name,
  type_code: commercial_invoice,
  paid: BigDecimal.subtract(invoice.amount_paid, invoice.amount_refunded),
  delivery: deliveryOf(invoice),
  corrective_cause: null,
  attachments: files.map(embeddedAttachment),
  preceding_invoice: null
})

/** `today` and `name` replace the issue date and the number of a credit note that is not issued yet. */
export const creditNoteSource = (note: CreditNote, today: SourceDocument["issue_date"], name = ""): SourceDocument => ({
  ...note,
  kind: "credit_note",
  number: note.number ?? name,
  issue_date: note.issue_date ?? today,
  due_date: null,
  type_code: note.credit_note_type_code ?? default_type_code,
  discounts: [],
  charges: [],
  paid: zero,
  delivery: deliveryOf(note),
  payment_reference: null,
  payment_means: null,
  payee: null,
  attachments: [],
  notes: note.reason,
  terms: null,
  preceding_invoice: note.original_invoice
})

const embeddedAttachment = ({ attachment, content }: EmbeddedFile) => ({
  name: attachment.file_name,
  description: attachment.description,
  mime_type: attachment.mime_type,
  base64: content.toString("base64")
})

type Delivered = Pick<Invoice, "delivery_date" | "delivery_period">

const deliveryOf = ({ delivery_date, delivery_period }: Delivered): DeliveryTime | null =>
  delivery_date === null ? delivery_period : { date: delivery_date }
