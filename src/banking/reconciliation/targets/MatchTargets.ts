import { BigDecimal, Context, Effect, Layer } from "effect"
import { CreditNotes } from "../../../billing/credit-notes/writing/CreditNotes.ts"
import { Invoices } from "../../../billing/invoices/writing/Invoices.ts"
import type { PaymentDraft } from "../../../billing/payments/Payment.ts"
import type { PaymentLocked } from "../../../billing/payments/PaymentErrors.ts"
import { Payments } from "../../../billing/payments/Payments.ts"
import { Refunds } from "../../../billing/payments/Refunds.ts"
import { Expenses } from "../../../expenses/Expenses.ts"
import type { ExpenseId } from "../../../kernel/Ids.ts"
import { type NotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { cut } from "../../../kernel/Text.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import type { BankTransaction } from "../../transactions/BankTransaction.ts"
import type { Allocation } from "../matches/Match.ts"
import type { MatchFacts } from "../../transactions/MatchFacts.ts"
import { MatchesRepo } from "../matches/MatchesRepo.ts"
import { isCash, match_payment_method, recordedPayment } from "./RecordedMoney.ts"
import type { MatchRefused } from "../matches/ReconciliationErrors.ts"
import { distinct, type Target } from "./Target.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"

type Booked = Pick<
  MatchFacts,
  "payment_id" | "is_payment_linked" | "expense_status" | "expense_payment_method" | "booked_refund_ids"
>
type Unbookable = NotFound | PaymentLocked | BooksLocked

/** Books the money of matches on their targets: payments, paid expenses and refunds. */
export class MatchTargets extends Context.Service<
  MatchTargets,
  {
    /**
     * Locks the targets. Must run before the first audit entry of the transaction, because the audit log is locked
     * last.
     */
    readonly hold: (targets: ReadonlyArray<Allocation>) => Effect.Effect<void, NotFound, CurrentOrganization>
    /**
     * Returns the target with the recorded money that a match of this amount links, if there is any. Without an amount,
     * only a payment that the request names is linked, with its whole amount.
     */
    readonly recorded: (
      line: BankTransaction,
      target: Target,
      allocation: Allocation,
      amount: BigDecimal.BigDecimal | undefined
    ) => Effect.Effect<Target, MatchRefused, CurrentOrganization>
    readonly book: (
      line: BankTransaction,
      target: Target,
      amount: BigDecimal.BigDecimal,
      payment_method?: PaymentDraft["payment_method"]
    ) => Effect.Effect<Booked, MatchRefused, Caller>
    /** Undoes a match with everything that it booked. A document that it created stays. */
    readonly undo: (match: MatchFacts) => Effect.Effect<void, Unbookable, Caller>
  }
>()("invoicing/banking/reconciliation/targets/MatchTargets") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const matches = yield* MatchesRepo
      const invoices = yield* Invoices
      const payments = yield* Payments
      const refunds = yield* Refunds
      const notes = yield* CreditNotes
      const expenses = yield* Expenses

      /** The invoice whose lock protects the target's open amount. */
      const invoiceOf = Effect.fnUntraced(function* ({ credit_note_id, invoice_id, payment_refund_id }: Allocation) {
        if (payment_refund_id !== undefined) return (yield* refunds.find(payment_refund_id)).invoice_id
        return credit_note_id === undefined ? invoice_id : (yield* notes.get(credit_note_id)).invoice_id
      })

      const hold = Effect.fn("MatchTargets.hold")(function* (targets: ReadonlyArray<Allocation>) {
        const invoice_ids = yield* Effect.forEach(targets, invoiceOf)
        yield* invoices.hold(distinct(invoice_ids))
        yield* expenses.hold(distinct(targets.map(({ expense_id }) => expense_id)))
      })

      const recorded: MatchTargets["Service"]["recorded"] = Effect.fn("MatchTargets.recorded")(
        function* (line, target, allocation, amount) {
          const { expense, invoice, is_deducted, open } = target
          if (invoice === undefined && allocation.payment_id !== undefined) {
            return yield* ValidationFailed.field("payment_id", "may only be given together with invoice_id.")
          }
          if (is_deducted) {
            if (!allocation.payment_id) return target
            return yield* ValidationFailed.field("payment_id", "may not be given for a deducted invoice.")
          }
          if (
            expense?.status === "paid" &&
            !isCash(expense) &&
            amount !== undefined &&
            BigDecimal.equals(amount, open)
          ) {
            return { ...target, recorded: { payment_id: null } }
          }
          if (invoice === undefined) return target
          const known = { is_open: BigDecimal.isPositive(open), payments: yield* payments.ofInvoice(invoice.id) }
          const payment = yield* recordedPayment(line, allocation, amount, known)
          if (payment === undefined) return target
          return { ...target, open: payment.amount, recorded: { payment_id: payment.id } }
        }
      )

      const book: MatchTargets["Service"]["book"] = Effect.fn("MatchTargets.book")(function* (
        line,
        { expense, invoice, note, open, recorded },
        amount,
        payment_method = match_payment_method
      ) {
        const payment_id = recorded?.payment_id ?? null
        if (payment_id !== null) {
          yield* payments.link(payment_id, line.id)
          return { ...nothing_booked, payment_id, is_payment_linked: true }
        }
        const reference = line.reference ?? (cut(line.remittance_text, reference_characters_max) || null)
        if (invoice !== undefined) {
          const draft = { invoice_id: invoice.id, amount, payment_date: line.booking_date, payment_method, reference }
          return { ...nothing_booked, payment_id: (yield* payments.create(draft, line.id)).id }
        }
        if (note !== undefined) {
          const reason = `Credit note ${note.number ?? note.id}`
          const made = refunds.refundInvoice(note.invoice_id, amount, line.booking_date, reason)
          return { ...nothing_booked, booked_refund_ids: yield* made }
        }
        if (expense === undefined) return nothing_booked
        // Several lines may pay one expense; the last of them marks it as paid.
        if (recorded !== undefined || BigDecimal.isLessThan(amount, open)) yield* expenses.link(expense.id, line.id)
        else {
          const body = { payment_method, payment_reference: reference, paid_at: line.booking_date }
          // A bank line pays an expense whatever its status was, because the money has left the account.
          yield* expenses.markPaid(expense.id, body, line.id).pipe(Effect.catchTag("ExpenseRejected", Effect.die))
        }
        return { ...nothing_booked, expense_status: expense.status, expense_payment_method: expense.payment_method }
      })

      const undo = Effect.fn("MatchTargets.undo")(function* (match: MatchFacts) {
        const { id: organization_id } = yield* CurrentOrganization
        if (match.payment_id !== null) {
          if (match.is_payment_linked) yield* payments.link(match.payment_id, null)
          else yield* payments.unreconcile(match.payment_id)
        }
        for (const id of match.booked_refund_ids) yield* refunds.unreconcile(id)
        const undone = matches.undo({ organization_id, id: match.id })
        yield* match.expense_id === null ? undone : reopen(match.expense_id, undone)
      })

      /**
       * Restores the status before the latest match if the matches pay the whole expense, because this match may have
       * marked it as paid. An expense that was marked by hand stays paid.
       */
      const reopen = Effect.fnUntraced(function* (expense_id: ExpenseId, undo: Effect.Effect<void>) {
        const { id: organization_id } = yield* CurrentOrganization
        const { amount, payment_method, status } = yield* expenses.get(expense_id)
        const before = yield* matches.claimed({ organization_id, expense_id })
        yield* undo
        const { bank_transaction_id } = yield* matches.claimed({ organization_id, expense_id })
        const isWhole = BigDecimal.equals(before.amount, BigDecimal.abs(amount))
        const restored = isWhole ? (before.expense_status ?? ("approved" as const)) : status
        // Another method than that of matches is a later change of a user, which is kept.
        const isMethodOfMatch = isWhole && restored !== "paid" && payment_method === match_payment_method
        const method = isMethodOfMatch ? before.expense_payment_method : payment_method
        yield* expenses.unreconcile(expense_id, { status: restored, payment_method: method, bank_transaction_id })
      })

      return MatchTargets.of({ hold, recorded, book, undo })
    })
  ).pipe(
    Layer.provide(MatchesRepo.layer),
    Layer.provide([Invoices.layer, Payments.layer, Refunds.layer, CreditNotes.layer, Expenses.layer])
  )
}

const nothing_booked: Booked = {
  payment_id: null,
  is_payment_linked: false,
  expense_status: null,
  expense_payment_method: null,
  booked_refund_ids: []
}

const reference_characters_max = 255
