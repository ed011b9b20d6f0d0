import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { today as todayIn } from "../../kernel/Calendar.ts"
import { InvoiceId, OrganizationId, QuoteId } from "../../kernel/Ids.ts"
import { orNotFound } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { complete } from "../quotes/Quote.ts"
import { quoteEntry, quoteEvent } from "../quotes/QuoteAudit.ts"
import { QuotesRepo } from "../quotes/QuotesRepo.ts"

const Converted = Schema.Struct({ organization_id: OrganizationId, id: QuoteId })
type Converted = typeof Converted.Type

/**
 * Undoes the conversion of quotes whose draft invoice is deleted. Invoices import this folder, which imports the
 * records of quotes. The folder `quotes` itself imports invoices, so that invoices cannot import it.
 */
export class ConvertedQuotesRepo extends Context.Service<ConvertedQuotesRepo>()(
  "invoicing/billing/conversions/ConvertedQuotesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const auditLog = yield* AuditLog
      const quotes = yield* QuotesRepo

      const lock = SqlSchema.findOneOption({
        Request: Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId }),
        Result: Converted,
        execute: ({ invoice_id, organization_id }) => sql`
          select organization_id, id from quotes
          where organization_id = ${organization_id} and invoice_id = ${invoice_id} and deleted_at is null
            and id = (select quote_id from invoices where organization_id = ${organization_id} and id = ${invoice_id})
          for update`
      })

      const hold = Effect.fn("ConvertedQuotesRepo.hold")(function* (
        organization_id: OrganizationId,
        invoice_ids: ReadonlyArray<InvoiceId>
      ) {
        if (invoice_ids.length === 0) return
        yield* sql`
          select id from quotes where organization_id = ${organization_id} and id in (
            select quote_id from invoices where organization_id = ${organization_id} and ${sql.in("id", invoice_ids)})
          order by id for update`
      }, Effect.orDie)

      const undo = Effect.fn("ConvertedQuotesRepo.undo")(function* (key: Converted) {
        yield* sql`
          update quotes set invoice_id = null, converted_at = null, converted_from = null, updated_at = now(),
            version = version + 1, status = coalesce(converted_from, case when accepted_at is not null then 'accepted'
              when sent_at is not null then 'sent' else 'draft' end)
          where organization_id = ${key.organization_id} and id = ${key.id}`
        const { timezone } = yield* CurrentOrganization
        const quote = complete(yield* orNotFound(quotes.find(key)), yield* todayIn(timezone))
        const event = yield* quoteEvent("quote.updated", quote, "converted")
        yield* auditLog.append(yield* quoteEntry("quote.conversion_undone", quote, [event]))
      }, Effect.orDie)

      return {
        /** Locks the quotes of invoices that a transaction will delete, before its first write. */
        hold,
        lock: (organization_id: OrganizationId, invoice_id: InvoiceId): Effect.Effect<Option.Option<Converted>> =>
          lock({ organization_id, invoice_id }).pipe(Effect.orDie),
        undo
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(QuotesRepo.layer))
}
