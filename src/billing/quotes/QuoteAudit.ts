import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Quote } from "./Quote.ts"

export const quoteEvent = recordEvent("quote", Quote)

export const quoteEntry = (
  action: string,
  { id, invoice_id, number }: Pick<Quote, "id" | "number" | "invoice_id">,
  events?: Entry["events"]
) => callerEntry(action, { quote_id: id, number, invoice_id }, events)
