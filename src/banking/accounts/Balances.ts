import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { type Day, dayAt, TimeZone } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount, zero } from "../../kernel/Money.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { BalancesRepo } from "./BalancesRepo.ts"
import type { BankAccount, ReconciliationReport } from "./BankAccount.ts"

type Period = Pick<ReconciliationReport, "from" | "to">

/** Computes balances from the opening balance and the lines, and compares them with those that the bank states. */
export class Balances extends Context.Service<
  Balances,
  {
    readonly of: (
      account: BankAccount,
      period: Period
    ) => Effect.Effect<Pick<ReconciliationReport, "balance_check" | "days">, never, CurrentOrganization>
  }
>()("invoicing/banking/accounts/Balances") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BalancesRepo

      /** Returns the stored opening balance, or else that of the first statement, and the sum of the lines before it. */
      const openingOf = Effect.fnUntraced(function* ({ id, opening_balance, opening_balance_date }: BankAccount) {
        const { id: organization_id } = yield* CurrentOrganization
        if (opening_balance !== null && opening_balance_date !== null) {
          const sum_before = yield* repo.sumBefore({ organization_id, id, day: opening_balance_date })
          return { balance: opening_balance, date: opening_balance_date, sum_before }
        }
        return Option.getOrNull(yield* repo.opening({ organization_id, id }))
      })

      const of = Effect.fn("Balances.of")(function* (account: BankAccount, { from, to }: Period) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const key = { organization_id, id: account.id }
        const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(account.currency))
        const textOrNull = (amount: BigDecimal.BigDecimal | null) => (amount === null ? null : text(amount))
        const opening = yield* openingOf(account)
        // The balance before the account's earliest line. This line may be older than the opening balance.
        const before = opening === null ? zero : BigDecimal.subtract(opening.balance, opening.sum_before)
        const statement = Option.getOrNull(yield* repo.closing({ ...key, to }))
        const provider = providerOf(account, timezone)
        const first = yield* repo.firstDay(key)
        // A later balance says nothing about a period that ends before the account's earliest line.
        const is_before = first === null || first > to
        const told = latest(statement, is_before && provider !== null && provider.date > to ? null : provider, to)
        const as_of = told?.date ?? to
        const computed = BigDecimal.sum(before, yield* repo.sumUntil({ ...key, day: as_of }))
        // Without an opening balance, all balances are computed from zero. So if one differs from that of the bank, the
        // account may have had money before its earliest line.
        const differenceOf = (own: BigDecimal.BigDecimal, told: BigDecimal.BigDecimal) => {
          const difference = BigDecimal.subtract(own, told)
          return opening === null && !BigDecimal.isZero(difference) ? null : difference
        }
        const difference = told === null ? null : differenceOf(computed, told.balance)
        let balance = BigDecimal.sum(before, yield* repo.sumBefore({ ...key, day: from }))
        const days = (yield* repo.days({ ...key, from, to })).map(({ credits, date, debits, statement_balance }) => {
          balance = BigDecimal.sum(balance, BigDecimal.sum(credits, debits))
          return {
            date,
            credits: text(credits),
            debits: text(debits),
            balance: text(balance),
            statement_balance: textOrNull(statement_balance),
            difference: textOrNull(statement_balance === null ? null : differenceOf(balance, statement_balance))
          }
        })
        const balance_check: ReconciliationReport["balance_check"] = {
          opening_balance: textOrNull(opening?.balance ?? null),
          opening_balance_date: opening?.date ?? null,
          lines_sum: text(yield* repo.sumUntil({ ...key, day: to })),
          computed: text(computed),
          as_of,
          provider: textOrNull(account.provider_balance),
          provider_at: account.provider_balance_at,
          statement: statement === null ? null : { balance: text(statement.balance), date: statement.date },
          difference: textOrNull(difference),
          status: difference === null ? "unavailable" : BigDecimal.isZero(difference) ? "passed" : "failed"
        }
        return { balance_check, days }
      })

      return Balances.of({ of })
    })
  ).pipe(Layer.provide(BalancesRepo.layer))
}

const utc = TimeZone.make("UTC")

interface Told {
  readonly balance: BigDecimal.BigDecimal
  readonly date: Day
}

/**
 * Returns the balance that the bank reported apart from its statements, and the day at whose end the account had it.
 */
const providerOf = ({ provider_balance, provider_balance_at }: BankAccount, timezone: TimeZone): Told | null => {
  if (provider_balance === null || provider_balance_at === null) return null
  // A balance for a whole day is stored with midnight UTC of that day. Any other time is exact, and midnight in the
  // organization's time zone belongs to the day that ends then.
  const date = provider_balance_at.endsWith("T00:00:00.000Z")
    ? dayAt(Date.parse(provider_balance_at), utc)
    : dayAt(Date.parse(provider_balance_at) - 1, timezone)
  return { balance: provider_balance, date }
}

/**
 * Returns the later of two balances: that of a statement, and one that the bank reported apart from its statements
 * (`provider`). If both exist, a reported balance after the end of the period is ignored.
 */
const latest = (statement: Told | null, provider: Told | null, to: Day): Told | null => {
  if (statement === null || provider === null) return statement ?? provider
  return provider.date <= to && provider.date > statement.date ? provider : statement
}
