import { Effect } from "effect"
import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Invoice, type InvoiceStatus, isPaidAtIssue } from "./Invoice.ts"

export const invoiceEvent = recordEvent("invoice", Invoice)

/**
 * Builds the event of an invoice that was changed by an action on another record, such as a refund, a deleted payment
 * or a credit note: the invoice has become paid, or it was only updated. Every change of an invoice causes an event
 * with the invoice, so that a client of webhooks never holds an outdated one (rules/webhooks.md, Events).
 */
export const movedEvent = (invoice: Invoice, before: InvoiceStatus) =>
  invoiceEvent(invoice.status === "paid" && before !== "paid" ? "invoice.paid" : "invoice.updated", invoice, before)

/** The events of a first send. An invoice with nothing to pay is paid as soon as it is issued. */
export const sentEvents = Effect.fnUntraced(function* (invoice: Invoice, before: InvoiceStatus) {
  const sent = yield* invoiceEvent("invoice.sent", invoice, before)
  return before === "draft" && isPaidAtIssue(invoice)
    ? [sent, yield* invoiceEvent("invoice.paid", invoice, before)]
    : [sent]
})

/**
 * Builds the audit entry of an action on an invoice, with the events of the action and the seal, if the action seals
 * the invoice.
 */
export const invoiceEntry = (
  action: string,
  { id, number }: Pick<Invoice, "id" | "number">,
  events?: Entry["events"],
  sealed: Entry["data"] = {}
) => callerEntry(action, { invoice_id: id, number, ...sealed }, events)
