import { BigDecimal, Context, Effect, Layer, Option, Struct } from "effect"
import { type Day, now, type Timestamp } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { changesTo, isUnchanged } from "../../kernel/Changes.ts"
import { clientDataOf, isClientDataOnly, noClientData } from "../../kernel/ClientData.ts"
import type { BankTransactionId, InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../../kernel/Listing.ts"
import { type NotFound, orNotFound, type PreconditionFailed, type ValidationFailed } from "../../kernel/Refusal.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { spanned } from "../../platform/observability/Spanned.ts"
import { Database } from "../../platform/sql/Database.ts"
import { complete, completeSummary, isPaidAtIssue, settled } from "../invoices/Invoice.ts"
import type { Invoice, InvoiceFacts } from "../invoices/Invoice.ts"
import { type InvoiceLocked, type NonChronological, unknownInvoice } from "../invoices/InvoiceErrors.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { invoiceEntry, invoiceEvent, statusEvent } from "../invoices/InvoiceAudit.ts"
import { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import { InvoiceIssuer } from "../invoices/writing/InvoiceIssuer.ts"
import { Invoices } from "../invoices/writing/Invoices.ts"
import { fixed_fields, summed, withoutPrepayment, withState } from "./Payment.ts"
import type {
  MarkPaid,
  Payment,
  PaymentChanges,
  PaymentDraft,
  PaymentFacts,
  PaymentsQuery,
  PaymentsSummary
} from "./Payment.ts"
import { AlreadyPaid, type AmountExceedsBalance, PaymentLocked } from "./PaymentErrors.ts"
import { paymentEntry, paymentEvent } from "./PaymentAudit.ts"
import {
  bookable,
  type Instruction,
  type LockedPayment,
  lockPayment,
  newPayment,
  requirePaymentDate,
  settlementOf
} from "./PaymentRules.ts"
import { PaymentsRepo } from "./PaymentsRepo.ts"

type Refused =
  | ValidationFailed
  | AlreadyPaid
  | AmountExceedsBalance
  | InvoiceLocked
  | NonChronological
  | NumberTaken
  | CustomerDeleted
  | BooksLocked

/** Books payments of invoices; the service `Refunds` books refunds. No other service books a payment on an invoice. */
export class Payments extends Context.Service<
  Payments,
  {
    readonly list: (query: PaymentsQuery) => Effect.Effect<Listing<Payment | Deletion>, never, CurrentOrganization>
    readonly get: (id: PaymentId) => Effect.Effect<Payment, NotFound, CurrentOrganization>
    /** Only `unreconcile` can remove a payment that was made for a bank transaction. */
    readonly create: (
      draft: PaymentDraft,
      bank_transaction_id?: BankTransactionId
    ) => Effect.Effect<Payment, Refused, Caller>
    /** Books a payment, by default of the balance due. Issues a draft first, or only issues it if nothing is due. */
    readonly markPaid: (id: InvoiceId, body: MarkPaid) => Effect.Effect<Invoice, NotFound | Refused, Caller>
    readonly update: (
      id: PaymentId,
      changes: PaymentChanges
    ) => Effect.Effect<Payment, NotFound | PreconditionFailed | ValidationFailed | BooksLocked, Caller>
    readonly remove: (
      id: PaymentId
    ) => Effect.Effect<Pick<Payment, "id">, NotFound | PreconditionFailed | PaymentLocked | BooksLocked, Caller>
    /** Removes the payment of a bank transaction that is no longer matched with its invoice. */
    readonly unreconcile: (
      id: PaymentId
    ) => Effect.Effect<Pick<Payment, "id">, NotFound | PaymentLocked | BooksLocked, Caller>
    /** Stores the bank line that brought the money of a payment, or null. No amount changes. */
    readonly link: (
      id: PaymentId,
      bank_transaction_id: BankTransactionId | null
    ) => Effect.Effect<Payment, NotFound, Caller>
    /** Locks the invoices of payments that a transaction will change. Must run before its first write. */
    readonly hold: (ids: ReadonlyArray<PaymentId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly ofInvoice: (id: InvoiceId) => Effect.Effect<ReadonlyArray<PaymentFacts>, never, CurrentOrganization>
    readonly summary: (id: InvoiceId) => Effect.Effect<PaymentsSummary, NotFound, CurrentOrganization>
  }
>()("invoicing/billing/payments/Payments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* PaymentsRepo
      const invoices = yield* InvoicesRepo
      const issuing = yield* InvoiceIssuer
      const sales = yield* Invoices
      const { optimistic, transaction } = yield* Database

      const list = Effect.fn("Payments.list")(function* (query: PaymentsQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return mapRecords(yield* repo.list(organization_id, query), withState)
      })

      const get = Effect.fn("Payments.get")(function* (id: PaymentId) {
        yield* Effect.annotateCurrentSpan({ "payment.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return withState(yield* orNotFound(repo.find({ organization_id, id })))
      })

      /** Issues a draft before money is booked on it. Must run in the transaction that holds the draft's lock. */
      const issue = Effect.fnUntraced(function* (draft: InvoiceFacts, today: Day, at: Timestamp) {
        const { id: organization_id } = yield* CurrentOrganization
        const { facts, sealed, warnings } = yield* issuing.issue(draft, at)
        const issued = { ...facts, version: draft.version + 1 }
        const entry = yield* invoiceEntry("invoice.issued", complete(issued, today), [], sealed)
        yield* invoices.save(organization_id, issued, entry)
        return { facts: issued, warnings }
      })

      /**
       * Books a payment. An issued invoice needs one read and one write, if nobody else changes it meanwhile;
       * otherwise, and for a draft, a second attempt runs under the invoice's row lock. `onlyUnpaid` refuses a paid
       * invoice even if the organization allows overpayments.
       */
      const book = Effect.fnUntraced(function* (
        invoice_id: InvoiceId,
        instruction: Instruction,
        locking: boolean,
        onlyUnpaid: boolean
      ) {
        const organization = yield* CurrentOrganization
        yield* requireOpenBooks(instruction.payment_date)
        const today = yield* todayHere
        const key = { organization_id: organization.id, id: invoice_id }
        const { payment_id, ...stored } = yield* orNotFound(
          locking ? invoices.lockForPayment(key) : invoices.findForPayment(key)
        )
        if (stored.issued_at === null && !locking) return Option.none()
        const at = yield* now
        const { facts, warnings } =
          stored.issued_at === null ? yield* issue(stored, today, at) : { facts: stored, warnings: {} }
        const before = completeSummary(facts, today)
        if (onlyUnpaid && BigDecimal.isZero(before.balance_due)) return yield* AlreadyPaid.of()
        const amount = yield* bookable(before, instruction, organization.settings.allow_overpayment)
        const payment = withState(newPayment(payment_id, before, { ...instruction, amount }, at))
        const moved = settled({ ...facts, amount_paid: BigDecimal.sum(facts.amount_paid, amount) }, at)
        const invoice = { ...complete(moved, today), ...warnings }
        const { status } = completeSummary(stored, today)
        const entry = yield* paymentEntry("payment.created", payment, [
          yield* paymentEvent("payment.created", payment),
          yield* invoiceEvent(settlementOf(invoice, status), invoice, status)
        ])
        const written = yield* repo.record(organization.id, payment, invoice, entry)
        return written ? Option.some({ payment, invoice }) : Option.none()
      })

      const create = Effect.fnUntraced(function* (
        { invoice_id, ...draft }: PaymentDraft,
        bank_transaction_id: BankTransactionId | null = null
      ) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": invoice_id })
        const { currency = null, notes = null, reference = null } = draft
        const instruction = { ...draft, currency, notes, reference, ...clientDataOf(draft), bank_transaction_id }
        const { payment } = yield* optimistic((locking) => book(invoice_id, instruction, locking, false)).pipe(
          Effect.catchTag("NotFound", unknownInvoice)
        )
        return payment
      }, spanned("Payments.create"))

      /** Issues a draft on which nothing is due. Any other invoice is refused. */
      const issueUndue = Effect.fnUntraced(function* (id: InvoiceId, refused: AlreadyPaid) {
        const { id: organization_id } = yield* CurrentOrganization
        const { issued_at, ...stored } = yield* orNotFound(invoices.lock({ organization_id, id }))
        if (issued_at !== null || !isPaidAtIssue(stored)) return yield* refused
        return yield* sales.issue(id)
      }, transaction)

      const markPaid = Effect.fn("Payments.markPaid")(function* (id: InvoiceId, body: MarkPaid) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const instruction: Instruction = {
          amount: body.amount ?? body.amount_paid ?? null,
          currency: body.currency ?? null,
          payment_date: body.payment_date ?? (yield* todayHere),
          payment_method: body.payment_method ?? "bank_transfer",
          reference: body.reference ?? body.payment_reference ?? null,
          notes: body.notes ?? null,
          bank_transaction_id: null,
          ...noClientData
        }
        return yield* optimistic((locking) => book(id, instruction, locking, true)).pipe(
          Effect.map(({ invoice }) => invoice),
          Effect.catchTag("AlreadyPaid", (refused) =>
            instruction.amount === null ? issueUndue(id, refused) : Effect.fail(refused)
          )
        )
      })

      const lock = lockPayment(repo, invoices)

      const update = Effect.fn("Payments.update")(function* (id: PaymentId, sent: PaymentChanges) {
        yield* Effect.annotateCurrentSpan({ "payment.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const { payment: stored } = yield* lock(id)
        yield* requireVersion(stored.version)
        const changes = yield* changesTo(withState(stored), sent, fixed_fields)
        if (isUnchanged(changes)) return withState(stored)
        if (!isClientDataOnly(changes)) yield* requireOpenBooks(stored.payment_date, changes.payment_date ?? null)
        yield* requirePaymentDate(stored, changes.payment_date)
        const kept = clientDataOf(changes, stored)
        const payment = withState({
          ...stored,
          ...changes,
          ...kept,
          updated_at: yield* now,
          version: stored.version + 1
        })
        const event = yield* paymentEvent("payment.updated", payment)
        yield* repo.save(organization_id, payment, yield* paymentEntry("payment.updated", payment, [event]))
        return payment
      }, transaction)

      const takeBack = Effect.fnUntraced(function* ({ invoice, payment }: LockedPayment) {
        const { id } = payment
        yield* Effect.annotateCurrentSpan({ "payment.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        yield* requireOpenBooks(payment.payment_date)
        if (BigDecimal.isPositive(payment.refunded_amount)) return yield* PaymentLocked.refunded(payment)
        if (payment.is_prepayment) return yield* PaymentLocked.prepaid(id)
        const at = yield* now
        const today = yield* todayHere
        const amount_paid = BigDecimal.subtract(invoice.amount_paid, payment.amount)
        const moved = settled({ ...invoice, amount_paid }, at)
        const taken = withState(payment)
        const entry = yield* paymentEntry("payment.deleted", taken, [
          yield* paymentEvent("payment.deleted", taken),
          yield* statusEvent(complete(moved, today), completeSummary(invoice, today).status)
        ])
        yield* repo.remove(organization_id, id, moved, entry)
        return { id }
      })

      const remove = Effect.fn("Payments.remove")(function* (id: PaymentId) {
        const locked = yield* lock(id)
        const { bank_transaction_id, version } = locked.payment
        yield* requireVersion(version)
        if (bank_transaction_id !== null) return yield* PaymentLocked.reconciled(id, bank_transaction_id)
        return yield* takeBack(locked)
      }, transaction)

      // A request to unmatch states the version of the bank transaction, not that of the payment.
      const unreconcile = Effect.fn("Payments.unreconcile")(function* (id: PaymentId) {
        return yield* takeBack(yield* lock(id))
      }, transaction)

      const link = Effect.fn("Payments.link")(function* (id: PaymentId, bank_transaction_id: BankTransactionId | null) {
        const { id: organization_id } = yield* CurrentOrganization
        const { payment: stored } = yield* lock(id)
        const moved = { ...stored, bank_transaction_id, updated_at: yield* now, version: stored.version + 1 }
        const payment = withState(moved)
        const event = yield* paymentEvent("payment.updated", payment)
        const saved = repo.save(organization_id, payment, yield* paymentEntry("payment.updated", payment, [event]))
        // The external id, which another payment might have, does not change.
        yield* saved.pipe(Effect.catchTag("ValidationFailed", Effect.die))
        return payment
      }, transaction)

      const hold = Effect.fn("Payments.hold")(function* (ids: ReadonlyArray<PaymentId>) {
        const { id: organization_id } = yield* CurrentOrganization
        if (ids.length > 0) yield* invoices.hold(organization_id, yield* repo.invoicesOf(organization_id, ids))
      })

      const ofInvoice = Effect.fn("Payments.ofInvoice")(function* (id: InvoiceId) {
        return yield* repo.ofInvoice((yield* CurrentOrganization).id, id)
      })

      const summary = Effect.fn("Payments.summary")(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const stored = yield* orNotFound(invoices.find({ organization_id, id }))
        const invoice = complete(stored, yield* todayHere)
        const payments = withoutPrepayment(yield* repo.ofInvoice(organization_id, id)).map(withState)
        return {
          invoice_id: id,
          ...Struct.pick(invoice, summed),
          payments_count: payments.length,
          last_payment_date: payments.at(-1)?.payment_date ?? null,
          payments
        }
      })

      return Payments.of({ list, get, create, markPaid, update, remove, unreconcile, link, hold, ofInvoice, summary })
    })
  ).pipe(Layer.provide([PaymentsRepo.layer, InvoicesRepo.layer, InvoiceIssuer.layer, Invoices.layer]))
}
