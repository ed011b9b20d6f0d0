import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { type Books, type Period, rows_seen_max, type Unit } from "../periods/Period.ts"
import { SalesSums } from "./Sales.ts"

/** Sales of a unit of time, which is named by its first day. */
const UnitSales = Schema.Struct({ currency: CurrencyCode, start: Day, ...SalesSums.fields })
export type UnitSales = typeof UnitSales.Type

const CustomerSales = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  name: Schema.String,
  ...SalesSums.fields
})
export type CustomerSales = typeof CustomerSales.Type

const TaxSales = Schema.Struct({
  currency: CurrencyCode,
  start: Day,
  country: Schema.NullOr(Schema.String),
  rate: Schema.String,
  category: Schema.String,
  taxable: Amount,
  tax: Amount,
  documents: Schema.Int
})
export type TaxSales = typeof TaxSales.Type

/**
 * Sums `sales_entries` or, for reports that do not name customers, the daily sums of `sales_tallies`. Other currencies
 * are converted at the document's exchange rate (rules/reports.md, Principles). Without a rate, the amount stays in its
 * currency.
 */
export class SalesRepo extends Context.Service<SalesRepo>()("invoicing/reports/sales/SalesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const dated = (period: Period | undefined) =>
      period === undefined ? sql`` : sql`and date between ${period.start_date}::date and ${period.end_date}::date`

    const columns = sql.literal("date, document, line, customer_id, country, category, rate")

    /**
     * Entries with an exchange rate, in the currency of the report section. The first entry of a document has the
     * difference between its converted total and its converted net and taxes. A window sums the entries of all documents
     * in one pass, in half the time of a subquery for each document.
     */
    const converted = ({ currency, id }: Books, period: Period | undefined) => {
      const own = (amount: Fragment) =>
        sql`case when currency = ${currency} then ${amount}
          else round((${amount}) * exchange_rate, ${exponentOf(currency)}::integer) end`
      return sql`
        select ${columns}, ${currency} as currency, ${own(sql`net`)} as net, ${own(sql`tax`)} as tax,
          ${own(sql`taxable`)} as taxable, case line when 1 then ${own(sql`total`)} - parts else 0 end as rounding
        from (
          select *, sum(net + tax + rounding) over whole as total,
            sum(${own(sql`net`)} + ${own(sql`tax`)}) over whole as parts
          from sales_entries where organization_id = ${id} and exchange_rate is not null ${dated(period)}
          window whole as (partition by date, document, document_id)) e`
    }

    /** Entries of a period, or of all time, in the currency of the report section. */
    const entries = (books: Books, period: Period | undefined) => sql`
      select ${columns}, currency, net, tax, taxable, rounding
      from sales_entries where organization_id = ${books.id} and exchange_rate is null ${dated(period)}
      union all
      ${converted(books, period)}`

    /** Selects the daily sums, and each entry with an exchange rate, because the daily sums leave these entries out. */
    const days = (books: Books, period: Period) => sql`
      select date, document, nullif(country, '') as country, category, rate, currency, net, tax, taxable, rounding,
        entries, documents
      from sales_tallies where organization_id = ${books.id} and entries > 0 ${dated(period)}
      union all
      select date, document, country, category, rate, currency, net, tax, taxable, rounding, 1, (line = 1)::integer
      from (${converted(books, period)}) e`

    const sums = sql.literal(`sum(net) as net, sum(tax) as tax, sum(net + tax + rounding) as gross,
      coalesce(-sum(net) filter (where document = 'credit_note'), 0) as credited`)

    const decodedUnits = Schema.decodeUnknownEffect(Schema.Array(UnitSales))
    const decodedCustomers = Schema.decodeUnknownEffect(Schema.Array(CustomerSales))
    const decodedTaxes = Schema.decodeUnknownEffect(Schema.Array(TaxSales))

    /** Sums by units of the period; units without sales are absent. */
    const units = Effect.fn("SalesRepo.units")(function* (books: Books, period: Period, unit: Unit) {
      const rows = yield* sql`
        select currency, date_trunc(${unit}::text, date::timestamp)::date as start, ${sums},
          coalesce(sum(documents) filter (where document = 'invoice'), 0)::integer as invoices
        from (${days(books, period)}) d group by 1, 2 order by 1, 2`
      return yield* decodedUnits(rows)
    }, Effect.orDie)

    /** Ranks customers by net revenue in each currency, ties by id; returns at most `limit` per currency. */
    const customers = Effect.fn("SalesRepo.customers")(function* (
      books: Books,
      period: Period | undefined,
      limit: number
    ) {
      const rows = yield* sql`
        with bought as (
          select currency, customer_id, ${sums},
            count(*) filter (where document = 'invoice' and line = 1) as invoices
          from (${entries(books, period)}) e group by currency, customer_id),
        ranked as (
          select *, row_number() over (partition by currency order by net desc, customer_id) as place from bought)
        select r.currency, r.customer_id, d.name, r.net, r.tax, r.gross, r.credited, r.invoices::integer
        from ranked r join debtors d on d.organization_id = ${books.id} and d.id = r.customer_id
        where place <= ${limit} order by r.currency, place`
      return yield* decodedCustomers(rows)
    }, Effect.orDie)

    /** Sums tax by country, category and rate for each unit of the period, or for the whole period without a unit. */
    const taxes = Effect.fn("SalesRepo.taxes")(function* (books: Books, period: Period, unit: Unit | undefined) {
      const start =
        unit === undefined ? sql`${period.start_date}::date` : sql`date_trunc(${unit}::text, date::timestamp)::date`
      const rows = yield* sql`
        select currency, ${start} as start, country, category, trim_scale(rate)::text as rate,
          sum(taxable) as taxable, sum(tax) as tax, sum(entries)::integer as documents
        from (${days(books, period)}) d group by 1, 2, 3, 4, d.rate
        order by 1, 2, country nulls first, d.rate desc, category limit ${rows_seen_max}`
      return yield* decodedTaxes(rows)
    }, Effect.orDie)

    return { units, customers, taxes }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
