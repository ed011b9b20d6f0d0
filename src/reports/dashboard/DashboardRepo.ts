import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { period } from "../periods/Period.ts"
import { Standing } from "./Dashboard.ts"

const Request = Schema.Struct({
  organization_id: OrganizationId,
  /** The organization's currency, with its number of decimals in `exponent`. */
  currency: CurrencyCode,
  exponent: Schema.Int,
  today: Day,
  ...period
})

export class DashboardRepo extends Context.Service<DashboardRepo>()("invoicing/reports/dashboard/DashboardRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // An index contains the amounts owed, but no exchange rates. So the table is read only for invoices that are not in
    // the organization's currency.
    const current = SqlSchema.findOne({
      Request,
      Result: Standing,
      execute: ({ currency, end_date, exponent, organization_id, start_date, today }) => sql`
      with open as materialized (
        select currency, due_date, total - amount_credited - amount_paid + amount_refunded as balance from invoices
        where organization_id = ${organization_id} and deleted_at is null and state in ('sent', 'partially_paid')),
      counted as (
        select currency, due_date, balance from open where currency = ${currency}
        union all
        select case when exchange_rate is null then currency else ${currency} end, due_date,
          case when exchange_rate is null then balance else round(balance * exchange_rate, ${exponent}::integer) end
        from (
          select *, total - amount_credited - amount_paid + amount_refunded as balance from invoices
          where organization_id = ${organization_id} and deleted_at is null and state in ('sent', 'partially_paid')
            and currency <> ${currency} and exists (select from open where currency <> ${currency})) foreign_ones),
      owed as (
        select currency, sum(balance)::text as outstanding,
          coalesce(sum(balance) filter (where due_date < ${today}::date), 0)::text as overdue
        from counted group by currency),
      issued as (
        select coalesce(sum(count), 0)::integer as invoices_issued,
          coalesce(sum(count) filter (where state = 'paid'), 0)::integer as invoices_paid
        from invoice_tallies
        where organization_id = ${organization_id} and state not in ('draft', 'void')
          and issue_date between ${start_date}::date and ${end_date}::date),
      offered as (
        select count(*) filter (where sent_at is not null) as quotes_sent,
          count(*) filter (where accepted_at is not null) as quotes_accepted
        from quotes
        where organization_id = ${organization_id} and deleted_at is null
          and issue_date between ${start_date}::date and ${end_date}::date),
      spent as (
        select coalesce(sum(expenses), 0)::integer as expenses from cost_tallies
        where organization_id = ${organization_id} and day between ${start_date}::date and ${end_date}::date)
      select (select coalesce(json_agg(owed), '[]') from owed) as owed,
        (select to_json(c) from (select * from issued, offered, spent) c) as counts`
    })

    return traced("DashboardRepo", { current })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
