import { Schema } from "effect"

/** Events of the spec's catalog, and our additions to it. */
export const EventName = Schema.Literals([
  "invoice.created",
  "invoice.updated",
  "invoice.sent",
  "invoice.paid",
  "invoice.overdue",
  "invoice.deleted",
  "invoice.partially_paid",
  "attachment.deleted",
  "quote.created",
  "quote.accepted",
  "quote.rejected",
  "quote.deleted",
  "expense.created",
  "expense.deleted",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "contact.deleted",
  "payment.created",
  "payment.refunded",
  "payment.deleted",
  "credit_note.created",
  "credit_note.sent",
  "credit_note.deleted",
  "einvoice.sent",
  "einvoice.delivered",
  "einvoice.failed",
  "bank_statement.imported",
  "bank_transaction.matched",
  "bank_rule.deleted",
  "receipt.processed",
  "archive.export_completed",
  "archive.checkpoint"
]).annotate({ identifier: "EventName", description: "Name of an event." })
export type EventName = typeof EventName.Type
