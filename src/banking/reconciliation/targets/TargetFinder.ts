import { BigDecimal, Context, Effect, Layer } from "effect"
import { CreditNotes } from "../../../billing/credit-notes/writing/CreditNotes.ts"
import { InvoiceLocked } from "../../../billing/invoices/InvoiceErrors.ts"
import { Invoices } from "../../../billing/invoices/writing/Invoices.ts"
import { Refunds } from "../../../billing/payments/Refunds.ts"
import { Expenses } from "../../../expenses/Expenses.ts"
import type { CurrencyCode } from "../../../kernel/Currency.ts"
import type { ExpenseId, InvoiceId } from "../../../kernel/Ids.ts"
import { zero } from "../../../kernel/Money.ts"
import { NotFound, orNotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import type { BankTransaction } from "../../transactions/BankTransaction.ts"
import { BankTransactionsRepo } from "../../transactions/BankTransactionsRepo.ts"
import type { Allocation } from "../matches/Match.ts"
import { MatchesRepo } from "../matches/MatchesRepo.ts"
import {
  AlreadyMatched,
  DirectionMismatch,
  LineCurrencyMismatch,
  type MatchRefused
} from "../matches/ReconciliationErrors.ts"
import type { Target } from "./Target.ts"

/** Finds the targets of a line's matches, and what is open of each. */
export class TargetFinder extends Context.Service<
  TargetFinder,
  {
    /** Refuses a target of another organization, or in a currency that does not fit the line. */
    readonly find: (
      line: BankTransaction,
      allocation: Allocation
    ) => Effect.Effect<Target, MatchRefused, CurrentOrganization>
  }
>()("invoicing/banking/reconciliation/targets/TargetFinder") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const matches = yield* MatchesRepo
      const invoices = yield* Invoices
      const refunds = yield* Refunds
      const notes = yield* CreditNotes
      const expenses = yield* Expenses

      const invoiceTarget = Effect.fnUntraced(function* (line: BankTransaction, invoice_id: InvoiceId) {
        const invoice = yield* invoices.get(invoice_id)
        if (invoice.status === "void") return yield* InvoiceLocked.change(invoice)
        const is_deducted = yield* isAgainst(line, "credit", invoice.currency)
        return { invoice_id, invoice, open: invoice.balance_due, is_deducted }
      })

      const expenseTarget = Effect.fnUntraced(function* (line: BankTransaction, expense_id: ExpenseId) {
        const { id: organization_id } = yield* CurrentOrganization
        const expense = yield* expenses.get(expense_id)
        const direction = BigDecimal.isNegative(expense.amount) ? "credit" : "debit"
        const is_deducted = yield* isAgainst(line, direction, expense.currency)
        const { amount: claimed } = yield* matches.claimed({ organization_id, expense_id })
        return { expense_id, expense, open: BigDecimal.subtract(BigDecimal.abs(expense.amount), claimed), is_deducted }
      })

      const refundTarget = Effect.fnUntraced(function* (
        line: BankTransaction,
        payment_refund_id: NonNullable<Allocation["payment_refund_id"]>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const refund = yield* refunds.find(payment_refund_id)
        const is_deducted = yield* isAgainst(line, "debit", refund.currency)
        const claimed = yield* matches.claimedRefund({ organization_id, id: payment_refund_id })
        // If a match of a credit note booked the refund, a line has already paid all of it.
        const open = claimed.is_booked ? zero : BigDecimal.subtract(refund.amount, claimed.amount)
        return { payment_refund_id, open, is_deducted }
      })

      const noteTarget = Effect.fnUntraced(function* (
        line: BankTransaction,
        credit_note_id: NonNullable<Allocation["credit_note_id"]>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* notes.get(credit_note_id)
        const is_deducted = yield* isAgainst(line, "debit", note.currency)
        const { refundable_amount: returnable } = yield* invoices.get(note.invoice_id)
        const { amount: claimed } = yield* matches.claimedNote({ organization_id, id: credit_note_id })
        // A refund that was recorded without a line also reduces the amount that the customer still gets back.
        const open = BigDecimal.min(BigDecimal.subtract(note.refundable_amount, claimed), returnable)
        return { credit_note_id, note, open: BigDecimal.max(open, zero), is_deducted }
      })

      const transferTarget = Effect.fnUntraced(function* (
        line: BankTransaction,
        transfer_transaction_id: BankTransaction["id"]
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const other = yield* orNotFound(lines.find({ organization_id, id: transfer_transaction_id }))
        if (other.bank_account_id === line.bank_account_id) {
          return yield* ValidationFailed.field("transfer_transaction_id", "must name a line of another account.")
        }
        yield* requireOpenBooks(other.booking_date)
        const direction = BigDecimal.isNegative(other.amount) ? "credit" : "debit"
        // The other line cannot be deducted from this one, so the amounts of the two lines must have opposite signs.
        if (yield* isAgainst(line, direction, line.currency)) return yield* DirectionMismatch.of()
        const isLinked = other.matches.some((match) => match.transfer_transaction_id === line.id)
        if (isLinked || other.status === "excluded" || BigDecimal.isZero(other.remaining_amount)) {
          return yield* AlreadyMatched.of()
        }
        // Amounts in two currencies cannot be compared, so any amount of this line settles all that is left of the
        // other one.
        const open = other.currency === line.currency ? other.remaining_amount : line.remaining_amount
        return { transfer_transaction_id, other, open, is_deducted: false }
      })

      const find = Effect.fn("TargetFinder.find")(function* (line: BankTransaction, allocation: Allocation) {
        const { amount, credit_note_id, exclude, expense_id, invoice_id } = allocation
        const { payment_refund_id, transfer_transaction_id } = allocation
        if (invoice_id !== undefined) return yield* invoiceTarget(line, invoice_id)
        if (expense_id !== undefined) return yield* expenseTarget(line, expense_id)
        if (payment_refund_id !== undefined) return yield* refundTarget(line, payment_refund_id)
        if (credit_note_id !== undefined) return yield* noteTarget(line, credit_note_id)
        if (transfer_transaction_id !== undefined) return yield* transferTarget(line, transfer_transaction_id)
        // The schema of the body guarantees exactly one target.
        if (exclude === undefined) return yield* NotFound.of()
        const excluded = { exclude: { reason: exclude.reason, note: exclude.note ?? null } }
        if (amount === undefined || BigDecimal.isPositive(amount)) {
          return { ...excluded, open: line.remaining_amount, is_deducted: false }
        }
        return { ...excluded, open: BigDecimal.abs(amount), is_deducted: true }
      })

      return TargetFinder.of({ find })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, MatchesRepo.layer]),
    Layer.provide([Invoices.layer, Refunds.layer, CreditNotes.layer, Expenses.layer])
  )
}

/** True if the money of a target moves in `direction`, and that of the line in the other. */
const isAgainst = Effect.fnUntraced(function* (
  line: BankTransaction,
  direction: "credit" | "debit",
  currency: CurrencyCode
) {
  if (currency !== line.currency) return yield* LineCurrencyMismatch.of(line.currency, currency)
  return BigDecimal.isNegative(line.amount) !== (direction === "debit")
})
