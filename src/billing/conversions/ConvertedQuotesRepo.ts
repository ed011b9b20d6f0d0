import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { InvoiceId, OrganizationId, QuoteId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Converted = Schema.Struct({ organization_id: OrganizationId, id: QuoteId })
export type Converted = typeof Converted.Type

export class ConvertedQuotesRepo extends Context.Service<ConvertedQuotesRepo>()(
  "invoicing/billing/conversions/ConvertedQuotesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

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

      const reopen = SqlSchema.void({
        Request: Converted,
        execute: ({ id, organization_id }) => sql`
          update quotes set invoice_id = null, converted_at = null, converted_from = null, updated_at = now(),
            version = version + 1, status = coalesce(converted_from, case when accepted_at is not null then 'accepted'
              when sent_at is not null then 'sent' else 'draft' end)
          where organization_id = ${organization_id} and id = ${id}`
      })

      return {
        ...traced("ConvertedQuotesRepo", {
          lock,
          /** Gives the quote the status that it had before its conversion. */
          reopen
        }),
        hold
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
