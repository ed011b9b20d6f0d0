import { BigDecimal, Context, Effect, Layer } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { zero } from "../../kernel/Money.ts"
import { type ActiveOrganization, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { sectionsOf, textIn } from "../periods/Currencies.ts"
import { nameOf, unitsOf } from "../periods/Period.ts"
import { CostsRepo, type UnitCosts } from "../profit/CostsRepo.ts"
import { SalesRepo, type UnitSales } from "../sales/SalesRepo.ts"
import type { Dashboard, Owed } from "./Dashboard.ts"
import { type Compared, type DashboardPeriod, periodsOf } from "./DashboardPeriod.ts"
import { DashboardRepo } from "./DashboardRepo.ts"

export class Dashboards extends Context.Service<
  Dashboards,
  { readonly dashboard: (period: DashboardPeriod) => Effect.Effect<Dashboard, never, CurrentOrganization> }
>()("invoicing/reports/dashboard/Dashboards") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DashboardRepo
      const sales = yield* SalesRepo
      const costs = yield* CostsRepo
      const { snapshot } = yield* Database

      const read = Effect.fnUntraced(function* (
        organization: ActiveOrganization,
        today: Day,
        { current, previous }: Compared
      ) {
        const { currency, id: organization_id } = organization
        const exponent = exponentOf(currency)
        const { counts, owed } = yield* repo.current({ organization_id, currency, exponent, today, ...current })
        const figures: ReadonlyArray<Figure> = [
          ...owed,
          ...(yield* sales.units(organization, current, "month")),
          ...(yield* costs.units(organization, current, "month"))
        ]
        const before: ReadonlyArray<Figure> = [
          ...(yield* sales.units(organization, previous, "month")),
          ...(yield* costs.units(organization, previous, "month"))
        ]
        return { counts, figures, before }
      })

      const dashboard = Effect.fn("Dashboards.dashboard")(function* (name: DashboardPeriod) {
        const organization = yield* CurrentOrganization
        const { currency } = organization
        const today = yield* todayHere
        const periods = periodsOf(name, today)
        const { current } = periods
        const { before, counts, figures } = yield* snapshot(read(organization, today, periods))
        const [own, ...others] = sectionsOf(currency, figures)
        const [ownBefore] = sectionsOf(currency, before)
        return {
          period: name,
          ...current,
          ...sectionIn(currency, own.rows),
          counts,
          previous: resultIn(currency, ownBefore.rows),
          series: unitsOf("month", current).map((start) => monthIn(currency, start, own.rows)),
          other_currencies: others.map((other) => sectionIn(other.currency, other.rows))
        }
      })

      return Dashboards.of({ dashboard })
    })
  ).pipe(Layer.provide([DashboardRepo.layer, SalesRepo.layer, CostsRepo.layer]))
}

type Figure = Owed | UnitSales | UnitCosts

const isOwed = (figure: Figure): figure is Owed => "outstanding" in figure
const isSales = (figure: Figure): figure is UnitSales => "gross" in figure
const isCosts = (figure: Figure): figure is UnitCosts => "non_deductible_tax" in figure

const resultOf = (figures: ReadonlyArray<Figure>) => {
  const revenue = BigDecimal.sumAll(figures.filter(isSales).map(({ net }) => net))
  const expenses = BigDecimal.sumAll(
    figures.filter(isCosts).map(({ net, non_deductible_tax }) => BigDecimal.sum(net, non_deductible_tax))
  )
  return { revenue, expenses, profit: BigDecimal.subtract(revenue, expenses) }
}

/** Tax charged minus deductible tax. */
const vatBalanceOf = (figures: ReadonlyArray<Figure>) =>
  BigDecimal.subtract(
    BigDecimal.sumAll(figures.filter(isSales).map(({ tax }) => tax)),
    BigDecimal.sumAll(figures.filter(isCosts).map(({ deductible }) => deductible))
  )

const resultIn = (currency: CurrencyCode, figures: ReadonlyArray<Figure>) => {
  const text = textIn(currency)
  const { expenses, profit, revenue } = resultOf(figures)
  return { revenue: text(revenue), expenses: text(expenses), profit: text(profit) }
}

const monthIn = (currency: CurrencyCode, start: Day, figures: ReadonlyArray<Figure>) => {
  const within = figures.filter((figure) => (isSales(figure) || isCosts(figure)) && figure.start === start)
  const { expenses, revenue } = resultIn(currency, within)
  return { period: nameOf("month", start), revenue, expenses }
}

const sectionIn = (currency: CurrencyCode, figures: ReadonlyArray<Figure>) => {
  const text = textIn(currency)
  const owed = figures.find(isOwed)
  return {
    currency,
    ...resultIn(currency, figures),
    outstanding: text(owed?.outstanding ?? zero),
    overdue: text(owed?.overdue ?? zero),
    vat_balance: text(vatBalanceOf(figures))
  }
}
