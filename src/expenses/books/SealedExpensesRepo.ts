import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Number, Option, Schema, Struct } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { StoredRecord } from "../../archive/books/StoredRecord.ts"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import { StoredExpense, storedExpenseSeal } from "../ExpenseSeal.ts"

/** Approximate number of expenses in one period. One SQL statement adds them up in half a second. */
const period_expenses = 50_000

const stored_fields = Struct.omit(StoredExpense.fields, ["deleted"])

const Row = Schema.Struct({ ...stored_fields, deleted_at: Schema.NullOr(Timestamp) })

/** The id can be read from every row, even if the rest of the row is invalid. */
const Identified = Schema.Struct({ id: Schema.Int })

/** Reads expenses with their sealed fields as canonical JSON. */
export class SealedExpensesRepo extends Context.Service<SealedExpensesRepo>()(
  "invoicing/expenses/books/SealedExpensesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const identify = Schema.decodeUnknownEffect(Identified)
      const columns = sql.literal([...Struct.keys(stored_fields), "deleted_at"].join(", "))

      const read = (organization_id: OrganizationId, narrowed: Fragment) => sql`
        select ${columns} from expenses where organization_id = ${organization_id} ${narrowed}`

      const stored = Effect.fnUntraced(function* (organization_id: OrganizationId, row: object) {
        const { id } = yield* identify(row)
        const facts = yield* factsOf(organization_id, row)
        return { id, number: null, state: "sealed", facts, isBalanced: true } satisfies StoredRecord
      })

      const part = Effect.fn("SealedExpensesRepo.part")(function* (
        organization_id: OrganizationId,
        { after, limit }: ListPart
      ) {
        const rows = yield* read(organization_id, sql`and id > ${after} order by id limit ${limit}`)
        return yield* Effect.forEach(rows, (row) => stored(organization_id, row))
      }, Effect.orDie)

      const hold = Effect.fn("SealedExpensesRepo.hold")(function* (
        organization_id: OrganizationId,
        ids: ReadonlyArray<number>
      ) {
        const rows = yield* read(organization_id, sql`and ${sql.in("id", ids)} order by id for update`)
        return yield* Effect.forEach(rows, (row) => stored(organization_id, row))
      }, Effect.orDie)

      /** Divides the expenses into periods of about equal number, and returns the first day of each period. */
      const periods = Effect.fn("SealedExpensesRepo.periods")(function* (organization_id: OrganizationId) {
        const rows = yield* sql`
          with days as (
            select expense_date as day, count(*) as expenses from expenses
            where organization_id = ${organization_id} group by 1),
          counted as (select day, floor(sum(expenses) over (order by day) / ${period_expenses}) as period from days)
          select min(day) as day from counted group by period order by 1`
        return (yield* decodeDays(rows)).map(({ day }) => day)
      })

      const strayTalliesOf = Effect.fn("SealedExpensesRepo.strayTalliesOf")(function* (
        organization_id: OrganizationId,
        from: string,
        before: string
      ) {
        const within = (column: "day" | "expense_date") => sql`
          organization_id = ${organization_id}
            and ${sql.literal(column)} >= ${from}::date and ${sql.literal(column)} < ${before}::date`
        const rows = yield* sql`
          with counted as (
            select * from expenses
            where ${within("expense_date")} and deleted_at is null and status not in ('draft', 'rejected')),
          costs as (
            select expense_date as day, currency, category, sum(amount - coalesce(tax_amount, 0)) as net,
              sum(deductible_tax(e)) as deductible, sum(coalesce(tax_amount, 0) - deductible_tax(e)) as other_tax,
              count(*) as expenses
            from counted e group by 1, 2, 3),
          tallied_costs as (
            select day, currency, category, net, deductible, non_deductible_tax, expenses from cost_tallies
            where ${within("day")} and (net, deductible, non_deductible_tax, expenses) is distinct from (0, 0, 0, 0)),
          taxes as (
            select expense_date as day, currency, category, t.rate, sum(t.taxable) as taxable, sum(t.tax) as tax,
              sum(t.deductible) as deductible, count(*) as expenses
            from counted e, expense_taxes(e) t group by 1, 2, 3, 4),
          tallied_taxes as (
            select day, currency, category, rate, taxable, tax, deductible, expenses from cost_tax_tallies
            where ${within("day")} and (taxable, tax, deductible, expenses) is distinct from (0, 0, 0, 0))
          select (
            (select count(*) from (
              (select * from costs except select * from tallied_costs) union all
              (select * from tallied_costs except select * from costs)) differing)
            + (select count(*) from (
              (select * from taxes except select * from tallied_taxes) union all
              (select * from tallied_taxes except select * from taxes)) differing))::integer as stray`
        const [{ stray }] = yield* decodeStray(rows)
        return stray
      })

      const strayTallies = Effect.fn("SealedExpensesRepo.strayTallies")(function* (organization_id: OrganizationId) {
        const [, ...later] = yield* periods(organization_id)
        const stray = yield* Effect.forEach(["-infinity", ...later], (from, index) =>
          strayTalliesOf(organization_id, from, later[index] ?? "infinity")
        )
        return Number.sumAll(stray)
      }, Effect.orDie)

      return { part, hold, strayTallies }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const decodeStray = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ stray: Schema.Int })]))

const decodeDays = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ day: Day })))

const readExpense = Schema.decodeUnknownOption(Row)

/** Returns the sealed fields of a row as canonical JSON; null for a row that the service cannot have written. */
const factsOf = Effect.fnUntraced(function* (organization_id: OrganizationId, row: object) {
  const read = readExpense(row)
  if (Option.isNone(read)) return null
  const { deleted_at, ...facts } = read.value
  return yield* storedExpenseSeal(organization_id, { ...facts, deleted: deleted_at !== null })
})
