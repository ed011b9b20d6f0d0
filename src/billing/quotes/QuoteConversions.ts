import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
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
    /** Locks and returns the quote that was converted to this invoice, if there is one. */
    readonly lock: (
      invoice: Pick<InvoiceFacts, "id" | "quote_id">
    ) => Effect.Effect<Option.Option<QuoteFacts>, never, CurrentOrganization>
    /** Makes a locked quote what it was before its conversion. */
    readonly undo: (quote: QuoteFacts) => Effect.Effect<void, never, Caller>
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

      const lock = Effect.fnUntraced(function* ({ id, quote_id }: Pick<InvoiceFacts, "id" | "quote_id">) {
        if (quote_id === null) return Option.none()
        const { id: organization_id } = yield* CurrentOrganization
        const quote = yield* repo.lock({ organization_id, id: quote_id })
        return Option.filter(quote, ({ invoice_id }) => invoice_id === id)
      })

      const hold = Effect.fn("QuoteConversions.hold")(function* (ids: ReadonlyArray<InvoiceId>) {
        const { id: organization_id } = yield* CurrentOrganization
        if (ids.length > 0) yield* repo.holdConverted(organization_id, ids)
      })

      return QuoteConversions.of({ hold, lock, undo })
    })
  ).pipe(Layer.provide(QuotesRepo.layer))
}
