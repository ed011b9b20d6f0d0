import { Context, Effect, Layer } from "effect"
import type { ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { sectionsOf } from "../periods/Currencies.ts"
import { type Period, refusedEnd, requireOrder, rows_max } from "../periods/Period.ts"
import { SalesRepo, type UnitSales } from "../sales/SalesRepo.ts"
import { type CategoryCosts, CostsRepo } from "./CostsRepo.ts"
import { type ProfitLoss, profitIn } from "./ProfitLoss.ts"

export class ProfitReports extends Context.Service<
  ProfitReports,
  { readonly profitLoss: (period: Period) => Effect.Effect<ProfitLoss, ValidationFailed, CurrentOrganization> }
>()("invoicing/reports/profit/ProfitReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sales = yield* SalesRepo
      const costs = yield* CostsRepo
      const { snapshot } = yield* Database

      const profitLoss = Effect.fn("ProfitReports.profitLoss")(function* (period: Period) {
        yield* requireOrder(period)
        const organization = yield* CurrentOrganization
        const [sold, spent] = yield* snapshot(
          Effect.all([sales.units(organization, period, "year"), costs.categories(organization, period)])
        )
        if (spent.length > rows_max) return yield* refusedEnd(`must end a period with at most ${rows_max} categories.`)
        const [own, ...others] = sectionsOf<Row>(organization.currency, [...sold, ...spent]).map(({ currency, rows }) =>
          profitIn(currency, rows.filter(isSale), rows.filter(isCost))
        )
        return { ...period, ...(own ?? profitIn(organization.currency, [], [])), other_currencies: others }
      })

      return ProfitReports.of({ profitLoss })
    })
  ).pipe(Layer.provide([SalesRepo.layer, CostsRepo.layer]))
}

type Row = UnitSales | CategoryCosts

const isCost = (row: Row): row is CategoryCosts => "category" in row
const isSale = (row: Row): row is UnitSales => !isCost(row)
