import { Context, Effect, Layer, Option } from "effect"
import { todayHere } from "../../platform/http/Today.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { zero } from "../../kernel/Money.ts"
import { NotFound, type ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Period, refusedEnd, requireOrder } from "../periods/Period.ts"
import { CustomerReportsRepo, movements_max } from "./CustomerReportsRepo.ts"
import { type CustomerStatement, statementOf } from "./CustomerStatement.ts"
import type { CustomerStatistics } from "./CustomerStatistics.ts"

export class CustomerReports extends Context.Service<
  CustomerReports,
  {
    readonly statement: (
      id: CustomerId,
      period: Period
    ) => Effect.Effect<CustomerStatement, NotFound | ValidationFailed, CurrentOrganization>
    readonly statistics: (id: CustomerId) => Effect.Effect<CustomerStatistics, NotFound, CurrentOrganization>
  }
>()("invoicing/reports/customers/CustomerReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CustomerReportsRepo
      const { reading } = yield* Database

      const statement = Effect.fn("CustomerReports.statement")(function* (id: CustomerId, period: Period) {
        yield* Effect.annotateCurrentSpan({ "customer.id": id })
        const { currency, id: organization_id, timezone } = yield* CurrentOrganization
        yield* requireOrder(period)
        const exponent = exponentOf(currency)
        const account = yield* repo.account({
          organization_id,
          customer_id: id,
          currency,
          exponent,
          timezone,
          ...period
        })
        if (Option.isNone(account)) return yield* NotFound.of()
        if (account.value.movements.length > movements_max) {
          return yield* refusedEnd(`must end a period of at most ${movements_max} entries.`)
        }
        return statementOf(account.value, period, currency)
      }, reading)

      const statistics = Effect.fn("CustomerReports.statistics")(function* (id: CustomerId) {
        yield* Effect.annotateCurrentSpan({ "customer.id": id })
        const { currency, id: organization_id, timezone } = yield* CurrentOrganization
        const exponent = exponentOf(currency)
        const today = yield* todayHere
        const found = yield* repo.figures({ organization_id, customer_id: id, currency, exponent, timezone, today })
        if (Option.isNone(found)) return yield* NotFound.of()
        const { sums, ...facts } = found.value
        const own = sums.find((one) => one.currency === currency) ?? { ...nothing, currency }
        return { ...own, ...facts, unconverted: sums.filter((one) => one !== own) }
      }, reading)

      return CustomerReports.of({ statement, statistics })
    })
  ).pipe(Layer.provide(CustomerReportsRepo.layer))
}

const nothing = { invoiced: zero, paid: zero, credited: zero, outstanding: zero, overdue: zero }
