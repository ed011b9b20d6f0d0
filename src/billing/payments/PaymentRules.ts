import { BigDecimal, Effect } from "effect"
import type { Day, Timestamp } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { PaymentId } from "../../kernel/Ids.ts"
import { zero } from "../../kernel/Money.ts"
import { orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { Invoice, InvoiceFacts, InvoiceStatus } from "../invoices/Invoice.ts"
import { requireCurrency, requireExponent, requireStorable } from "../lines/Pricing.ts"
import type { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import type { PaymentFacts } from "./Payment.ts"
import { AlreadyPaid, AmountExceedsBalance } from "./PaymentErrors.ts"
import type { PaymentsRepo } from "./PaymentsRepo.ts"

/** The fields of a new payment. Without an amount, the payment settles the balance due. */
export type Instruction = Pick<
  PaymentFacts,
  "payment_date" | "payment_method" | "reference" | "notes" | "bank_transaction_id" | "external_id" | "metadata"
> & {
  readonly amount: BigDecimal.BigDecimal | null
  readonly currency: CurrencyCode | null
}

/**
 * Returns the name of the event that a payment of the invoice causes. An overpayment of a paid invoice does not publish
 * `invoice.paid` again.
 */
export const settlementOf = ({ balance_due }: Invoice, before: InvoiceStatus) => {
  if (before === "paid") return "invoice.updated"
  return BigDecimal.isPositive(balance_due) ? "invoice.partially_paid" : "invoice.paid"
}

/** Returns the amount to book: the requested amount, else the balance due (rules/payments.md, Booking). */
export const bookable = Effect.fnUntraced(function* (
  invoice: Pick<Invoice, "amount_paid" | "balance_due" | "currency" | "status">,
  { amount: asked, currency }: Pick<Instruction, "amount" | "currency">,
  allowOverpayment: boolean
) {
  yield* requireCurrency(currency, invoice.currency)
  const takesMore = asked !== null && allowOverpayment && invoice.status !== "credited"
  if (BigDecimal.isZero(invoice.balance_due) && !takesMore) return yield* AlreadyPaid.of()
  const amount = asked ?? invoice.balance_due
  yield* requireExponent("amount", amount, invoice.currency)
  if (!allowOverpayment && BigDecimal.isGreaterThan(amount, invoice.balance_due)) {
    return yield* AmountExceedsBalance.of(invoice.balance_due)
  }
  // After refunds and overpayments, the sum of all payments may exceed the total, and may be too large for the column.
  yield* requireStorable("amount", BigDecimal.sum(invoice.amount_paid, amount))
  return amount
})

/**
 * Refuses a new day of a payment that is after the day of a refund, or that of a prepaid amount, because statements show
 * this amount on the day of the invoice. Refunds of an earlier version have no day of their own.
 */
export const requirePaymentDate = Effect.fnUntraced(function* (
  { is_prepayment, payment_date: before, refunds }: PaymentFacts,
  payment_date: Day | undefined
) {
  if (payment_date === undefined || payment_date === before) return
  const [first] = refunds.flatMap(({ refund_date }) => refund_date ?? []).toSorted()
  if (first !== undefined && payment_date > first) {
    const message = `must not be after ${first}, the day of a refund of the payment.`
    return yield* ValidationFailed.field("payment_date", message)
  }
  if (is_prepayment) {
    const message = "must stay the day of the invoice, because the payment is its prepaid amount."
    return yield* ValidationFailed.field("payment_date", message)
  }
})

export const newPayment = (
  id: PaymentId,
  { currency, id: invoice_id }: InvoiceFacts,
  instruction: Instruction & { readonly amount: BigDecimal.BigDecimal },
  at: Timestamp
): PaymentFacts => ({
  id,
  invoice_id,
  ...instruction,
  currency,
  refunded_amount: zero,
  refunds: [],
  is_prepayment: false,
  created_at: at,
  updated_at: at,
  version: 1
})

/** Reads a payment under the row lock of its invoice, which every change of a payment takes first. */
export const lockPayment = (repo: PaymentsRepo["Service"], invoices: InvoicesRepo["Service"]) =>
  Effect.fnUntraced(function* (id: PaymentId) {
    const { id: organization_id } = yield* CurrentOrganization
    const { invoice_id } = yield* orNotFound(repo.find({ organization_id, id }))
    const invoice = yield* orNotFound(invoices.lock({ organization_id, id: invoice_id }))
    const payment = yield* orNotFound(repo.find({ organization_id, id }))
    return { invoice, payment }
  })
export type LockedPayment = Effect.Success<ReturnType<ReturnType<typeof lockPayment>>>
