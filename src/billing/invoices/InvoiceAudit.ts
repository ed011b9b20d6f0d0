import { Effect, Schema, Struct } from "effect"
import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Invoice, type InvoiceStatus, isPaidAtIssue } from "./Invoice.ts"

/** Omits the warnings of an invoice, which only the answer to a request contains. */
export const invoiceEvent = recordEvent("invoice", Schema.Struct(Struct.omit(Invoice.fields, ["warnings"])))

/**
 * Builds the event of an invoice whose status or amounts changed otherwise than by sending it: by a payment, a refund or
 * a credit note, by its issue, or because its issue was undone. Every change of an invoice causes an event, so that a
 * client of webhooks never holds an outdated invoice (rules/webhooks.md, Events).
 */
export const statusEvent = (invoice: Invoice, before: InvoiceStatus) =>
  invoiceEvent(invoice.status === "paid" && before !== "paid" ? "invoice.paid" : "invoice.updated", invoice, before)

/**
 * The events of an invoice that is marked as sent, which issues a draft. An invoice with nothing to pay is paid as soon
 * as it is issued.
 */
export const sentEvents = Effect.fnUntraced(function* (invoice: Invoice, before: InvoiceStatus) {
  const sent = yield* invoiceEvent("invoice.sent", invoice, before)
  return before === "draft" && isPaidAtIssue(invoice)
    ? [sent, yield* invoiceEvent("invoice.paid", invoice, before)]
    : [sent]
})

export const invoiceEntry = (
  action: string,
  { id, number }: Pick<Invoice, "id" | "number">,
  events?: Entry["events"],
  sealed: Entry["data"] = {}
) => callerEntry(action, { invoice_id: id, number, ...sealed }, events)
