import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../kernel/Calendar.ts"
import { OrganizationId } from "../kernel/Ids.ts"
import { OrganizationStatistics } from "./OrganizationStatistics.ts"

const Counted = Schema.Struct(Struct.omit(OrganizationStatistics.fields, ["expenses"]))

export class OrganizationStatisticsRepo extends Context.Service<OrganizationStatisticsRepo>()(
  "invoicing/reports/OrganizationStatisticsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Precedence of the states, contract section 5: draft, credited, paid, overdue, partially paid, sent.
      const count = SqlSchema.findOne({
        Request: Schema.Struct({ organization_id: OrganizationId, today: Day }),
        Result: Counted,
        execute: ({ organization_id, today }) => sql`
          with facts as (
            select currency, total - amount_credited - amount_paid + amount_refunded as net,
              issued_at is null as draft,
              issued_at is not null and amount_credited > 0 and amount_credited = total as credited,
              amount_paid > amount_refunded or amount_credited > 0 as settled_in_part,
              due_date < ${today}::date as late
            from invoices where organization_id = ${organization_id} and deleted_at is null),
          kept as (select *, not draft and not credited and net > 0 as open from facts),
          counted as (
            select count(*) as total, count(*) filter (where draft) as draft,
              count(*) filter (where not draft and not credited and net <= 0) as paid,
              count(*) filter (where open and late) as overdue,
              count(*) filter (where open and not late and not settled_in_part) as sent
            from kept),
          owed as (
            select currency, sum(net)::text as amount from kept where open group by currency order by currency)
          select
            (select count(*) from customers
              where organization_id = ${organization_id} and deleted_at is null) as customers,
            (select to_jsonb(counted) from counted) as invoices,
            (select count(*) from quotes
              where organization_id = ${organization_id} and deleted_at is null) as quotes,
            (select coalesce(jsonb_agg(owed), '[]') from owed) as outstanding,
            (select count(*) from members where organization_id = ${organization_id} and status = 'active') as users`
      })

      return { count: Effect.fn("OrganizationStatisticsRepo.count")(count, Effect.orDie) }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
