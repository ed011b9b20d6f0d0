import { BigDecimal, Context, Effect, Layer, Struct } from "effect"
import { InvoiceLocked } from "../../billing/invoices/InvoiceErrors.ts"
import { InvoiceIssuer } from "../../billing/invoices/InvoiceIssuer.ts"
import { Invoices } from "../../billing/invoices/Invoices.ts"
import { AlreadyPaid, type PaymentLocked } from "../../billing/payments/PaymentErrors.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import type { PaymentDraft } from "../../billing/payments/Payment.ts"
import type { ExpenseStatus } from "../../expenses/Expense.ts"
import { ExpensePaid } from "../../expenses/ExpenseErrors.ts"
import { Expenses } from "../../expenses/Expenses.ts"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { type BankTransactionId, CounterpartyId, type ExpenseId } from "../../kernel/Ids.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { Counterparties } from "../counterparties/Counterparties.ts"
import type { ScorePart } from "../matching/Candidate.ts"
import { BankTransaction } from "./BankTransaction.ts"
import { BankTransactionsRepo } from "./BankTransactionsRepo.ts"
import type { Allocation, Match, MatchBody, MatchFacts, UnmatchBody } from "./Match.ts"
import { MatchesRepo } from "./MatchesRepo.ts"
import { withMatches } from "./LineState.ts"
import { AlreadyMatched, AmountExceedsRemaining, DirectionMismatch } from "./ReconciliationErrors.ts"
import { LineCurrencyMismatch, type MatchRefused, NotMatched } from "./ReconciliationErrors.ts"

/** A document created from a line, and the payment method, which the line cannot tell. */
export interface MadeDocument {
  readonly allocation: Allocation
  readonly payment_method: PaymentDraft["payment_method"]
}

/** Tells how a match came about. */
interface Origin {
  readonly explanation: ReadonlyArray<ScorePart>
  readonly made?: MadeDocument
}

/** Matches that were added, and matches that were undone. */
interface Change {
  readonly made: ReadonlyArray<MatchFacts>
  readonly undone: ReadonlyArray<MatchFacts>
}

/**
 * Matches bank lines with documents. To avoid deadlocks, the line is locked first, then the documents in the order of
 * their ids, and the audit log last. The second of two requests for one line finds it matched.
 */
export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    readonly match: (
      id: BankTransactionId,
      body: MatchBody,
      explanation?: ReadonlyArray<ScorePart>
    ) => Effect.Effect<Match, MatchRefused, Caller>
    /** Creates a document and matches the line's remaining amount with it, in one transaction. */
    readonly matchMade: <E, R>(
      id: BankTransactionId,
      make: (line: BankTransaction) => Effect.Effect<MadeDocument, E, R>
    ) => Effect.Effect<Match, MatchRefused | E, Caller | R>
    /** Undoes one match of a line, or all of them: the payment is deleted, the document stays. */
    readonly unmatch: (
      id: BankTransactionId,
      body: UnmatchBody
    ) => Effect.Effect<BankTransaction, NotFound | NotMatched | PaymentLocked | PreconditionFailed, Caller>
  }
