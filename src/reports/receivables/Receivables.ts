import { Context, Effect, Layer } from "effect"
import { type Day, today } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { sectionsOf } from "../periods/Currencies.ts"
import { agedIn, type AgedReceivables, buckets } from "./AgedReceivables.ts"
import { ReceivablesRepo } from "./ReceivablesRepo.ts"

/** Who owes what on a day, and for how long. */
export class Receivables extends Context.Service<
  Receivables,
  {
    /** Of today in the organization's time zone, when no day is given. */
    readonly aged: (as_of: Day | undefined) => Effect.Effect<AgedReceivables, never, CurrentOrganization>
  }
>()("invoicing/reports/receivables/Receivables") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivablesRepo

      const aged = Effect.fn("Receivables.aged")(function* (asked: Day | undefined) {
        const { currency, id: organization_id, timezone } = yield* CurrentOrganization
        const as_of = asked ?? (yield* today(timezone))
        const exponent = exponentOf(currency)
        const found = yield* repo.balances({ organization_id, currency, exponent, timezone, as_of })
        const [own, ...others] = sectionsOf(currency, found.customers).map((section) => {
          const invoices = found.invoices.filter((invoice) => invoice.currency === section.currency)
          return agedIn(
            section.currency,
            as_of,
            section.rows,
            Map.groupBy(invoices, (one) => one.customer_id)
          )
        })
        return {
          as_of,
          buckets,
          ...(own ?? agedIn(currency, as_of, [], new Map())),
          other_currencies: others,
          omitted_invoices: found.invoices_count - found.invoices.length
        }
      })

      return Receivables.of({ aged })
    })
  ).pipe(Layer.provide(ReceivablesRepo.layer))
}
