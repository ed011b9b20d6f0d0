import type { Schema } from "effect"
import type { CreditNote } from "../../../billing/credit-notes/CreditNote.ts"
import { creditNoteDetails, invoiceDetails, quoteDetails } from "../../../billing/details/Details.ts"
import type { Attachment } from "../../../billing/invoices/attachments/Attachment.ts"
import type { Invoice } from "../../../billing/invoices/Invoice.ts"
import type { Payment } from "../../../billing/payments/Payment.ts"
import type { Quote } from "../../../billing/quotes/Quote.ts"
import { Day } from "../../../kernel/Calendar.ts"

export interface Example {
  readonly [key: string]: Schema.Json
}

/** The type of a record as it is sent, with timestamps as text. */
export type Wire<S extends Schema.Top> = S["Encoded"] extends infer Fields
  ? { readonly [Key in keyof Fields]: OnWire<Fields[Key]> }
  : never
type OnWire<Value> = Date extends Value
  ? Exclude<Value, Date>
  : Value extends ReadonlyArray<infer Item>
    ? ReadonlyArray<{ readonly [Key in keyof Item]: OnWire<Item[Key]> }>
    : Value

export const written = { created_at: "2026-03-01T10:00:00.000Z", updated_at: "2026-03-02T09:15:00.000Z" }

/** Example of the data that a client may store with a record. */
export const kept = { external_id: "A-1042", metadata: { project: "Alpha" } }

const beta = { id: 9, name: "Beta" }

const items = [
  {
    id: 1,
    position: 1,
    description: "Consulting",
    quantity: 3,
    unit: "HUR",
    unit_price: 100,
    discount: 0,
    discount_type: "percent",
    line_subtotal: 300,
    discount_amount: 0,
    line_total: 300,
    tax_exempt: false,
    tax_exemption_reason: null,
    tax_amount: 63,
    tax_rates: [{ id: 4, name: "VAT 21%", rate: 21, category: "S", taxable_amount: 300, tax_amount: 63 }],
    tax_rate_ids: [4]
  }
] as const

const tax_breakdown = [
  {
    tax_rate_id: 4,
    name: "VAT 21%",
    rate: 21,
    category: "S",
    taxable_amount: 300,
    tax_amount: 63
  }
] as const

/** The lines of a credit note that credits every line of the example invoice in full. */
const credited_items = items.map((item) => ({ ...item, id: 31, invoice_item_id: item.id, amount: null }))

const priced = { currency: "EUR", items, subtotal: 300, tax_total: 63, total: 363, tax_breakdown } as const

const unadjusted = { discounts: [], charges: [], discount_total: 0, charge_total: 0, prepaid_amount: 0 }

const detailed = {
  delivery_date: Day.make("2026-02-27"),
  purchase_order: "PO-7781",
  operation_nature: "services"
} as const

export const draftInvoice = {
  id: 42,
  number: null,
  invoice_number: null,
  draft_reference: "DRAFT-42",
  status: "draft",
  payment_status: "unpaid",
  is_overdue: false,
  days_overdue: 0,
  customer_id: 9,
  customer: beta,
  issue_date: "2026-03-01",
  due_date: "2026-03-31",
  ...priced,
  exchange_rate: null,
  ...unadjusted,
  ...invoiceDetails.answer(detailed),
  rounding_adjustment: 0,
  amount_paid: 0,
  amount_credited: 0,
  amount_refunded: 0,
  balance_due: 363,
  refundable_amount: 0,
  payment_reference: null,
  notes: null,
  terms: null,
  ...kept,
  issued_at: null,
  sent_at: null,
  sent_method: null,
  paid_at: null,
  voided_at: null,
  quote_id: null,
  ...written,
  version: 1
} satisfies Wire<typeof Invoice>

const sums = {
  sent: { payment_status: "unpaid", amount_paid: 0, balance_due: 363, paid_at: null },
  overdue: { payment_status: "unpaid", amount_paid: 0, balance_due: 363, paid_at: null },
  partially_paid: { payment_status: "partially_paid", amount_paid: 100, balance_due: 263, paid_at: null },
  paid: { payment_status: "paid", amount_paid: 363, balance_due: 0, paid_at: written.updated_at }
} as const

