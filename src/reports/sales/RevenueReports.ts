import { Context, Effect, Layer } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Section, sectionsOf } from "../periods/Currencies.ts"
import { nameOf, refusedEnd, requireOrder, requireRows, rows_max, rows_seen_max, unitsOf } from "../periods/Period.ts"
import type { Revenue, RevenueQuery, TopCustomers } from "./Revenue.ts"
import { figuresIn, type SalesSums, totalOf } from "./Sales.ts"
import { type CustomerSales, SalesRepo } from "./SalesRepo.ts"

export class RevenueReports extends Context.Service<
  RevenueReports,
  {
    readonly revenue: (query: RevenueQuery) => Effect.Effect<Revenue, ValidationFailed, CurrentOrganization>
    readonly topCustomers: (limit: number) => Effect.Effect<TopCustomers, never, CurrentOrganization>
  }
>()("invoicing/reports/sales/RevenueReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SalesRepo
      const { reading } = yield* Database

      const byCustomer = Effect.fnUntraced(function* (query: RevenueQuery) {
        yield* requireOrder(query)
        const organization = yield* CurrentOrganization
        const found = yield* repo.customers(organization, query, rows_seen_max)
        const sections = sectionsOf(organization.currency, found)
        if (sections.some(({ rows }) => rows.length > rows_max)) {
          return yield* refusedEnd(`must end a period with at most ${rows_max} customers.`)
        }
        return sections.map((section) =>
          shown(
            section,
            section.rows.map((row) => ({ key: String(row.customer_id), name: row.name, sums: row }))
          )
        )
      })

      const byUnit = Effect.fnUntraced(function* (query: RevenueQuery, unit: Unit) {
        yield* requireRows(unit, query)
        const organization = yield* CurrentOrganization
        const starts = unitsOf(unit, query)
        const sections = sectionsOf(organization.currency, yield* repo.units(organization, query, unit))
        return sections.map((section) => {
          const sums = new Map<Day, SalesSums>(section.rows.map((row) => [row.start, row]))
          return shown(
            section,
            starts.map((start) => ({ key: nameOf(unit, start), sums: sums.get(start) ?? totalOf([]) }))
          )
        })
      })

      const revenue = Effect.fn("RevenueReports.revenue")(function* (query: RevenueQuery) {
        const { currency } = yield* CurrentOrganization
        const group_by = query.group_by ?? "month"
        const sections = yield* group_by === "customer" ? byCustomer(query) : byUnit(query, group_by)
        const [own = shown({ currency }, []), ...other_currencies] = sections
        return { start_date: query.start_date, end_date: query.end_date, group_by, ...own, other_currencies }
      }, reading)

      const topCustomers = Effect.fn("RevenueReports.topCustomers")(function* (limit: number) {
        const organization = yield* CurrentOrganization
        const found = yield* repo.customers(organization, undefined, limit)
        const [own, ...others] = sectionsOf(organization.currency, found)
        return { ...ranked(own), other_currencies: others.map(ranked) }
      }, reading)

      return RevenueReports.of({ revenue, topCustomers })
    })
  ).pipe(Layer.provide(SalesRepo.layer))
}

type Unit = Exclude<NonNullable<RevenueQuery["group_by"]>, "customer">

interface Shown {
  readonly key: string
  readonly name?: string
  readonly sums: SalesSums
}

const shown = ({ currency }: { readonly currency: CurrencyCode }, rows: ReadonlyArray<Shown>) => ({
  currency,
  rows: rows.map(({ sums, ...row }) => ({ ...row, ...figuresIn(currency, sums) })),
  totals: figuresIn(currency, totalOf(rows.map(({ sums }) => sums)))
})

const ranked = ({ currency, rows }: Section<CustomerSales>) => ({
  currency,
  customers: rows.map(({ customer_id, name, ...sums }) => ({ customer_id, name, ...figuresIn(currency, sums) }))
})
