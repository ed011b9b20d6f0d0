import { BigDecimal, Context, Effect, Layer } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { PageRows } from "../../kernel/Envelope.ts"
import type { BankAccountId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Balances } from "./Balances.ts"
import { days_max } from "./BalancesRepo.ts"
import type { BankAccount, BankAccountsQuery, ReconciliationReport } from "./BankAccount.ts"
import { BankAccountsRepo } from "./BankAccountsRepo.ts"

export class BankAccounts extends Context.Service<
  BankAccounts,
  {
    readonly list: (query: BankAccountsQuery) => Effect.Effect<PageRows<BankAccount>, never, CurrentOrganization>
    readonly get: (id: BankAccountId) => Effect.Effect<BankAccount, NotFound, CurrentOrganization>
    /** Computes how many lines of a period are matched, and whether the balances agree with those of the bank. */
    readonly report: (
      id: BankAccountId,
      period: { readonly from: Day; readonly to: Day }
    ) => Effect.Effect<ReconciliationReport, NotFound | ValidationFailed, CurrentOrganization>
  }
>()("invoicing/banking/accounts/BankAccounts") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankAccountsRepo
      const balances = yield* Balances

      const list = Effect.fn("BankAccounts.list")(function* (query: BankAccountsQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.list(organization_id, query)
      })

      const get = Effect.fn("BankAccounts.get")(function* (id: BankAccountId) {
        yield* Effect.annotateCurrentSpan({ "bank_account.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      const report = Effect.fn("BankAccounts.report")(function* (
        id: BankAccountId,
        { from, to }: { readonly from: Day; readonly to: Day }
      ) {
        if (to < from) return yield* ValidationFailed.of({ to: ["The to field must not be before from."] })
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* get(id)
        const rows = yield* repo.tally({ organization_id, id, from, to })
        const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(account.currency))
        const matched = rows.filter(({ status }) => status === "matched")
        const open = rows.filter(({ status }) => status !== "matched" && status !== "excluded")
        const tally = (part: typeof rows, amount: "sum" | "rest") => ({
          count: countOf(part),
          sum: text(BigDecimal.sumAll(part.map((row) => row[amount])))
        })
        const balance = yield* balances.of(account, { from, to })
        if (balance.days.length > days_max) {
          return yield* ValidationFailed.field("to", `must end a period with at most ${days_max} days in the report.`)
        }
        return {
          bank_account_id: id,
          currency: account.currency,
          from,
          to,
          by_status: rows.map(({ count, status, sum }) => ({ status, count, sum: text(sum) })),
          matched: tally(matched, "sum"),
          unmatched: tally(open, "rest"),
          reconciliation_rate: rateOf(countOf(matched), countOf(matched) + countOf(open)),
          ...balance
        }
      })

      return BankAccounts.of({ list, get, report })
    })
  ).pipe(Layer.provide([BankAccountsRepo.layer, Balances.layer]))
}

const countOf = (rows: ReadonlyArray<{ readonly count: number }>): number =>
  rows.reduce((sum, { count }) => sum + count, 0)

const rate_decimals = 2
const whole_rate = 10_000

/** Returns a percentage with two decimals, rounded down, so that it is 100.00 only if no line is open; 0 without lines. */
const rateOf = (matched: number, all: number): string => {
  const rate = all === 0 ? 0 : Math.floor((matched * whole_rate) / all)
  return formatAmount(BigDecimal.make(BigInt(rate), rate_decimals), rate_decimals)
}
