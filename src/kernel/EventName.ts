import { Schema } from "effect"

/** Events of the spec's catalog, and the ones added to it. */
export const EventName = Schema.Literals([
  "invoice.created",
  "invoice.updated",
  "invoice.sent",
  "invoice.paid",
  "invoice.overdue",
  "invoice.deleted",
  "invoice.partially_paid",
  "quote.created",
  "quote.accepted",
  "quote.rejected",
  "expense.created",
  "customer.created",
  "customer.updated",
  "payment.created",
  "payment.refunded",
  "credit_note.created",
  "credit_note.sent",
  "einvoice.sent",
  "einvoice.delivered",
  "einvoice.failed",
  "bank_statement.imported",
  "bank_transaction.matched",
  "receipt.processed",
  "archive.export_completed",
  "archive.checkpoint"
])
export type EventName = typeof EventName.Type
