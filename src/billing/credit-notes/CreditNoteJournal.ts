import { Effect } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { CreditNote } from "./CreditNote.ts"

export const creditNoteEvent = recordEvent("credit_note", CreditNote)

/** The audit entry of something done to a credit note, with the events it causes. */
export const creditNoteEntry = Effect.fnUntraced(function* (
  action: string,
  note: Pick<CreditNote, "id" | "invoice_id" | "number" | "total" | "currency">,
  events: NonNullable<Entry["events"]> = []
): Effect.fn.Return<Entry, never, CurrentOrganization | CurrentPrincipal> {
  const { id: organization_id } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  const { currency, id: credit_note_id, invoice_id, number } = note
  const amount = formatAmount(note.total, exponentOf(currency))
  return { organization_id, actor, action, data: { credit_note_id, invoice_id, number, amount, currency }, events }
})
