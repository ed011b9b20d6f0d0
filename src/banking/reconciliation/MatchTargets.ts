import { BigDecimal, Context, Effect, Layer } from "effect"
import { CreditNotes } from "../../billing/credit-notes/writing/CreditNotes.ts"
import type { CreditNote } from "../../billing/credit-notes/CreditNote.ts"
import { type Invoice, returnableOf } from "../../billing/invoices/Invoice.ts"
import { InvoiceLocked } from "../../billing/invoices/InvoiceErrors.ts"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import type { PaymentDraft } from "../../billing/payments/Payment.ts"
import type { PaymentLocked } from "../../billing/payments/PaymentErrors.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import { Refunds } from "../../billing/payments/Refunds.ts"
import type { Expense } from "../../expenses/Expense.ts"
import { Expenses } from "../../expenses/Expenses.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { ExpenseId, InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import { zero } from "../../kernel/Money.ts"
import { NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { cut } from "../../kernel/Text.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { BankTransaction } from "../transactions/BankTransaction.ts"
import { BankTransactionsRepo } from "../transactions/BankTransactionsRepo.ts"
import type { Allocation } from "./Match.ts"
import type { MatchFacts, MatchTarget } from "../transactions/MatchFacts.ts"
import { MatchesRepo } from "./MatchesRepo.ts"
import { match_payment_method, recordedPayment } from "./RecordedMoney.ts"
import { AlreadyMatched, DirectionMismatch, LineCurrencyMismatch, type MatchRefused } from "./ReconciliationErrors.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"

/** The records that a match pays, such as an invoice, and their unsigned amount that no line has paid yet. */
export interface Target extends Partial<MatchTarget> {
  readonly open: BigDecimal.BigDecimal
  /** True if the target can only be deducted from the line's other targets, because its money moves the other way. */
  readonly is_deducted: boolean
  readonly invoice?: Invoice
  readonly expense?: Expense
  readonly note?: CreditNote
  readonly other?: BankTransaction
  /** The money was recorded before its line arrived: the payment to link, or null for an expense. */
  readonly recorded?: { readonly payment_id: PaymentId | null }
}

type Booked = Pick<
  MatchFacts,
  "payment_id" | "is_payment_linked" | "expense_status" | "expense_payment_method" | "booked_refund_ids"
>
type Unbookable = NotFound | PaymentLocked | BooksLocked

/** Finds the possible targets of a line's matches, and books the money: payments, paid expenses and refunds. */
export class MatchTargets extends Context.Service<
  MatchTargets,
  {
    /**
     * Locks the targets. Must run before the first audit entry of the transaction, because the audit log is locked
     * last.
     */
    readonly hold: (targets: ReadonlyArray<Allocation>) => Effect.Effect<void, NotFound, CurrentOrganization>
    /** Refuses a target of another organization, or in a currency that does not fit the line. */
    readonly find: (
      line: BankTransaction,
      allocation: Allocation
    ) => Effect.Effect<Target, MatchRefused, CurrentOrganization>
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
>()("invoicing/banking/reconciliation/MatchTargets") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
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
        const returnable = returnableOf(yield* invoices.get(note.invoice_id))
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

      const find = Effect.fn("MatchTargets.find")(function* (line: BankTransaction, allocation: Allocation) {
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
          if (expense?.status === "paid" && amount !== undefined && BigDecimal.equals(amount, open)) {
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

      return MatchTargets.of({ hold, find, recorded, book, undo })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, MatchesRepo.layer]),
    Layer.provide([Invoices.layer, Payments.layer, Refunds.layer, CreditNotes.layer, Expenses.layer])
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

const nothing_booked: Booked = {
  payment_id: null,
  is_payment_linked: false,
  expense_status: null,
  expense_payment_method: null,
  booked_refund_ids: []
}

const reference_characters_max = 255

export const distinct = <Id>(ids: ReadonlyArray<Id | null | undefined>): ReadonlyArray<Id> => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined))
]