>()("invoicing/banking/transactions/Reconciliation") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const matches = yield* MatchesRepo
      const invoices = yield* Invoices
      const issuing = yield* InvoiceIssuer
      const payments = yield* Payments
      const expenses = yield* Expenses
      const counterparties = yield* Counterparties
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: BankTransactionId) {
        yield* Effect.annotateCurrentSpan({ "bank_transaction.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(lines.lock({ organization_id, id }))
      })

      const lockOpen = Effect.fnUntraced(function* (id: BankTransactionId) {
        const line = yield* lock(id)
        if (line.status === "matched" || line.status === "excluded") return yield* AlreadyMatched.of()
        return line
      })

      /**
       * Loads the document of an allocation; refuses it when organization, direction or currency do not fit the line.
       */
      const documentOf = Effect.fnUntraced(function* (line: BankTransaction, { expense_id, invoice_id }: Allocation) {
        const isDebit = BigDecimal.isNegative(line.amount)
        if (invoice_id !== undefined) {
          const invoice = yield* invoices.get(invoice_id)
          if (invoice.status === "void") return yield* InvoiceLocked.change(invoice)
          if (isDebit) return yield* DirectionMismatch.of()
          if (invoice.currency !== line.currency) return yield* LineCurrencyMismatch.of(line.currency, invoice.currency)
          return { invoice_id, invoice, expense: null, open: invoice.balance_due }
        }
        if (expense_id === undefined) return yield* NotFound.of()
        const expense = yield* expenses.get(expense_id)
        if (!isDebit) return yield* DirectionMismatch.of()
        if (expense.currency !== line.currency) return yield* LineCurrencyMismatch.of(line.currency, expense.currency)
        if (expense.status === "paid") return yield* ExpensePaid.of()
        const { id: organization_id } = yield* CurrentOrganization
        const { amount: claimed } = yield* matches.claimed({ organization_id, expense_id })
        return { invoice_id: null, invoice: null, expense, open: BigDecimal.subtract(expense.amount, claimed) }
      })

      /**
       * Takes all locks and learns the other party's IBAN before the first booking writes to the audit log, because
       * nothing may wait for a lock after that.
       */
      const prepare = Effect.fnUntraced(function* (line: BankTransaction, allocations: ReadonlyArray<Allocation>) {
        yield* invoices.hold(distinct(allocations.map(({ invoice_id }) => invoice_id)))
        yield* expenses.hold(distinct(allocations.map(({ expense_id }) => expense_id)))
        const documents = yield* Effect.forEach(allocations, (allocation) => documentOf(line, allocation))
        if (line.counterparty_iban !== null) {
          // Sorting prevents deadlocks between two lines that name the same parties.
          const vendors = distinct(documents.map(({ expense }) => expense?.vendor)).toSorted()
          const known = yield* Effect.forEach(vendors, counterparties.vendorNamed)
          const customers = documents.flatMap(({ invoice }) =>
            invoice === null ? [] : [CounterpartyId.make(invoice.customer_id)]
          )
          for (const id of distinct([...known, ...customers]).toSorted((left, right) => left - right)) {
            yield* counterparties.keepIban(id, line.counterparty_iban)
          }
        }
        const drafts = documents.flatMap(({ invoice }) => (invoice?.issued_at === null ? [invoice] : []))
        yield* issuing.hold({
          customer_ids: distinct(drafts.map(({ customer_id }) => customer_id)),
          issue_dates: drafts.map(({ issue_date }) => issue_date)
        })
      })

      /** Books one allocation, and answers the stored match. */
      const book = Effect.fnUntraced(function* (
        line: BankTransaction,
        allocation: Allocation,
        left: BigDecimal.BigDecimal,
        { explanation, made }: Origin
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const { expense, invoice_id, open } = yield* documentOf(line, allocation)
        if (invoice_id !== null && BigDecimal.isZero(open)) return yield* AlreadyPaid.of()
        const amount = allocation.amount ?? BigDecimal.min(left, open)
        // The allocations before this one used up the line.
        if (BigDecimal.isZero(amount)) return yield* AmountExceedsRemaining.of(amount)
        if (!fitsExponent(amount, exponentOf(line.currency))) {
          return yield* ValidationFailed.of({
            amount: [`The amount field has more decimal places than ${line.currency} has.`]
          })
        }
        if (BigDecimal.isGreaterThan(amount, left)) return yield* AmountExceedsRemaining.of(left)
        if (expense !== null && BigDecimal.isGreaterThan(amount, open)) return yield* AmountExceedsRemaining.of(open)
        const reference = line.reference ?? (line.remittance_text.slice(0, reference_characters_max) || null)
        const how = { payment_method: made?.payment_method ?? ("bank_transfer" as const), reference }
        let payment_id: MatchFacts["payment_id"] = null
        if (invoice_id !== null) {
          const draft = { invoice_id, amount, payment_date: line.booking_date, ...how }
          payment_id = (yield* payments.create(draft, line.id)).id
        } else if (expense !== null && BigDecimal.isLessThan(amount, open)) {
          // Several lines may pay one expense; the last of them marks it as paid.
          yield* expenses.markPartlyPaid(expense.id, line.id)
        } else if (expense !== null) {
          const body = {
            payment_method: how.payment_method,
            payment_reference: reference,
            paid_at: startOf(line.booking_date)
          }
          yield* expenses.markPaid(expense.id, body, line.id)
        }
        const facts = {
          bank_transaction_id: line.id,
          invoice_id,
          expense_id: expense?.id ?? null,
          payment_id,
          amount,
          created_money_record: made !== undefined,
          explanation,
          expense_status: expense?.status ?? null
        }
        const id = yield* matches.insert(organization_id, facts, user_id)
        return { ...facts, id }
      })

      const match = Effect.fn("Reconciliation.match")(function* (
        id: BankTransactionId,
        body: MatchBody,
        explanation: ReadonlyArray<ScorePart> = []
      ) {
        const line = yield* lockOpen(id)
        const allocations = body.allocations ?? [body]
        yield* prepare(line, allocations)
        let left = line.remaining_amount
        const made: Array<MatchFacts> = []
        for (const allocation of allocations) {
          const facts = yield* book(line, allocation, left, { explanation })
          left = BigDecimal.subtract(left, facts.amount)
          made.push(facts)
        }
        return yield* confirmed(line, made)
      }, transaction)

      const matchMade = Effect.fn("Reconciliation.matchMade")(function* <E, R>(
        id: BankTransactionId,
        make: (line: BankTransaction) => Effect.Effect<MadeDocument, E, R>
      ) {
        const line = yield* lockOpen(id)
        const made = yield* make(line)
        const facts = yield* book(line, made.allocation, line.remaining_amount, { explanation: [], made })
        return yield* confirmed(line, [facts])
      }, transaction)

      /** Moves the line to its new status, and answers the matches. */
      const confirmed = Effect.fnUntraced(function* (line: BankTransaction, made: ReadonlyArray<MatchFacts>) {
        const { status } = yield* settle(line, { made, undone: [] })
        const matches = made.map((facts) => Struct.omit(facts, ["expense_status"]))
        const [first] = matches
        // The body's schema guarantees at least one allocation.
        return first === undefined ? yield* NotFound.of() : { ...first, transaction_status: status, matches }
      })

      /** Updates the line to its active matches, and writes the audit log entry. */
      const settle = Effect.fnUntraced(function* (line: BankTransaction, { made, undone }: Change) {
        const { id: organization_id } = yield* CurrentOrganization
        const activeMatches = yield* matches.active({ organization_id, bank_transaction_id: line.id })
        const moved = { ...withMatches(line, activeMatches, undone), updated_at: yield* now }
        if (!(yield* matches.move(organization_id, moved))) return yield* AlreadyMatched.of()
        const events = made.length > 0 ? [yield* lineEvent("bank_transaction.matched", moved, line.status)] : []
        const action = made.length > 0 ? "bank_transaction.matched" : "bank_transaction.unmatched"
        const data = { bank_transaction_id: line.id, match_ids: [...made, ...undone].map(({ id }) => id) }
        yield* auditLog.append(yield* callerEntry(action, data, events))
        return moved
      })

      const unmatch = Effect.fn("Reconciliation.unmatch")(function* (id: BankTransactionId, body: UnmatchBody) {
        const { id: organization_id } = yield* CurrentOrganization
        const line = yield* lock(id)
        const activeMatches = yield* matches.active({ organization_id, bank_transaction_id: id })
        const undone = activeMatches.filter((match) => body.match_id === undefined || match.id === body.match_id)
        if (body.match_id !== undefined && undone.length === 0) return yield* NotFound.of()
        if (undone.length === 0) return yield* NotMatched.of()
        yield* invoices.hold(distinct(undone.map(({ invoice_id }) => invoice_id)))
        yield* expenses.hold(distinct(undone.map(({ expense_id }) => expense_id)))
        yield* counterparties.forgetIban(line.counterparty_iban, undone)
        for (const { expense_id, expense_status, id: match_id, payment_id } of undone) {
          if (payment_id !== null) yield* payments.unreconcile(payment_id)
          const undo = matches.undo({ organization_id, id: match_id })
          if (expense_id === null) yield* undo
          else yield* reopen(expense_id, expense_status ?? "approved", undo)
        }
        return yield* settle(line, { made: [], undone }).pipe(Effect.catchTag("AlreadyMatched", Effect.die))
      }, transaction)

      /** Restores the earlier status if bank lines alone paid the expense; manually paid expenses stay paid. */
      const reopen = Effect.fnUntraced(function* (
        expense_id: ExpenseId,
        before: ExpenseStatus,
        undo: Effect.Effect<void>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { amount, status } = yield* expenses.get(expense_id)
        const claimed = yield* matches.claimed({ organization_id, expense_id })
        yield* undo
        const { bank_transaction_id } = yield* matches.claimed({ organization_id, expense_id })
        const after = BigDecimal.equals(claimed.amount, amount) ? before : status
        yield* expenses.unreconcile(expense_id, { status: after, bank_transaction_id })
      })

      return Reconciliation.of({ match, matchMade, unmatch })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, MatchesRepo.layer, Counterparties.layer]),
    Layer.provide([Invoices.layer, InvoiceIssuer.layer, Payments.layer, Expenses.layer])
  )
}

/** The first moment of the day in UTC, as `paid_at` reads a plain date. */
const startOf = (day: BankTransaction["booking_date"]) => Timestamp.make(`${day}T00:00:00.000Z`)

const reference_characters_max = 255
const lineEvent = recordEvent("bank_transaction", BankTransaction)

const distinct = <Id>(ids: ReadonlyArray<Id | null | undefined>): ReadonlyArray<Id> => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined))
]
