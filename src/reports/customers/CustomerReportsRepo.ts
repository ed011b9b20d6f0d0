import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day, TimeZone } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, OrganizationId } from "../../kernel/Ids.ts"
import { period } from "../periods/Period.ts"
import { Account } from "./CustomerStatement.ts"
import { CustomerFigures } from "./CustomerStatistics.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Maximum number of entries in one customer statement. A longer period must be requested in parts. */
export const movements_max = 10_000

const Customer = Schema.Struct({
  organization_id: OrganizationId,
  customer_id: CustomerId,
  /** The organization's currency, with its number of decimals in `exponent`. */
  currency: CurrencyCode,
  exponent: Schema.Int,
  timezone: TimeZone
})
type Customer = typeof Customer.Encoded

export class CustomerReportsRepo extends Context.Service<CustomerReportsRepo>()(
  "invoicing/reports/customers/CustomerReportsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /**
       * Common table expressions for the movements of a customer's account. `moved` is the document's balance after an
       * entry minus the balance before it, each converted and rounded. The last payment of an invoice therefore takes
       * the exact remainder, and a closing balance is the sum of the converted balances. A balance depends only on
       * earlier entries, so a period's closing balance is the next period's opening balance.
       */
      const movements = ({ currency, customer_id, exponent, organization_id, timezone }: Customer) => sql`
        issued as (
          select id, number, issue_date, due_date, total, prepaid_amount, currency, exchange_rate from invoices
          where organization_id = ${organization_id} and customer_id = ${customer_id}
            and issued_at is not null and deleted_at is null),
        received as (
          select p.id, p.invoice_id, p.amount, p.payment_date, p.payment_method, p.is_prepayment, i.currency,
            i.exchange_rate
          from issued i join payments p on p.invoice_id = i.id
          where p.organization_id = ${organization_id} and p.deleted_at is null),
        happened as (
          select issue_date as date, 1 as rank, 'invoice' as type, id, id as invoice_id, number,
            'Invoice' as description, currency, exchange_rate, total as amount, total as change
          from issued
          union all
          select issue_date, 2, 'prepayment', id, id, number, 'Prepaid', currency, exchange_rate, prepaid_amount,
            -prepaid_amount
          from issued where prepaid_amount > 0
          union all
          select n.issue_date, 3, 'credit_note', n.id, n.invoice_id, n.number, 'Credit note', n.currency,
            n.exchange_rate, n.total, -n.total
          from issued i join credit_notes n on n.invoice_id = i.id
          where n.organization_id = ${organization_id} and n.sent_at is not null
          union all
          select payment_date, 4, 'payment', id, invoice_id, null, payment_method, currency, exchange_rate, amount,
            -amount
          from received where not is_prepayment
          union all
          select refunded_on(r.refund_date, r.created_at, p.payment_date, ${timezone}::text),
            5, 'refund', r.id, p.invoice_id, null,
            coalesce(r.reason, 'Refund'), p.currency, p.exchange_rate, r.amount, r.amount
          from received p join payment_refunds r on r.payment_id = p.id
          where r.organization_id = ${organization_id} and r.reversed_at is null),
        rated as (
          select *, case when currency = ${currency} then 1 else exchange_rate end as rate,
            sum(change) over (partition by invoice_id, exchange_rate order by date, rank, id) as after
          from happened),
        moved as (
          select *, round(after * rate, ${exponent}) - round((after - change) * rate, ${exponent}) as moved from rated)`

      const account = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Customer.fields, ...period }),
        Result: Account,
        execute: ({ customer_id, end_date, organization_id, start_date, ...books }) => sql`
        with ${movements({ ...books, customer_id, organization_id })},
        shown as (
          select * from moved where date between ${start_date}::date and ${end_date}::date
          order by date, rank, id limit ${movements_max + 1})
        select json_build_object('id', c.id, 'name', c.name) as customer,
          (select coalesce(sum(moved), 0) from moved where date < ${start_date}::date) as opening,
          (select coalesce(json_agg(json_build_object('date', date, 'type', type, 'id', id, 'number', number,
              'description', description, 'currency', currency, 'amount', amount::text, 'moved', moved::text)
              order by date, rank, id), '[]') from shown) as movements
        from customers c
        where c.organization_id = ${organization_id} and c.id = ${customer_id} and c.deleted_at is null`
      })

      const figures = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Customer.fields, today: Day }),
        Result: CustomerFigures,
        execute: ({ customer_id, organization_id, today, ...books }) => sql`
        with ${movements({ ...books, customer_id, organization_id })},
        converted as (
          select invoice_id, type, case when rate is null then currency else ${books.currency} end as currency,
            coalesce(moved, change) as moved
          from moved),
        balances as (
          select currency, invoice_id, coalesce(sum(moved) filter (where type = 'invoice'), 0) as invoiced,
            coalesce(sum(moved) filter (where type = 'credit_note'), 0) as credited,
            coalesce(sum(moved) filter (where type in ('prepayment', 'payment', 'refund')), 0) as paid,
            greatest(sum(moved), 0) as balance
          from converted group by currency, invoice_id),
        summed as (
          select b.currency, sum(invoiced)::text as invoiced, (-sum(paid))::text as paid,
            (-sum(credited))::text as credited, sum(balance)::text as outstanding,
            coalesce(sum(balance) filter (where due_date < ${today}::date), 0)::text as overdue
          from balances b join issued i on i.id = b.invoice_id group by b.currency order by b.currency),
        kept as (
          select id, issue_date, state, amount_paid, amount_refunded from invoices
          where organization_id = ${organization_id} and customer_id = ${customer_id} and deleted_at is null),
        settled as (
          select k.issue_date, max(p.payment_date) as payment_date from kept k
          join received p on p.invoice_id = k.id and not p.is_prepayment
          where k.state = 'paid' and k.amount_paid > k.amount_refunded
          group by k.id, k.issue_date)
        select (select coalesce(json_agg(summed), '[]') from summed) as sums,
          (select count(*)::integer from kept where state <> 'void') as invoices_count,
          (select count(*)::integer from quotes
            where organization_id = ${organization_id} and customer_id = ${customer_id} and deleted_at is null)
            as quotes_count,
          (select round(avg(payment_date - issue_date), 1) from settled) as average_days_to_pay,
          (select max(issue_date) from issued) as last_invoice_date,
          (select max(payment_date) from received where not is_prepayment) as last_payment_date
        from customers c
        where c.organization_id = ${organization_id} and c.id = ${customer_id} and c.deleted_at is null`
      })

      return traced("CustomerReportsRepo", { account, figures })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
