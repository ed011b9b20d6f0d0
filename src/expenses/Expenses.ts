import { Context, Effect, Layer, Struct } from "effect"
import { timeOf, today } from "../kernel/Calendar.ts"
import { changesTo, isUnchanged } from "../kernel/Changes.ts"
import { copiedClientData } from "../kernel/ClientData.ts"
import type { BankTransactionId, ExpenseId } from "../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../kernel/Listing.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import type { BooksLocked } from "../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../organizations/BookLock.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { requireVersion } from "../platform/http/Precondition.ts"
import { Forbidden } from "../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { Database } from "../platform/sql/Database.ts"
import { complete, type Expense, type ExpenseChanges, type ExpenseDraft, type ExpenseFacts } from "./Expense.ts"
import type { ExpenseFindings, ExpensesQuery, MarkExpensePaid } from "./Expense.ts"
import { enriched, type Enrichment } from "./ExpenseEnrichment.ts"
import { ExpenseLocked, ExpensePaid, ExpenseRejected, type ReceiptBooked } from "./ExpenseErrors.ts"
import { auditedSave, changeEntry, expenseEntry, expenseEvent } from "./ExpenseAudit.ts"
import {
  changed,
  dayOf,
  drafted,
  isUnreported,
  receiptRules,
  requireAmounts,
  requireOpenStatus,
  requireUnlocked
} from "./ExpenseRules.ts"
import { ExpensesRepo } from "./ExpensesRepo.ts"
import { ExpensedDocuments } from "./received/ExpensedDocuments.ts"
import { ReceiptsRepo } from "./receipts/records/ReceiptsRepo.ts"

export class Expenses extends Context.Service<
  Expenses,
  {
    readonly list: (query: ExpensesQuery) => Effect.Effect<Listing<Expense | Deletion>, never, CurrentOrganization>
    readonly get: (id: ExpenseId) => Effect.Effect<Expense, NotFound, CurrentOrganization>
    readonly create: (
      draft: ExpenseDraft
    ) => Effect.Effect<Expense, ValidationFailed | ReceiptBooked | BooksLocked, Caller>
    readonly update: (
      id: ExpenseId,
      changes: ExpenseChanges
    ) => Effect.Effect<
      Expense,
      NotFound | PreconditionFailed | ExpenseLocked | ExpenseRejected | ReceiptBooked | ValidationFailed | BooksLocked,
      Caller
    >
    readonly remove: (
      id: ExpenseId
    ) => Effect.Effect<
      Pick<Expense, "id">,
      NotFound | PreconditionFailed | ExpenseLocked | Forbidden | BooksLocked,
      Caller
    >
    /**
     * Locks the expenses. Must run before the transaction's first write, because the audit log is locked after
     * expenses.
     */
    readonly hold: (ids: ReadonlyArray<ExpenseId>) => Effect.Effect<void, never, CurrentOrganization>
    /** Locks the expenses like `hold`, and then their receipts, because the removal of an expense changes them. */
    readonly holdForRemoval: (ids: ReadonlyArray<ExpenseId>) => Effect.Effect<void, never, CurrentOrganization>
    /** Copies neither receipt, status nor exchange rate, and dates the copy today, because it is another purchase. */
    readonly duplicate: (id: ExpenseId) => Effect.Effect<Expense, NotFound | ValidationFailed | BooksLocked, Caller>
    readonly markBillable: (id: ExpenseId) => Effect.Effect<Expense, NotFound, Caller>
    /** Marks an expense as paid, by hand or by the bank line that paid it. By hand, a rejected one is refused. */
    readonly markPaid: (
      id: ExpenseId,
      body: MarkExpensePaid,
      bank_transaction_id?: BankTransactionId
    ) => Effect.Effect<Expense, NotFound | ExpensePaid | ExpenseRejected | BooksLocked, Caller>
    /**
     * Records that a bank line pays a part of the expense, or that it is the payment of an expense that is paid already.
     * The amount of the expense can then no longer change.
     */
    readonly link: (id: ExpenseId, bank_transaction_id: BankTransactionId) => Effect.Effect<Expense, NotFound, Caller>
    /**
     * Updates an expense after a match with a bank line was undone. If another match remains, the expense stays linked
     * to the line of that match.
     */
    readonly unreconcile: (
      id: ExpenseId,
      to: Pick<ExpenseFacts, "status" | "payment_method" | "bank_transaction_id">
    ) => Effect.Effect<Expense, NotFound | BooksLocked, Caller>
    /**
     * Fills empty fields from the receipt's findings, and reports the conflicts. Fills nothing if the period is closed, or
     * if another expense of the receipt exists for the same purchase.
     */
    readonly enrich: (id: ExpenseId, findings: ExpenseFindings) => Effect.Effect<Enrichment, NotFound, Caller>
  }
