import { BigDecimal, Effect } from "effect"
import { zero } from "../../kernel/Money.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { BankTransaction } from "../transactions/BankTransaction.ts"
import type { Allocation } from "./matches/Match.ts"
import type { MatchPart } from "../transactions/MatchFacts.ts"
import type { Target } from "./targets/Target.ts"
import { DirectionMismatch } from "./matches/ReconciliationErrors.ts"

interface Part {
  readonly allocation: Allocation
  readonly target: Target
}

/** Returns the allocations of one request; deducted ones have a negative amount. */
export const signed = Effect.fnUntraced(function* (line: BankTransaction, parts: ReadonlyArray<Part>) {
  const is_deducting = line.matches.some(isDeducted) || parts.some(({ target }) => target.is_deducted)
  const others = parts.flatMap(({ target }) => target.other ?? [])
  const is_transfer = others.length > 0 || line.matches.some((match) => match.transfer_transaction_id !== null)
  // If a user undoes one side of a transfer, the other line loses its match, too, and its other matches must still fit
  // its amount. Deductions could prevent that, so neither line may have them.
  if ((is_deducting && is_transfer) || others.some(({ matches }) => matches.some(isDeducted))) {
    return yield* ValidationFailed.of({
      transfer_transaction_id: ["A transfer cannot be matched with a line from which another match is deducted."]
    })
  }
  if (parts.every(({ target }) => target.is_deducted)) return yield* DirectionMismatch.of()
  const allocations: Array<Allocation> = []
  for (const { allocation, target } of parts) {
    const { amount = target.is_deducted ? BigDecimal.negate(target.open) : undefined } = allocation
    if (amount === undefined) allocations.push(allocation)
    // A deduction of zero passes here, because it is refused when it is booked.
    else if (BigDecimal.isZero(amount) || BigDecimal.isNegative(amount) === target.is_deducted) {
      allocations.push({ ...allocation, amount })
    } else return yield* DirectionMismatch.of()
  }
  return allocations
})

/** Returns the sum of the deducted amounts, without a sign. */
export const deductedOf = (allocations: ReadonlyArray<Pick<Allocation, "amount">>) =>
  BigDecimal.sumAll(
    allocations.flatMap(({ amount }) =>
      amount !== undefined && BigDecimal.isNegative(amount) ? [BigDecimal.abs(amount)] : []
    )
  )

/** True if a line can have these matches: their sum is positive and at most the line's amount. */
export const fits = (line: BankTransaction, matches: ReadonlyArray<Pick<MatchPart, "amount">>): boolean => {
  const sum = BigDecimal.sumAll(matches.map(({ amount }) => amount))
  if (matches.length === 0) return true
  return BigDecimal.isGreaterThan(sum, zero) && !BigDecimal.isGreaterThan(sum, BigDecimal.abs(line.amount))
}

const isDeducted = ({ amount }: Pick<MatchPart, "amount">) => BigDecimal.isNegative(amount)
