import { BigDecimal, Effect } from "effect"
import type { PaymentFacts } from "../../../billing/payments/Payment.ts"
import type { Expense } from "../../../expenses/Expense.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { isNearDay } from "../../matching/candidates/Candidate.ts"
import type { BankTransaction } from "../../transactions/BankTransaction.ts"
import type { Allocation } from "../matches/Match.ts"
import { SeveralPayments } from "../matches/ReconciliationErrors.ts"

/**
 * Returns the payment that was recorded by hand before its bank line arrived: one of exactly this amount, without a bank
 * line and without refunds. While the invoice is open, the payment must also be dated about the day of the line, because
 * the line may be a further payment of the same amount. Without an amount, only a payment that the request names is
 * returned. Cash is returned only if the request names it, as for the deposit of this cash.
 */
export const recordedPayment = Effect.fnUntraced(function* (
  { booking_date }: BankTransaction,
  { payment_id }: Allocation,
  amount: BigDecimal.BigDecimal | undefined,
  { is_open, payments }: { readonly is_open: boolean; readonly payments: ReadonlyArray<PaymentFacts> }
) {
  if (payment_id === null) return undefined
  const free = payments.filter(
    ({ bank_transaction_id, refunded_amount }) => bank_transaction_id === null && BigDecimal.isZero(refunded_amount)
  )
  const equal = amount === undefined ? free : free.filter((payment) => BigDecimal.equals(payment.amount, amount))
  if (payment_id !== undefined) {
    const named = equal.find(({ id }) => id === payment_id)
    if (named !== undefined) return named
    const message =
      "must name a payment of the invoice with this amount, without a bank transaction and without refunds."
    return yield* ValidationFailed.field("payment_id", message)
  }
  if (amount === undefined) return undefined
  const visible = equal.filter((payment) => !isCash(payment))
  const near = visible.filter(({ payment_date }) => isNearDay(payment_date, booking_date))
  const fitting = is_open || near.length > 0 ? near : visible
  const of_day = fitting.filter(({ payment_date }) => payment_date === booking_date)
  const [first, ...others] = of_day.length === 1 ? of_day : fitting
  if (others.length > 0) return yield* SeveralPayments.of(fitting.map(({ id }) => id))
  return first
})

/** True for money that no bank line shows. The payment method of an expense may be any text. */
export const isCash = ({ payment_method }: Pick<Expense | PaymentFacts, "payment_method">): boolean =>
  payment_method?.toLowerCase() === "cash"

/** The payment method that a match records, unless a request or a rule states another one. */
export const match_payment_method = "bank_transfer"
