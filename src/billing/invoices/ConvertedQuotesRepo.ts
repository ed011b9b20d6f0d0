import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { InvoiceId, OrganizationId, QuoteId } from "../../kernel/Ids.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"

const Converted = Schema.Struct({ organization_id: OrganizationId, id: QuoteId, number: Schema.NullOr(Schema.String) })
type Converted = typeof Converted.Type

/**
 * Undoes the conversion of quotes whose draft invoice is deleted. This file is not in the folder `quotes`, because
 * `quotes` imports `invoices`.
 */
export class ConvertedQuotesRepo extends Context.Service<ConvertedQuotesRepo>()(
  "invoicing/billing/invoices/ConvertedQuotesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const auditLog = yield* AuditLog

      const lock = SqlSchema.findOneOption({
        Request: Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId }),
        Result: Converted,
        execute: ({ invoice_id, organization_id }) => sql`
          select organization_id, id, number from quotes
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

      const undo = Effect.fn("ConvertedQuotesRepo.undo")(function* ({ id, number, organization_id }: Converted) {
        yield* auditLog.write(
          sql`written as (
            update quotes set invoice_id = null, converted_at = null, converted_from = null, updated_at = now(),
              version = version + 1, status = coalesce(converted_from, case when accepted_at is not null then 'accepted'
                when sent_at is not null then 'sent' else 'draft' end)
            where organization_id = ${organization_id} and id = ${id} returning id)`,
          yield* callerEntry("quote.conversion_undone", { quote_id: id, number, invoice_id: null })
        )
      })

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
  static readonly layer = Layer.effect(this, this.make)
}