export const invoice = (status: keyof typeof sums) =>
  ({
    ...draftInvoice,
    ...sums[status],
    number: "INV-2026-0042",
    invoice_number: "INV-2026-0042",
    draft_reference: null,
    status,
    is_overdue: status === "overdue",
    days_overdue: status === "overdue" ? 1 : 0,
    payment_reference: "+++020/2600/04222+++",
    issued_at: written.created_at,
    sent_at: written.created_at,
    sent_method: "email",
    version: 3
  }) satisfies Wire<typeof Invoice>

export const attachment = {
  id: 14,
  invoice_id: 42,
  file_name: "timesheet.pdf",
  file_size: 48_213,
  mime_type: "application/pdf",
  description: null,
  created_at: written.created_at
} satisfies Wire<typeof Attachment>

export const quote = (status: "draft" | "sent" | "accepted" | "rejected") =>
  ({
    id: 12,
    number: status === "draft" ? null : "QUO-2026-0012",
    quote_number: status === "draft" ? null : "QUO-2026-0012",
    draft_reference: status === "draft" ? "DRAFT-12" : null,
    status,
    customer_id: 9,
    customer: beta,
    issue_date: "2026-02-20",
    valid_until: "2026-03-20",
    ...priced,
    ...unadjusted,
    ...quoteDetails.answer(detailed),
    notes: null,
    terms: null,
    ...kept,
    sent_at: status === "draft" ? null : written.created_at,
    accepted_at: status === "accepted" ? written.updated_at : null,
    rejected_at: status === "rejected" ? written.updated_at : null,
    rejection_reason: status === "rejected" ? "Too late." : null,
    converted_at: null,
    invoice_id: null,
    ...written,
    version: 2
  }) satisfies Wire<typeof Quote>

export const payment = (status: "completed" | "refunded") =>
  ({
    id: 31,
    invoice_id: 42,
    amount: 363,
    currency: "EUR",
    payment_date: "2026-03-02",
    payment_method: "bank_transfer",
    reference: "+++020/2600/04222+++",
    notes: null,
    refunded_amount: status === "refunded" ? 363 : 0,
    refunds:
      status === "refunded"
        ? [{ id: 5, amount: 363, reason: "Cancelled", refund_date: "2026-03-02", created_at: written.updated_at }]
        : [],
    bank_transaction_id: null,
    is_prepayment: false,
    ...kept,
    status,
    ...written,
    version: 1
  }) satisfies Wire<typeof Payment>

export const draftCreditNote = {
  id: 17,
  number: null,
  credit_note_number: null,
  draft_reference: "DRAFT-17",
  status: "draft",
  invoice_id: 42,
  customer_id: 9,
  customer: beta,
  original_invoice: {
    id: 42,
    number: "INV-2026-0042",
    issue_date: "2026-03-01",
    due_date: "2026-03-31",
    currency: "EUR",
    total: 363
  },
  issue_date: null,
  exchange_rate: null,
  reason: "Cancelled",
  credit_type: "full",
  credit_note_type_code: null,
  ...priced,
  items: credited_items,
  ...creditNoteDetails.answer(detailed),
  amount: 363,
  rounding_adjustment: 0,
  refundable_amount: 0,
  ...kept,
  sent_at: null,
  ...written,
  version: 1
} satisfies Wire<typeof CreditNote>

export const creditNote = {
  ...draftCreditNote,
  number: "CN-2026-0017",
  credit_note_number: "CN-2026-0017",
  draft_reference: null,
  status: "sent",
  issue_date: "2026-03-02",
  credit_note_type_code: "381",
  sent_at: written.updated_at,
  version: 2
} satisfies Wire<typeof CreditNote>

export const recordsExport = {
  id: 4,
  status: "completed",
  filters: { issued_from: "2026-01-01", issued_until: "2026-12-31" },
  object_count: 812,
  missing_object_count: 0,
  file_size_bytes: 48_213_004,
  manifest_sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  download_url: "https://invoicing.example/api/v1/archive/exports/4/download",
  error: null,
  created_at: "2026-03-02T09:10:00.000Z",
  completed_at: "2026-03-02T09:15:00.000Z",
  expires_at: "2026-03-09T09:15:00.000Z"
} satisfies Example

export const checkpoint = {
  id: 61,
  organization_id: 7,
  number: 61,
  seq: 8412,
  head: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  at: "2026-03-02T09:15:00.000Z",
  previous: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  public_key: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  signature: "5VZDAMNgrHKQhuzMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbvirlUUFDjnoQCw==",
  timestamp_token: null
} satisfies Example
