import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { OrganizationStatistics } from "./OrganizationStatistics.ts"

export class OrganizationStatisticsRepo extends Context.Service<OrganizationStatisticsRepo>()(
  "invoicing/reports/organizations/OrganizationStatisticsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // An open invoice after its due date is overdue, as in the invoice list.
      const count = SqlSchema.findOne({
        Request: Schema.Struct({ organization_id: OrganizationId, today: Day }),
        Result: OrganizationStatistics,
        execute: ({ organization_id, today }) => sql`
          with counted as (
            select coalesce(sum(count), 0) as total, coalesce(sum(count) filter (where state = 'draft'), 0) as draft,
              coalesce(sum(count) filter (where state = 'paid'), 0) as paid,
              coalesce(sum(count) filter (where state in ('sent', 'partially_paid') and due_date < ${today}::date), 0)
                as overdue,
              coalesce(sum(count) filter (where state = 'sent' and due_date >= ${today}::date), 0) as sent
            from invoice_tallies where organization_id = ${organization_id} and state <> 'void'),
          owed as (
            select currency, sum(total - amount_credited - amount_paid + amount_refunded)::text as amount from invoices
            where organization_id = ${organization_id} and deleted_at is null and state in ('sent', 'partially_paid')
            group by currency order by currency)
          select
            (select count(*) from customers
              where organization_id = ${organization_id} and deleted_at is null) as customers,
            (select to_jsonb(counted) from counted) as invoices,
            (select count(*) from quotes
              where organization_id = ${organization_id} and deleted_at is null) as quotes,
            (select count(*) from expenses
              where organization_id = ${organization_id} and deleted_at is null) as expenses,
            (select coalesce(jsonb_agg(owed), '[]') from owed) as outstanding,
            (select count(*) from members where organization_id = ${organization_id} and status = 'active') as users`
      })

      return traced("OrganizationStatisticsRepo", { count })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
