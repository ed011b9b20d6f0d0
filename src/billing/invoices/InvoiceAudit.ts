import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Invoice } from "./Invoice.ts"

export const invoiceEvent = recordEvent("invoice", Invoice)

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
