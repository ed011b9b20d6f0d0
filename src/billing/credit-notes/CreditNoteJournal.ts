import { Effect, Schema } from "effect"
import type { EventName } from "../../kernel/EventName.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { CreditNote, type CreditNoteStatus } from "./CreditNote.ts"

const encode = Schema.encodeEffect(CreditNote)

export const creditNoteEvent = Effect.fnUntraced(function* (
  type: EventName,
  note: CreditNote,
  before?: CreditNoteStatus
) {
  // The encoded form of a response is JSON by construction.
  const attributes = (yield* Effect.orDie(encode(note))) as unknown as Json
  const previous = before === undefined ? {} : { previous: { status: before } }
  return { type, data: { object: "credit_note", id: note.id, attributes, ...previous } }
})

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
