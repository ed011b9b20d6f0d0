import { Context, Effect, Layer } from "effect"
import { type Day, today } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { sectionsOf } from "../periods/Currencies.ts"
import { agedIn, type AgedReceivables, buckets } from "./AgedReceivables.ts"
import { ReceivablesRepo } from "./ReceivablesRepo.ts"

export class Receivables extends Context.Service<
  Receivables,
  {
    /** Without a day, the report is for today in the organization's time zone. */
    readonly aged: (as_of: Day | undefined) => Effect.Effect<AgedReceivables, never, CurrentOrganization>
  }
>()("invoicing/reports/receivables/Receivables") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivablesRepo
      const { reading } = yield* Database

      const aged = Effect.fn("Receivables.aged")(function* (asked: Day | undefined) {
        const { currency, id: organization_id, timezone } = yield* CurrentOrganization
        const as_of = asked ?? (yield* today(timezone))
        const exponent = exponentOf(currency)
        const found = yield* repo.balances({ organization_id, currency, exponent, timezone, as_of })
        const [own, ...others] = sectionsOf(currency, found.totals)
        const customers_count = found.totals.reduce((sum, { customers }) => sum + customers, 0)
        return {
          as_of,
          buckets,
          ...agedIn(own.currency, as_of, found),
          other_currencies: others.map((other) => agedIn(other.currency, as_of, found)),
          omitted_customers: customers_count - found.customers.length,
          omitted_invoices: found.invoices_count - found.invoices.length
        }
      }, reading)

      return Receivables.of({ aged })
    })
  ).pipe(Layer.provide(ReceivablesRepo.layer))
}
