import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day, TimeZone } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { Balances } from "./AgedReceivables.ts"

/** Maximum numbers of customers and of invoices that a report lists. Its totals cover all of them. */
const customers_max = 10_000
const invoices_max = 5_000

const Request = Schema.Struct({
  organization_id: OrganizationId,
  /** The organization's currency, with its number of decimals in `exponent`. */
  currency: CurrencyCode,
  exponent: Schema.Int,
  timezone: TimeZone,
  as_of: Day
})
type Request = typeof Request.Encoded

export class ReceivablesRepo extends Context.Service<ReceivablesRepo>()(
  "invoicing/reports/receivables/ReceivablesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** These columns are all in an index on open invoices, so the query does not read the wide rows of the table. */
      const columns = sql.literal(`id, customer_id, due_date, currency, exchange_rate,
        total - amount_credited - amount_paid + amount_refunded as balance`)

      /** Sums what was paid and credited after the day, for invoices issued until then; or the other way round. */
      const changes = (time: "after" | "until", { as_of, organization_id, timezone }: Request) => {
        const compared = sql.literal(time === "after" ? ">" : "<=")
        const exists = sql.literal(time === "after" ? "not exists" : "exists")
        return sql`
          select invoice_id, sum(change) as change from (
            select invoice_id, amount as change from payments
            where organization_id = ${organization_id} and deleted_at is null
              and payment_date ${compared} ${as_of}::date and not is_prepayment
            union all
            select p.invoice_id, -r.amount from payment_refunds r
            join payments p on p.organization_id = ${organization_id} and p.id = r.payment_id
            where r.organization_id = ${organization_id} and r.reversed_at is null
              and refunded_on(r.refund_date, r.created_at, p.payment_date, ${timezone}::text) ${compared} ${as_of}::date
            union all
            select invoice_id, total from credit_notes
            where organization_id = ${organization_id} and sent_at is not null
              and issue_date ${compared} ${as_of}::date) happened
          where ${exists} (select from invoices i
            where i.organization_id = ${organization_id} and i.deleted_at is null and i.issue_date > ${as_of}::date
              and i.id = invoice_id)
          group by invoice_id`
      }

      /**
       * The balance on a past day is the current balance without the changes after that day. So the query reads only
       * invoices that are open, were settled later, or have a negative balance. Invoices that were issued after the day
       * are left out, with the help of an index. Amounts that were paid or credited for them until the day are a credit
       * of the customer.
       */
      const balances = SqlSchema.findOne({
        Request,
        Result: Balances,
        execute: (asked) => {
          const { as_of, currency, exponent, organization_id } = asked
          return sql`
        with since as (${changes("after", asked)}),
        early as (${changes("until", asked)}),
        unsettled as (
          select ${columns} from invoices
          where organization_id = ${organization_id} and deleted_at is null and state in ('sent', 'partially_paid')
            and issue_date <= ${as_of}::date
          union all
          select ${columns} from invoices
          where organization_id = ${organization_id} and deleted_at is null and issued_at is not null
            and issue_date <= ${as_of}::date and total - amount_credited - amount_paid + amount_refunded < 0
          union all
          select i.id, i.customer_id, i.due_date, i.currency, i.exchange_rate, 0
          from since join invoices i on i.organization_id = ${organization_id} and i.id = since.invoice_id
          where deleted_at is null and issued_at is not null and issue_date <= ${as_of}::date
            and total - amount_credited - amount_paid + amount_refunded = 0
          union all
          select i.id, i.customer_id, i.due_date, i.currency, i.exchange_rate, -early.change
          from early join invoices i on i.organization_id = ${organization_id} and i.id = early.invoice_id),
        stood as (
          select u.id, u.customer_id, u.due_date, u.currency, u.exchange_rate,
            u.balance + coalesce(since.change, 0) as balance
          from unsettled u left join since on since.invoice_id = u.id),
        owed as materialized (
          select id, customer_id, due_date,
            case when stays then currency else ${currency} end as currency,
            case when stays then balance else round(balance * exchange_rate, ${exponent}::integer) end as balance,
            case when balance < 0 then 0 else ${as_of}::date - due_date end as days
          from (select *, currency = ${currency} or exchange_rate is null as stays from stood where balance <> 0) s),
        aged as (
          select currency, customer_id,
            coalesce(sum(balance) filter (where days <= 0), 0) as current,
            coalesce(sum(balance) filter (where days between 1 and 30), 0) as "1_30",
            coalesce(sum(balance) filter (where days between 31 and 60), 0) as "31_60",
            coalesce(sum(balance) filter (where days between 61 and 90), 0) as "61_90",
            coalesce(sum(balance) filter (where days > 90), 0) as over_90, sum(balance) as total
          from owed group by currency, customer_id),
        totals as (
          select currency, sum(current)::text as current, sum("1_30")::text as "1_30", sum("31_60")::text as "31_60",
            sum("61_90")::text as "61_90", sum(over_90)::text as over_90, sum(total)::text as total, count(*) as customers
          from aged group by currency),
        chosen as (select * from aged order by total desc, customer_id, currency limit ${customers_max}),
        named as (
          select currency, customer_id, d.name, current::text, "1_30"::text, "31_60"::text, "61_90"::text, over_90::text,
            total::text
          from chosen join debtors d on d.organization_id = ${organization_id} and d.id = chosen.customer_id),
        picked as (
          select currency, customer_id, id, due_date, balance from owed
          where (select count(*) from aged) <= ${customers_max}
            or (currency, customer_id) in (select currency, customer_id from chosen)
          order by due_date, id limit ${invoices_max}),
        listed as (
          select currency, customer_id, id, due_date, balance::text,
            (select number from invoices i where i.organization_id = ${organization_id} and i.id = picked.id) as number
          from picked)
        select
          (select coalesce(json_agg(totals), '[]') from totals) as totals,
          (select coalesce(json_agg(named order by name, customer_id), '[]') from named) as customers,
          (select coalesce(json_agg(listed order by due_date, id), '[]') from listed) as invoices,
          (select count(*)::integer from owed) as invoices_count`
        }
      })

      return traced("ReceivablesRepo", { balances })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
