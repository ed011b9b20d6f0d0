import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { callerEntry, type Entry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CreditNote } from "./CreditNote.ts"

export const creditNoteEvent = recordEvent("credit_note", CreditNote)

export const creditNoteEntry = (
  action: string,
  { currency, id, invoice_id, number, total }: Pick<CreditNote, "id" | "invoice_id" | "number" | "total" | "currency">,
  events?: Entry["events"],
  sealed: Entry["data"] = {}
) => {
  const amount = formatAmount(total, exponentOf(currency))
  return callerEntry(action, { credit_note_id: id, invoice_id, number, amount, currency, ...sealed }, events)
}
