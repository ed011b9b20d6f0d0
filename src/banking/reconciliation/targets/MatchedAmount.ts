import { BigDecimal, Effect } from "effect"
import { AlreadyPaid, AmountExceedsBalance } from "../../../billing/payments/PaymentErrors.ts"
import { ExpensePaid } from "../../../expenses/ExpenseErrors.ts"
import { type CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { fitsExponent, zero } from "../../../kernel/Money.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import type { Allocation } from "../matches/Match.ts"
import { AmountExceedsRemaining } from "../matches/ReconciliationErrors.ts"
import type { Target } from "./Target.ts"

interface Rest {
  readonly currency: CurrencyCode
  /** The unmatched amount of the line, plus what is deducted. */
  readonly left: BigDecimal.BigDecimal
  /** True if the request divides the amount of the line among several targets. */
  readonly is_divided: boolean
  /** True if no invoice may be overpaid, even if the organization allows it. */
  readonly is_within_balance: boolean
}

export const statedAmount = ({ amount }: Allocation): BigDecimal.BigDecimal | undefined =>
  amount === undefined ? undefined : BigDecimal.abs(amount)

/** Returns the amount that a match gives to its target: the stated one, or else as much as possible. */
export const matchedAmount = Effect.fnUntraced(function* (
  target: Target,
  allocation: Allocation,
  { currency, is_divided, is_within_balance, left }: Rest
) {
  const { settings } = yield* CurrentOrganization
  const allows = settings.allow_overpayment && !is_within_balance
  const isOverpaying = allows && !BigDecimal.isZero(allocation.amount ?? zero)
  if (target.invoice !== undefined && BigDecimal.isZero(target.open) && !isOverpaying) {
    return yield* AlreadyPaid.ofLine()
  }
  if (target.expense?.status === "paid" && target.recorded === undefined) return yield* ExpensePaid.of()
  // Recorded money, and a document of a divided line for which no amount is stated, must be matched in full.
  const is_whole = is_divided || target.recorded !== undefined
  const amount = statedAmount(allocation) ?? (is_whole ? target.open : BigDecimal.min(left, target.open))
  // The previous allocations used up the line's amount, or a deducted target has no open amount.
  if (BigDecimal.isZero(amount)) {
    return yield* target.is_deducted ? AmountExceedsRemaining.of(amount) : AmountExceedsRemaining.ofLine(amount)
  }
  if (!fitsExponent(amount, exponentOf(currency))) {
    return yield* ValidationFailed.field("amount", `has more decimal places than ${currency} has.`)
  }
  if (!target.is_deducted && BigDecimal.isGreaterThan(amount, left)) return yield* AmountExceedsRemaining.ofLine(left)
  if (!BigDecimal.isGreaterThan(amount, target.open)) return amount
  if (target.invoice === undefined) return yield* AmountExceedsRemaining.of(target.open)
  // Otherwise `Payments` checks an overpayment of an invoice, because a setting may allow it.
  return is_within_balance ? yield* AmountExceedsBalance.of(target.open) : amount
})
