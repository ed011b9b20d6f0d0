import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Days } from "../../../billing/sales/DatedSale.ts"
import { Day } from "../../../kernel/Calendar.ts"
import { CurrencyCode } from "../../../kernel/Currency.ts"
import { ExpenseId, OrganizationId } from "../../../kernel/Ids.ts"
import { Amount } from "../../../kernel/Money.ts"
import { traced } from "../../../platform/sql/Traced.ts"

/**
 * An expense without tax. The tax number comes from the supplier's e-invoice, as does the country if the expense has
 * none; that country is a text that need not be a code.
 */
const Purchase = Schema.Struct({
  id: ExpenseId,
  expense_date: Day,
  amount: Amount,
  currency: CurrencyCode,
  country: Schema.String,
  vendor: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String),
  tax_number: Schema.NullOr(Schema.String)
})
export type Purchase = typeof Purchase.Type

const decodeDigests = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ fingerprint: Schema.String })))

export class PurchasesRepo extends Context.Service<PurchasesRepo>()(
  "invoicing/einvoicing/france/reporting/PurchasesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const dated = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, start: Day, end: Day }),
        Result: Purchase,
        execute: ({ end, organization_id, start }) => sql`
          select e.id, e.expense_date::text, e.amount, e.currency, coalesce(e.country, r.country) as country, e.vendor,
            e.reference, r.tax_number
          from untaxed_expenses e
          left join lateral (
            select supplier->>'country' as country, supplier->>'tax_number' as tax_number from received_documents
            where organization_id = e.organization_id and expense_id = e.id limit 1) r on true
          where e.organization_id = ${organization_id} and e.expense_date between ${start}::date and ${end}::date
            and coalesce(e.country, r.country) is not null
          order by e.expense_date, e.id`
      })

      /** Returns for each range a text that changes when a purchase in the range changes. */
      const fingerprints = Effect.fn("PurchasesRepo.fingerprints")(function* (
        organization_id: OrganizationId,
        ranges: ReadonlyArray<Days>
      ) {
        const asked = ranges.map(({ end, start }) => ({ first: start, last: end }))
        const rows = yield* sql`
          select coalesce((select md5(string_agg(concat_ws('.', id, version), ' ' order by id))
            from untaxed_expenses
            where organization_id = ${organization_id} and expense_date between first and last), '') as fingerprint
          from rows from (jsonb_to_recordset(${sql.json(asked)}) as (first date, last date))
            with ordinality as ranges (first, last, place)
          order by place`
        return (yield* decodeDigests(rows)).map(({ fingerprint }) => fingerprint)
      }, Effect.orDie)

      return { ...traced("PurchasesRepo", { dated }), fingerprints }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
