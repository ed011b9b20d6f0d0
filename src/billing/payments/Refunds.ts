import { BigDecimal, Context, Effect, Layer } from "effect"
import { type Day, now, type Timestamp } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { InvoiceId, PaymentId, RefundId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { balanceOf, complete, completeSummary, type Invoice, overpaidOf, settled } from "../invoices/Invoice.ts"
import { statusEvent } from "../invoices/InvoiceAudit.ts"
import { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import { requireCurrency, requireExponent } from "../lines/Pricing.ts"
import { type Payment, refundableOf, type RefundDraft, withoutPrepayment, withState } from "./Payment.ts"
import { AmountExceedsBalance, AmountExceedsRefundable } from "./PaymentErrors.ts"
import { paymentEntry, paymentEvent } from "./PaymentAudit.ts"
import { type LockedPayment, lockPayment } from "./PaymentRules.ts"
import { bookPrepayment } from "./Prepayment.ts"
import { PaymentsRepo, type ActiveRefund } from "./PaymentsRepo.ts"

/** Books refunds of payments. A refund never changes after it was booked, and can be reversed once. */
export class Refunds extends Context.Service<
  Refunds,
  {
    readonly refund: (
      id: PaymentId,
      body: RefundDraft
    ) => Effect.Effect<Payment, NotFound | ValidationFailed | AmountExceedsRefundable | BooksLocked, Caller>
    readonly find: (id: RefundId) => Effect.Effect<ActiveRefund, NotFound, CurrentOrganization>
    /** Refunds an amount, by default all, by which payments and credit notes exceed the total of an invoice. */
    readonly refundOverpaid: (
      id: InvoiceId,
      body: RefundDraft
    ) => Effect.Effect<Invoice, NotFound | ValidationFailed | AmountExceedsRefundable | BooksLocked, Caller>
    /**
     * Refunds an amount from the payments of an invoice, beginning with the latest, and then from its prepaid amount;
     * returns the new refunds.
     */
    readonly refundInvoice: (
      id: InvoiceId,
      amount: BigDecimal.BigDecimal,
      day: Day,
      reason: string | null
    ) => Effect.Effect<ReadonlyArray<RefundId>, NotFound | AmountExceedsRefundable | BooksLocked, Caller>
    /** Reverses a refund, unless the payments alone would then exceed the total of the invoice. */
    readonly reverse: (id: RefundId) => Effect.Effect<void, NotFound | AmountExceedsBalance | BooksLocked, Caller>
    /** Reverses a refund that was booked for a bank transaction that is no longer matched with its credit note. */
    readonly unreconcile: (id: RefundId) => Effect.Effect<void, NotFound | BooksLocked, Caller>
  }
>()("invoicing/billing/payments/Refunds") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* PaymentsRepo
      const invoices = yield* InvoicesRepo
      const { transaction } = yield* Database
      const lock = lockPayment(repo, invoices)
      const prepay = bookPrepayment(repo, invoices)

      const changed = Effect.fnUntraced(function* (
        { invoice, payment: stored }: LockedPayment,
        action: "payment.refunded" | "payment.refund_reversed",
        refunds: Payment["refunds"],
        at: Timestamp
      ) {
        const day = yield* todayHere
        const refunded_amount = BigDecimal.sumAll(refunds.map(({ amount }) => amount))
        const payment = withState({ ...stored, refunded_amount, refunds, updated_at: at, version: stored.version + 1 })
        const others = BigDecimal.subtract(invoice.amount_refunded, stored.refunded_amount)
        const moved = settled({ ...invoice, amount_refunded: BigDecimal.sum(others, refunded_amount) }, at)
        const entry = yield* paymentEntry(action, payment, [
          yield* paymentEvent(action, payment),
          yield* statusEvent(complete(moved, day), completeSummary(invoice, day).status)
        ])
        return { payment, moved, entry }
      })

      const book = Effect.fnUntraced(function* (
        locked: LockedPayment,
        amount: BigDecimal.BigDecimal,
        day: Day,
        reason: string | null
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { payment_date } = locked.payment
        const refund_date = day < payment_date ? payment_date : day
        yield* requireOpenBooks(refund_date)
        const created_at = yield* now
        const made = { id: yield* repo.nextRefundId, amount, reason, refund_date, created_at }
        const refunds = [...locked.payment.refunds, made]
        const { entry, moved, payment } = yield* changed(locked, "payment.refunded", refunds, created_at)
        yield* repo.refund(organization_id, payment, made, moved, entry)
        return { payment, id: made.id }
      })

      const refund = Effect.fn("Refunds.refund")(function* (id: PaymentId, body: RefundDraft) {
        yield* Effect.annotateCurrentSpan({ "payment.id": id })
        const locked = yield* lock(id)
        const amount = yield* amountOf(body, refundableOf(locked.payment), locked.payment.currency)
        const asked = body.refund_date ?? null
        if (asked !== null && asked < locked.payment.payment_date) {
          return yield* ValidationFailed.field("refund_date", "must not be before the day of the payment.")
        }
        const day = asked ?? (yield* todayHere)
        const { payment } = yield* book(locked, amount, day, body.reason ?? null)
        return payment
      }, transaction)

      const find = Effect.fn("Refunds.find")(function* (id: RefundId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.findRefund({ organization_id, id }))
      })

      const refundInvoice = Effect.fn("Refunds.refundInvoice")(function* (
        invoice_id: InvoiceId,
        amount: BigDecimal.BigDecimal,
        day: Day,
        reason: string | null
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const booked = yield* repo.ofInvoice(organization_id, invoice_id)
        if (BigDecimal.isGreaterThan(amount, BigDecimal.sumAll(booked.map(refundableOf)))) yield* prepay(invoice_id)
        const payments = (yield* repo.ofInvoice(organization_id, invoice_id)).toReversed()
        const prepayments = payments.filter(({ is_prepayment }) => is_prepayment)
        const made: Array<RefundId> = []
        let left = amount
        for (const { id } of [...withoutPrepayment(payments), ...prepayments]) {
          const locked = yield* lock(id)
          const part = BigDecimal.min(left, refundableOf(locked.payment))
          if (!BigDecimal.isPositive(part)) continue
          made.push((yield* book(locked, part, day, reason)).id)
          left = BigDecimal.subtract(left, part)
        }
        if (!BigDecimal.isZero(left)) return yield* AmountExceedsRefundable.of(BigDecimal.subtract(amount, left))
        return made
      }, transaction)

      const refundOverpaid = Effect.fn("Refunds.refundOverpaid")(function* (id: InvoiceId, body: RefundDraft) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const { currency, ...invoice } = yield* orNotFound(invoices.lock({ organization_id, id }))
        const amount = yield* amountOf(body, overpaidOf(invoice), currency)
        const today = yield* todayHere
        const asked = body.refund_date ?? null
        const made = yield* refundInvoice(id, amount, asked ?? today, body.reason ?? null)
        const days = (yield* repo.ofInvoice(organization_id, id)).flatMap(({ refunds }) =>
          refunds.filter((refund) => made.includes(refund.id)).map(({ refund_date }) => refund_date)
        )
        if (asked !== null && days.some((day) => day !== asked)) {
          return yield* ValidationFailed.field("refund_date", "must not be before the day of a refunded payment.")
        }
        return complete(yield* orNotFound(invoices.find({ organization_id, id })), today)
      }, transaction)

      const reversal = Effect.fnUntraced(function* (id: RefundId) {
        const { payment_id, refunded_on } = yield* find(id)
        yield* requireOpenBooks(refunded_on)
        const locked = yield* lock(payment_id)
        const refunds = locked.payment.refunds.filter((refund) => refund.id !== id)
        return { before: locked.invoice, ...(yield* changed(locked, "payment.refund_reversed", refunds, yield* now)) }
      })
      type Reversal = Effect.Success<ReturnType<typeof reversal>>

      const save = Effect.fnUntraced(function* (id: RefundId, { entry, moved, payment }: Reversal) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* repo.reverse(organization_id, payment, id, moved, entry)
      })

      const reverse = Effect.fn("Refunds.reverse")(function* (id: RefundId) {
        const { settings } = yield* CurrentOrganization
        const reversed = yield* reversal(id)
        const { amount_paid, amount_refunded, total } = reversed.moved
        // Sent credit notes do not count, because the money that they leave over may be refunded again.
        const isOverpaid = BigDecimal.isGreaterThan(BigDecimal.subtract(amount_paid, amount_refunded), total)
        if (isOverpaid && !settings.allow_overpayment) {
          return yield* AmountExceedsBalance.withoutRefund(balanceOf(reversed.before))
        }
        yield* save(id, reversed)
      }, transaction)

      const unreconcile = Effect.fn("Refunds.unreconcile")(function* (id: RefundId) {
        yield* save(id, yield* reversal(id))
      }, transaction)

      return Refunds.of({ refund, refundOverpaid, find, refundInvoice, reverse, unreconcile })
    })
  ).pipe(Layer.provide([PaymentsRepo.layer, InvoicesRepo.layer]))
}

/** Returns the amount that a request refunds: by default, all that can be refunded. */
const amountOf = Effect.fnUntraced(function* (
  body: RefundDraft,
  refundable: BigDecimal.BigDecimal,
  currency: CurrencyCode
) {
  const amount = body.amount ?? refundable
  yield* requireCurrency(body.currency, currency)
  yield* requireExponent("amount", amount, currency)
  if (BigDecimal.isGreaterThan(amount, refundable) || BigDecimal.isZero(refundable)) {
    return yield* AmountExceedsRefundable.of(refundable)
  }
  return amount
})
