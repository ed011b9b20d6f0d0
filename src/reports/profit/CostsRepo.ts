import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { type Period, rows_seen_max, type Unit } from "../periods/Period.ts"

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
 * Sums expenses by date and in their own currencies, because an expense has no exchange rate. `cost_tallies` has the
 * sums of each day, without draft and rejected expenses. Deductible tax is rounded for each expense first.
 */
export class CostsRepo extends Context.Service<CostsRepo>()("invoicing/reports/profit/CostsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const within = (organization_id: OrganizationId, { end_date, start_date }: Period) => sql`
      organization_id = ${organization_id} and expenses > 0 and day between ${start_date}::date and ${end_date}::date`

    const sums = sql.literal(`sum(net) as net, sum(deductible) as deductible,
      sum(non_deductible_tax) as non_deductible_tax, sum(expenses)::integer as expenses`)

    const decodedCategories = Schema.decodeUnknownEffect(Schema.Array(CategoryCosts))
    const decodedUnits = Schema.decodeUnknownEffect(Schema.Array(UnitCosts))
    const decodedTaxes = Schema.decodeUnknownEffect(Schema.Array(TaxCosts))

    const categories = Effect.fn("CostsRepo.categories")(function* (organization_id: OrganizationId, period: Period) {
      const rows = yield* sql`
        select currency, category, ${sums} from cost_tallies where ${within(organization_id, period)}
        group by currency, category order by currency, category collate "C" limit ${rows_seen_max}`
      return yield* decodedCategories(rows)
    }, Effect.orDie)

    const units = Effect.fn("CostsRepo.units")(function* (organization_id: OrganizationId, period: Period, unit: Unit) {
      const rows = yield* sql`
        select currency, date_trunc(${unit}::text, day::timestamp)::date as start, ${sums}
        from cost_tallies where ${within(organization_id, period)} group by 1, 2 order by 1, 2`
      return yield* decodedUnits(rows)
    }, Effect.orDie)

    const taxes = Effect.fn("CostsRepo.taxes")(function* (
      organization_id: OrganizationId,
      period: Period,
      unit: Unit | undefined
    ) {
      const start =
        unit === undefined ? sql`${period.start_date}::date` : sql`date_trunc(${unit}::text, day::timestamp)::date`
      const rows = yield* sql`
        select currency, ${start} as start, nullif(rate, '') as rate, category, sum(taxable) as taxable, sum(tax) as tax,
          sum(deductible) as deductible, sum(expenses)::integer as documents
        from cost_tax_tallies where ${within(organization_id, period)} group by 1, 2, cost_tax_tallies.rate, 4
        order by 1, 2, nullif(cost_tax_tallies.rate, '')::numeric desc nulls last, category collate "C"
        limit ${rows_seen_max}`
      return yield* decodedTaxes(rows)
    }, Effect.orDie)

    return { categories, units, taxes }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
