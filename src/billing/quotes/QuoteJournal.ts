import { Effect } from "effect"
import type { Entry } from "../../platform/events/Journal.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Quote } from "./Quote.ts"

export const quoteEvent = recordEvent("quote", Quote)

/** The audit entry of something done to a quote, with the events it causes. */
export const quoteEntry = Effect.fnUntraced(function* (
  action: string,
  quote: Pick<Quote, "id" | "number" | "invoice_id">,
  events: NonNullable<Entry["events"]> = []
): Effect.fn.Return<Entry, never, CurrentOrganization | CurrentPrincipal> {
  const { id: organization_id } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  const { id: quote_id, invoice_id, number } = quote
  return { organization_id, actor, action, data: { quote_id, number, invoice_id }, events }
})
