import { Context, Effect, Layer, type Option } from "effect"
import { todayHere } from "../../platform/http/Today.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import { orNotFound } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { complete } from "../quotes/Quote.ts"
import { quoteEntry, quoteEvent } from "../quotes/QuoteAudit.ts"
import { QuotesRepo } from "../quotes/QuotesRepo.ts"
import { type Converted, ConvertedQuotesRepo } from "./ConvertedQuotesRepo.ts"

/**
 * Undoes the conversion of quotes whose draft invoice is deleted. Invoices import this folder, which imports the
 * records of quotes. The folder `quotes` itself imports invoices, so that invoices cannot import it.
 */
export class ConvertedQuotes extends Context.Service<
  ConvertedQuotes,
  {
    /** Locks the quotes of invoices that a transaction will delete, before its first write. */
    readonly hold: (ids: ReadonlyArray<InvoiceId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly lock: (id: InvoiceId) => Effect.Effect<Option.Option<Converted>, never, CurrentOrganization>
    readonly undo: (quote: Converted) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/billing/conversions/ConvertedQuotes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ConvertedQuotesRepo
      const quotes = yield* QuotesRepo
      const auditLog = yield* AuditLog

      const hold = (ids: ReadonlyArray<InvoiceId>) =>
        Effect.flatMap(CurrentOrganization, ({ id }) => repo.hold(id, ids))

      const lock = (invoice_id: InvoiceId) =>
        Effect.flatMap(CurrentOrganization, ({ id: organization_id }) => repo.lock({ organization_id, invoice_id }))

      const undo = Effect.fn("ConvertedQuotes.undo")(function* (converted: Converted) {
        yield* repo.reopen(converted)
        const quote = complete(yield* orNotFound(quotes.find(converted)), yield* todayHere)
        const event = yield* quoteEvent("quote.updated", quote, "converted")
        yield* auditLog.append(yield* quoteEntry("quote.conversion_undone", quote, [event]))
      }, Effect.orDie)

      return ConvertedQuotes.of({ hold, lock, undo })
    })
  ).pipe(Layer.provide([ConvertedQuotesRepo.layer, QuotesRepo.layer]))
}
