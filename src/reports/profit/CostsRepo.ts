import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode, unusualExponents } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { type Period, rows_seen_max, type Unit } from "../periods/Period.ts"

const costs = {
  currency: CurrencyCode,
  /** Amount without tax. */
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

/** Tax paid at one rate on expenses of one category. */
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
 * Sums expenses by their date in their own currencies, because an expense has no exchange rate. Draft and rejected
 * expenses do not count. The deductible amount is, to the cent, the one that the expense itself shows.
 */
export class CostsRepo extends Context.Service<CostsRepo>()("invoicing/reports/profit/CostsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const counted = (organization_id: OrganizationId, { end_date, start_date }: Period) => sql`
      select id, expense_date, category, currency, amount, tax, tax_rates, is_vat_deductible, share, exponent,
        case when is_vat_deductible then round(tax * share, exponent) else 0 end as deductible
      from (
        select *, coalesce(tax_amount, 0) as tax, coalesce(vat_deductible_percentage, 100) / 100 as share,
          coalesce((${JSON.stringify(unusualExponents)}::jsonb ->> currency)::integer, 2) as exponent
        from expenses
        where organization_id = ${organization_id} and deleted_at is null and status not in ('draft', 'rejected')
          and expense_date between ${start_date}::date and ${end_date}::date) e`

    const sums = sql.literal(`sum(amount - tax) as net, sum(deductible) as deductible,
      sum(tax - deductible) as non_deductible_tax, count(*)::integer as expenses`)

    const decodedCategories = Schema.decodeUnknownEffect(Schema.Array(CategoryCosts))
    const decodedUnits = Schema.decodeUnknownEffect(Schema.Array(UnitCosts))
    const decodedTaxes = Schema.decodeUnknownEffect(Schema.Array(TaxCosts))

    const categories = Effect.fn("CostsRepo.categories")(function* (organization_id: OrganizationId, period: Period) {
      const rows = yield* sql`
        select currency, category, ${sums} from (${counted(organization_id, period)}) c
        group by currency, category order by currency, category collate "C" limit ${rows_seen_max}`
      return yield* decodedCategories(rows)
    }, Effect.orDie)

    const units = Effect.fn("CostsRepo.units")(function* (organization_id: OrganizationId, period: Period, unit: Unit) {
      const rows = yield* sql`
        select currency, date_trunc(${unit}::text, expense_date::timestamp)::date as start, ${sums}
        from (${counted(organization_id, period)}) c group by 1, 2 order by 1, 2`
      return yield* decodedUnits(rows)
    }, Effect.orDie)

    /**
     * Sums the tax of deductible expenses by rate and category. An expense's deductible amount is distributed over
     * its rates by rounding the running sums, and the last rate gets the remainder.
     */
    const taxes = Effect.fn("CostsRepo.taxes")(function* (
      organization_id: OrganizationId,
      period: Period,
      unit: Unit | undefined
    ) {
      const start =
        unit === undefined
          ? sql`${period.start_date}::date`
          : sql`date_trunc(${unit}::text, expense_date::timestamp)::date`
      const rows = yield* sql`
        with taxed as (
          select c.id, expense_date, category, currency, t.rate, t.place, c.deductible, share, exponent,
            coalesce(t.taxable, amount - c.tax) as taxable, coalesce(t.tax, c.tax) as tax,
            jsonb_array_length(tax_rates) as rates
          from (${counted(organization_id, period)}) c
          left join lateral rows from (jsonb_to_recordset(tax_rates)
            as (rate numeric, taxable_amount numeric, tax_amount numeric)) with ordinality
            as t (rate, taxable, tax, place) on true
          where is_vat_deductible and (c.tax <> 0 or t.place is not null)),
        shared as (
          select *, case when coalesce(place, 0) = rates then deductible
            else round(sum(tax) over (partition by id order by place) * share, exponent) end as upto from taxed),
        rated as (
          select *, upto - coalesce(lag(upto) over (partition by id order by place), 0) as part from shared)
        select currency, ${start} as start, trim_scale(rate)::text as rate, category, sum(taxable) as taxable,
          sum(tax) as tax, sum(part) as deductible, count(distinct id)::integer as documents
        from rated group by 1, 2, rated.rate, 4
        order by 1, 2, rated.rate desc nulls last, category collate "C" limit ${rows_seen_max}`
      return yield* decodedTaxes(rows)
    }, Effect.orDie)

    return { categories, units, taxes }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
