import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { InvoiceId, QuoteId } from "../../kernel/Ids.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { QuoteFacts } from "./Quote.ts"
import { quoteEntry } from "./QuoteAudit.ts"
import { QuotesRepo } from "./QuotesRepo.ts"

/** Undoes the conversion of a quote when the draft invoice that it became is deleted (rules/quotes.md, Conversion). */
export class QuoteConversions extends Context.Service<
  QuoteConversions,
  {
    /**
     * Locks the quotes that were converted to these invoices. A transaction that deletes several invoices calls this
     * before its first write, because the audit log must be locked last.
     */
    readonly hold: (invoice_ids: ReadonlyArray<InvoiceId>) => Effect.Effect<void, never, CurrentOrganization>
    /** Locks the quote of an invoice, if it has one, and returns the effect that makes it convertible again. */
    readonly undoing: (invoice: {
      readonly id: InvoiceId
      readonly quote_id: QuoteId | null
    }) => Effect.Effect<Effect.Effect<void, never, Caller>, never, CurrentOrganization>
  }
>()("invoicing/billing/quotes/QuoteConversions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* QuotesRepo

      const undo = Effect.fn("QuoteConversions.undo")(function* (stored: QuoteFacts) {
        const { id: organization_id } = yield* CurrentOrganization
        const { accepted_at, sent_at, version } = stored
        const status = accepted_at !== null ? "accepted" : sent_at !== null ? "sent" : "draft"
        const unconverted = { status, invoice_id: null, converted_at: null } as const
        const facts = { ...stored, ...unconverted, updated_at: yield* now, version: version + 1 }
        yield* repo.save(organization_id, facts, yield* quoteEntry("quote.conversion_undone", facts))
      })

      const undoing = Effect.fnUntraced(function* ({
        id,
        quote_id
      }: Parameters<QuoteConversions["Service"]["undoing"]>[0]) {
        if (quote_id === null) return Effect.void
        const { id: organization_id } = yield* CurrentOrganization
        const quote = yield* repo.lock({ organization_id, id: quote_id })
        return Option.isSome(quote) && quote.value.invoice_id === id ? undo(quote.value) : Effect.void
      })

      const hold = Effect.fn("QuoteConversions.hold")(function* (ids: ReadonlyArray<InvoiceId>) {
        const { id: organization_id } = yield* CurrentOrganization
        if (ids.length > 0) yield* repo.holdConverted(organization_id, ids)
      })

      return QuoteConversions.of({ hold, undoing })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}
