import { Effect } from "effect"
import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Invoice, type InvoiceStatus, isPaidAtIssue } from "./Invoice.ts"

export const invoiceEvent = recordEvent("invoice", Invoice)

/**
 * The events of an issue besides `invoice.sent`: an invoice without anything to pay is paid as soon as it is issued.
 */
export const issueEvents = Effect.fnUntraced(function* (invoice: Invoice) {
  return isPaidAtIssue(invoice) ? [yield* invoiceEvent("invoice.paid", invoice, "draft")] : []
})

/** The events of a first sending, which issues a draft. */
export const sentEvents = Effect.fnUntraced(function* (invoice: Invoice, before: InvoiceStatus) {
  const sent = yield* invoiceEvent("invoice.sent", invoice, before)
  return before === "draft" ? [sent, ...(yield* issueEvents(invoice))] : [sent]
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