>()("invoicing/expenses/Expenses") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ExpensesRepo
      const receipts = yield* ReceiptsRepo
      const documents = yield* ExpensedDocuments
      const organizations = yield* Organizations
      const { transaction } = yield* Database
      const save = auditedSave(repo)
      const { requireOwnReceipt, requireUnbooked } = receiptRules(receipts, repo)

      const own = (read: typeof repo.find) =>
        Effect.fnUntraced(function* (id: ExpenseId) {
          yield* Effect.annotateCurrentSpan({ "expense.id": id })
          const { id: organization_id } = yield* CurrentOrganization
          return yield* orNotFound(read({ organization_id, id }))
        })
      const [find, lock] = [own(repo.find), own(repo.lock)]

      /**
       * If the expense is the organization's first record with an amount, the same transaction marks the organization's
       * currency as in use, so that it can no longer change.
       */
      const insert = Effect.fnUntraced(function* (facts: ExpenseFacts) {
        const { currency_in_use, id, timezone } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        yield* requireOpenBooks(facts.expense_date, dayOf(facts.paid_at, timezone))
        const expense = complete(facts)
        const entry = yield* expenseEntry("expense.created", facts, [yield* expenseEvent("expense.created", expense)])
        const write = repo.insert(id, facts, user_id, entry)
        if (currency_in_use) yield* write
        else yield* transaction(Effect.andThen(organizations.markCurrencyInUse(id), write))
        return expense
      })

      const list = Effect.fn("Expenses.list")(function* (query: ExpensesQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return mapRecords(yield* repo.list(organization_id, query), complete)
      })

      const get = Effect.fn("Expenses.get")((id: ExpenseId) => Effect.map(find(id), complete))

      const create = Effect.fn("Expenses.create")(function* (draft: ExpenseDraft) {
        const facts = yield* drafted(yield* repo.nextId, draft)
        yield* requireAmounts(facts)
        yield* requireOwnReceipt(facts.receipt_path)
        if (facts.receipt_path === null) return yield* insert(facts)
        return yield* transaction(Effect.andThen(requireUnbooked(facts), insert(facts)))
      })

      const duplicate = Effect.fn("Expenses.duplicate")(function* (id: ExpenseId) {
        const original = yield* find(id)
        const { timezone } = yield* CurrentOrganization
        const again = {
          expense_date: yield* today(timezone),
          exchange_rate: null,
          receipt_path: null,
          reference: null,
          status: null,
          ...copiedClientData(original)
        }
        return yield* insert(yield* drafted(yield* repo.nextId, { ...original, ...again }))
      })

      const update = Effect.fn("Expenses.update")(function* (id: ExpenseId, sent: ExpenseChanges) {
        const stored = yield* lock(id)
        yield* requireVersion(stored.version)
        const changes = yield* changesTo(complete(stored), sent)
        if (isUnchanged(changes)) return complete(stored)
        if (!isUnreported(stored, changes)) yield* requireOpenBooks(stored.expense_date, changes.expense_date ?? null)
        if ((changes.linked_invoice_id ?? null) !== null) {
          return yield* ValidationFailed.field(
            "linked_invoice_id",
            "can only be removed here; link-to-invoice sets it."
          )
        }
        // `changes` has only values that differ. Some values that the client sent must be passed even if they stay the
        // same: otherwise new tax rows would replace the total tax with their sum, a new currency would remove the
        // exchange rate, and a tax that becomes deductible would lose the 0 % that a non-deductible tax shows.
        const stated = {
          ...Struct.pick(sent, ["tax_amount", "exchange_rate"]),
          ...("is_vat_deductible" in changes ? Struct.pick(sent, ["vat_deductible_percentage"]) : {})
        }
        const facts = yield* changed(stored, { ...changes, ...stated })
        yield* requireUnlocked(stored, facts)
        // Amounts of an older version may break a newer rule, which must not prevent other changes.
        if (amount_fields.some((field) => field in changes)) yield* requireAmounts(facts)
        yield* requireOpenStatus(stored, facts)
        if (facts.receipt_path !== stored.receipt_path) yield* requireOwnReceipt(facts.receipt_path)
        if (booking_fields.some((field) => changes[field] !== undefined)) yield* requireUnbooked(facts)
        const { id: organization_id } = yield* CurrentOrganization
        yield* repo.change(organization_id, facts, yield* changeEntry("expense.updated", facts, stored.status))
        return complete(facts)
      }, transaction)

      const remove = Effect.fn("Expenses.remove")(function* (id: ExpenseId) {
        const { id: organization_id, role } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const facts = yield* lock(id)
        yield* requireVersion(facts.version)
        yield* requireOpenBooks(facts.expense_date)
        if (facts.status === "paid" || facts.billed_invoice_id !== null) return yield* ExpenseLocked.removal(facts)
        if (facts.bank_transaction_id !== null) return yield* ExpenseLocked.reconciled(facts)
        // A member may delete only drafts of their own.
        const ownDraft = facts.status === "draft" && facts.created_by === user_id
        if (role === "member" && !ownDraft) return yield* Forbidden.of("expenses.delete")
        // The deletion also changes the receipts, which must be locked before the first audit entry.
        yield* receipts.hold(organization_id, [id])
        yield* documents.release(id)
        const event = yield* expenseEvent("expense.deleted", complete(facts))
        yield* repo.remove(organization_id, id, yield* expenseEntry("expense.deleted", facts, [event]))
        return { id }
      }, transaction)

      const markBillable = Effect.fn("Expenses.markBillable")(function* (id: ExpenseId) {
        const facts = yield* lock(id)
        if (facts.is_billable) return complete(facts)
        return yield* save("expense.marked_billable", yield* changed(facts, { is_billable: true }), facts.status)
      }, transaction)

      const markPaid = Effect.fn("Expenses.markPaid")(function* (
        id: ExpenseId,
        body: MarkExpensePaid,
        bank_transaction_id: BankTransactionId | null = null
      ) {
        const facts = yield* lock(id)
        if (facts.status === "paid") return yield* ExpensePaid.of()
        if (facts.status === "rejected" && bank_transaction_id === null) return yield* ExpenseRejected.of()
        const paid = yield* changed(facts, { status: "paid" })
        const { timezone } = yield* CurrentOrganization
        const paid_at = timeOf(body.paid_at ?? paid.updated_at, timezone)
        const booked = {
          ...paid,
          paid_at,
          payment_method: body.payment_method ?? facts.payment_method,
          payment_reference: body.payment_reference ?? null,
          bank_transaction_id: bank_transaction_id ?? facts.bank_transaction_id
        }
        yield* requireOpenStatus(facts, booked)
        return yield* save("expense.paid", booked, facts.status)
      }, transaction)

      const link = Effect.fn("Expenses.link")(function* (id: ExpenseId, bank_transaction_id: BankTransactionId) {
        const facts = yield* changed(yield* lock(id), {})
        const action = facts.status === "paid" ? "expense.updated" : "expense.partially_paid"
        return yield* save(action, { ...facts, bank_transaction_id }, facts.status)
      }, transaction)

      const unreconcile = Effect.fn("Expenses.unreconcile")(function* (
        id: ExpenseId,
        { bank_transaction_id, ...paid }: Pick<ExpenseFacts, "status" | "payment_method" | "bank_transaction_id">
      ) {
        const stored = yield* lock(id)
        const open = yield* changed(stored, paid)
        yield* requireOpenStatus(stored, open)
        const action = open.status === "paid" ? "expense.updated" : "expense.unpaid"
        return yield* save(action, { ...open, bank_transaction_id }, stored.status)
      }, transaction)

      const enrich = Effect.fn("Expenses.enrich")(function* (id: ExpenseId, findings: ExpenseFindings) {
        const stored = yield* lock(id)
        const isLocked = yield* Effect.isFailure(requireOpenBooks(stored.expense_date))
        const { conflicts, facts, filled } = enriched(stored, isLocked ? {} : findings)
        const enrichment = { conflicts, isLocked, booked_as: null }
        if (filled.length === 0) return enrichment
        // The other expense may have been created before the reference was known.
        const [bare, whole] = [{ ...facts, reference: stored.reference }, facts]
        const booked_as = yield* Effect.andThen(requireUnbooked(bare), requireUnbooked(whole)).pipe(
          Effect.as(null),
          Effect.catchTag("ReceiptBooked", ({ details }) => Effect.succeed(details.expense_id))
        )
        if (booked_as !== null) return { ...enrichment, booked_as }
        yield* save("expense.enriched", yield* changed(facts, {}), stored.status)
        return enrichment
      }, transaction)

      const hold = Effect.fn("Expenses.hold")(function* (ids: ReadonlyArray<ExpenseId>) {
        yield* repo.hold((yield* CurrentOrganization).id, ids)
      })

      const holdForRemoval = Effect.fn("Expenses.holdForRemoval")(function* (ids: ReadonlyArray<ExpenseId>) {
        yield* hold(ids)
        yield* receipts.hold((yield* CurrentOrganization).id, ids)
        yield* documents.hold(ids)
      })

      const changes = { create, update, remove, duplicate, markBillable, markPaid, link, unreconcile, enrich }
      return Expenses.of({ list, get, hold, holdForRemoval, ...changes })
    })
  ).pipe(Layer.provide([ExpensesRepo.layer, ReceiptsRepo.layer, Organizations.layer]))
}

/** Fields by which two expenses with one receipt are recognized as the same purchase. */
const booking_fields = ["receipt_path", "expense_date", "amount", "currency", "reference"] as const

const amount_fields = ["amount", "currency", "tax_amount", "tax_rates"] as const
