import { Effect, Schema } from "effect"
import type { EventName } from "../../kernel/EventName.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"
import type { Entry } from "../../platform/events/Journal.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Quote, type QuoteStatus } from "./Quote.ts"

const encode = Schema.encodeEffect(Quote)

/** What a quote's events carry: the quote as GET answers it, and the status it had before. */
export const quoteEvent = Effect.fnUntraced(function* (type: EventName, quote: Quote, before?: QuoteStatus) {
  // The encoded form of a response is JSON by construction.
  const attributes = (yield* Effect.orDie(encode(quote))) as unknown as Json
  const previous = before === undefined ? {} : { previous: { status: before } }
  return { type, data: { object: "quote", id: quote.id, attributes, ...previous } }
})

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
