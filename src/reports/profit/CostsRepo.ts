import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { type Books, type Period, rows_seen_max, type Unit } from "../periods/Period.ts"

const costs = {
  currency: CurrencyCode,
  net: Amount,
  deductible: Amount,
  /** Tax that is not deductible, which makes it a cost. */
  non_deductible_tax: Amount,
  expenses: Schema.Int
}
const CategoryCosts = Schema.Struct({ category: Schema.String, ...costs })
export type CategoryCosts = typeof CategoryCosts.Type

const UnitCosts = Schema.Struct({ start: Day, ...costs })
export type UnitCosts = typeof UnitCosts.Type

const TaxCosts = Schema.Struct({
  currency: CurrencyCode,
  start: Day,
  /** Null when the expense states its tax, but no rate. */
  rate: Schema.NullOr(Schema.String),
  category: Schema.String,
  taxable: Amount,
  tax: Amount,
  deductible: Amount,
  documents: Schema.Int
})
export type TaxCosts = typeof TaxCosts.Type

/**
 * Sums expenses by date, without draft and rejected ones. The tallies have the sums of each day in the currencies of the
 * expenses. An expense with an exchange rate is taken out of these sums and added in the organization's currency,
 * with amounts that are rounded as those of sales are (`SalesRepo`). Deductible tax is rounded for each expense first.
 */
export class CostsRepo extends Context.Service<CostsRepo>()("invoicing/reports/profit/CostsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const tallied = (table: string, { id }: Books, { end_date, start_date }: Period) => sql`
      select * from ${sql(table)} where organization_id = ${id} and expenses > 0
        and day between ${start_date}::date and ${end_date}::date`

    /** Expenses that reports convert, because they have an exchange rate and another currency. */
    const converted = ({ currency, id }: Books, { end_date, start_date }: Period) => sql`
      from expenses e where organization_id = ${id} and exchange_rate is not null and currency <> ${currency}
        and deleted_at is null and status not in ('draft', 'rejected')
        and expense_date between ${start_date}::date and ${end_date}::date`

    const converting =
      ({ currency }: Books) =>
      (amount: string) =>
        sql`round(${sql.literal(amount)} * exchange_rate, ${exponentOf(currency)}::integer)`

    const costsOf = (books: Books, period: Period) => {
      const own = converting(books)
      const tax = sql.literal("coalesce(tax_amount, 0)")
      // The sums in `taxed` are those of the VAT report, so that both reports have the same tax. The remaining tax is
      // converted as a whole if the VAT report does not have it, or if the rates of the expense do not add up to its tax.
      return sql`(
        select currency, category, day, net, deductible, non_deductible_tax, expenses
        from (${tallied("cost_tallies", books, period)}) t
        union all
        select currency, category, expense_date, ${tax} - amount, -deductible_tax(e), deductible_tax(e) - ${tax}, -1
        ${converted(books, period)}
        union all
        select ${books.currency}, category, expense_date, ${own("(amount - coalesce(tax_amount, 0))")},
          coalesce(taxed.deductible, 0),
          case when taxed.stated = tax_amount then taxed.tax - taxed.deductible
            else ${own("(coalesce(tax_amount, 0) - deductible_tax(e))")} end, 1
        from (select e.* ${converted(books, period)}) e cross join lateral (
          select sum(t.tax) as stated, sum(${own("t.tax")}) as tax, sum(${own("t.deductible")}) as deductible
          from expense_taxes(e) t) taxed) c`
    }

    const taxesOf = (books: Books, period: Period) => {
      const own = converting(books)
      return sql`(
        select currency, category, rate, day, taxable, tax, deductible, expenses
        from (${tallied("cost_tax_tallies", books, period)}) t
        union all
        select e.currency, category, t.rate, expense_date, -t.taxable, -t.tax, -t.deductible, -1
        from (select e.* ${converted(books, period)}) e, expense_taxes(e) t
        union all
        select ${books.currency}, category, t.rate, expense_date, ${own("t.taxable")}, ${own("t.tax")},
          ${own("t.deductible")}, 1
        from (select e.* ${converted(books, period)}) e, expense_taxes(e) t) c`
    }

    const sums = sql.literal(`sum(net) as net, sum(deductible) as deductible,
      sum(non_deductible_tax) as non_deductible_tax, sum(expenses)::integer as expenses`)
    const has_expenses = sql.literal("having sum(expenses) > 0")

    const decodedCategories = Schema.decodeUnknownEffect(Schema.Array(CategoryCosts))
    const decodedUnits = Schema.decodeUnknownEffect(Schema.Array(UnitCosts))
    const decodedTaxes = Schema.decodeUnknownEffect(Schema.Array(TaxCosts))

    const categories = Effect.fn("CostsRepo.categories")(function* (books: Books, period: Period) {
      const rows = yield* sql`
        select currency, category, ${sums} from ${costsOf(books, period)}
        group by currency, category ${has_expenses} order by currency, category collate "C" limit ${rows_seen_max}`
      return yield* decodedCategories(rows)
    }, Effect.orDie)

    const units = Effect.fn("CostsRepo.units")(function* (books: Books, period: Period, unit: Unit) {
      const rows = yield* sql`
        select currency, date_trunc(${unit}::text, day::timestamp)::date as start, ${sums}
        from ${costsOf(books, period)} group by 1, 2 ${has_expenses} order by 1, 2`
      return yield* decodedUnits(rows)
    }, Effect.orDie)

    const taxes = Effect.fn("CostsRepo.taxes")(function* (books: Books, period: Period, unit: Unit | undefined) {
      const start =
        unit === undefined ? sql`${period.start_date}::date` : sql`date_trunc(${unit}::text, day::timestamp)::date`
      const rows = yield* sql`
        select currency, ${start} as start, nullif(rate, '') as rate, category, sum(taxable) as taxable, sum(tax) as tax,
          sum(deductible) as deductible, sum(expenses)::integer as documents
        from ${taxesOf(books, period)} group by 1, 2, c.rate, 4 ${has_expenses}
        order by 1, 2, nullif(c.rate, '')::numeric desc nulls last, category collate "C"
        limit ${rows_seen_max}`
      return yield* decodedTaxes(rows)
    }, Effect.orDie)

    return { categories, units, taxes }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
