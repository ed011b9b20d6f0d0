import { BigDecimal, Context, Effect, Layer, Option, Schema } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import type { NewTransmission } from "../../archive/objects/Transmission.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import type { Expense, ExpenseDraft } from "../../expenses/Expense.ts"
import { amountErrors } from "../../expenses/ExpenseRules.ts"
import { Expenses } from "../../expenses/Expenses.ts"
import { now } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import type { ReceivedId } from "../../kernel/Ids.ts"
import { type Listing, mapRows } from "../../kernel/Listing.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../../kernel/Refusal.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { NetworkDown } from "../directory/DirectoryErrors.ts"
import { type Provider, Providers } from "../providers/Provider.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { receivedEvent, shown } from "./Received.ts"
import type { ExpenseChoice, Received, ReceivedFacts, ReceivedQuery } from "./Received.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import {
  AlreadyAnswered,
  AlreadyExpensed,
  AnswerInProgress,
  AnswerRefused,
  DocumentRefused,
  DocumentSelfBilled,
  DocumentUnreadable
} from "./ReceivedErrors.ts"
import { ReceivedRepo } from "./ReceivedRepo.ts"
import { keepSent, referenceOf } from "./SentMessages.ts"

type Unanswerable =
  | NotFound
  | AlreadyAnswered
  | AnswerInProgress
  | AnswerRefused
  | DocumentSelfBilled
  | ProviderNotConfigured
  | NetworkDown
  | StorageUnavailable

const answer_time_limit = "10 seconds"
/**
 * Time until another request may answer the same document. Sending an answer takes less, so a claim expires only if its
 * process has crashed.
 */
const claim_seconds = 60

interface Begun {
  readonly status: "accepted" | "refused"
  readonly reason: string | null
  /** True if no earlier request may have given this answer. */
  readonly is_first: boolean
}

export class ReceivedDocuments extends Context.Service<
  ReceivedDocuments,
  {
    readonly list: (query: ReceivedQuery) => Effect.Effect<Listing<Received>, never, CurrentOrganization>
    readonly get: (id: ReceivedId) => Effect.Effect<Received, NotFound, CurrentOrganization>
    readonly document: (
      id: ReceivedId
    ) => Effect.Effect<
      { readonly received: Received; readonly bytes: Uint8Array },
      NotFound | ArchiveIncident | StorageUnavailable,
      CurrentOrganization
    >
    /** Creates an expense with the exact amounts of the document; a credit note becomes a negative expense. */
    readonly createExpense: (
      id: ReceivedId,
      choice: ExpenseChoice
    ) => Effect.Effect<
      Expense,
      | NotFound
      | DocumentSelfBilled
      | DocumentUnreadable
      | DocumentRefused
      | AlreadyExpensed
      | ValidationFailed
      | BooksLocked,
      Caller
    >
    readonly accept: (id: ReceivedId) => Effect.Effect<Received, Unanswerable, Caller>
    readonly refuse: (id: ReceivedId, reason: string) => Effect.Effect<Received, Unanswerable, Caller>
  }
>()("invoicing/einvoicing/received/ReceivedDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivedRepo
      const archive = yield* Transmissions
      const expenses = yield* Expenses
      const providers = yield* Providers
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const list = Effect.fn("ReceivedDocuments.list")(function* (query: ReceivedQuery) {
        return mapRows(yield* repo.list((yield* CurrentOrganization).id, query), shown)
      })

      const find = Effect.fnUntraced(function* (id: ReceivedId) {
        yield* Effect.annotateCurrentSpan({ "received.id": id })
        return yield* orNotFound(repo.find({ organization_id: (yield* CurrentOrganization).id, id }))
      })

      const lock = Effect.fnUntraced(function* (id: ReceivedId) {
        yield* Effect.annotateCurrentSpan({ "received.id": id })
        return yield* orNotFound(repo.lock({ organization_id: (yield* CurrentOrganization).id, id }))
      })

      const get = Effect.fn("ReceivedDocuments.get")((id: ReceivedId) => Effect.map(find(id), shown))

      const document = Effect.fn("ReceivedDocuments.document")(function* (id: ReceivedId) {
        const facts = yield* find(id)
        const { object_id, organization_id } = facts
        return { received: shown(facts), bytes: yield* archive.read({ organization_id, id: object_id }) }
      })

      const createExpense = Effect.fn("ReceivedDocuments.createExpense")(function* (
        id: ReceivedId,
        choice: ExpenseChoice
      ) {
        const facts = yield* lock(id)
        if (facts.expense_id !== null) return yield* AlreadyExpensed.of(facts.expense_id)
        if (facts.status === "refused") return yield* DocumentRefused.of()
        const created = expenses.create(yield* expenseOf(facts, choice))
        // The expense has no receipt, so `ReceiptBooked` cannot occur.
        const expense = yield* Effect.catchTag(created, "ReceiptBooked", Effect.die)
        const changed = { ...facts, expense_id: expense.id, updated_at: yield* now }
        yield* repo.save(changed)
        const data = { received_id: id, expense_id: expense.id }
        const event = yield* receivedEvent("received_document.updated", shown(changed), facts.status)
        yield* auditLog.append(yield* callerEntry("einvoice.received_expensed", data, [event]))
        return expense
      }, transaction)

      const record = Effect.fnUntraced(function* (
        id: ReceivedId,
        status: "accepted" | "refused",
        refusal_reason: string | null,
        exchange: Option.Option<NewTransmission>
      ) {
        const facts = yield* lock(id)
        if (facts.status === status) return shown(facts)
        if (facts.status !== "received") return yield* AlreadyAnswered.of(facts.status)
        const at = yield* now
        const changed = { ...facts, status, refusal_reason, answered_at: at, updated_at: at }
        yield* repo.save(changed)
        const event = yield* receivedEvent("received_document.updated", shown(changed), facts.status)
        const data = { received_id: id, refusal_reason }
        yield* auditLog.append(yield* callerEntry(`einvoice.received_${status}`, data, [event]))
        if (Option.isSome(exchange)) yield* archive.record(exchange.value)
        return shown(changed)
      }, transaction)

      /** The answer is sent before it is stored, because the network accepts the same answer again after a crash. */
      const tell = Effect.fnUntraced(function* (
        network: Provider,
        facts: ReceivedFacts,
        { is_first, reason, status }: Begun
      ) {
        const { id, organization_id, transmission_id } = facts
        const document_reference = referenceOf(facts)
        const given = status === "accepted" ? ("accepted" as const) : ("rejected" as const)
        const response = { transmission_id, organization_id, document_reference, answer: given, reason }
        const sent = yield* network.respond(response).pipe(
          Effect.tapError((error) =>
            error._tag === "NetworkRefused" || (is_first && error.is_unsent === true)
              ? repo.withdraw({ organization_id, id })
              : Effect.void
          ),
          Effect.catchTags({
            NetworkRefused: (error) => Effect.fail(AnswerRefused.of(error)),
            NetworkUnavailable: (error) => Effect.fail(NetworkDown.of(error))
          }),
          Effect.timeoutOrElse({ duration: answer_time_limit, orElse: () => Effect.fail(NetworkDown.late()) })
        )
        const exchange = yield* Effect.transposeOption(Option.map(sent, (message) => keepSent(archive, facts, message)))
        return yield* record(facts.id, status, reason, exchange)
      })

      /** Finds a document that has no answer yet, or has already been answered with `status`. */
      const answerable = Effect.fnUntraced(function* (id: ReceivedId, status: "accepted" | "refused") {
        const facts = yield* find(id)
        if (facts.is_self_billed) return yield* DocumentSelfBilled.of()
        const isOpen = facts.status === "received" || facts.status === status
        return isOpen ? facts : yield* AlreadyAnswered.of(facts.status)
      })

      /**
       * A request answers a document only after it has claimed the document for this answer, so that only one request
       * at a time does so. While it is unknown whether the supplier got the answer, the document takes no other one,
       * because the supplier could then get two answers.
       */
      const answer = Effect.fnUntraced(function* (
        id: ReceivedId,
        status: "accepted" | "refused",
        reason: string | null
      ) {
        const facts = yield* answerable(id, status)
        if (facts.status === status) return shown(facts)
        const { environment, organization_id, provider } = facts
        const network = yield* providers.require(organization_id, provider, environment)
        const claimed = yield* repo.claim({ organization_id, id, answer: status, claim_seconds })
        if (Option.isNone(claimed)) {
          // The request that held the claim may have stored its answer meanwhile.
          const latest = yield* answerable(id, status)
          return latest.status === status ? shown(latest) : yield* AnswerInProgress.of()
        }
        const { claimed_until, is_first } = claimed.value
        const telling = tell(network, facts, { status, reason, is_first })
        return yield* Effect.ensuring(telling, repo.release({ organization_id, id, claimed_until }))
      })

      const accept = Effect.fn("ReceivedDocuments.accept")((id: ReceivedId) => answer(id, "accepted", null))
      const refuse = Effect.fn("ReceivedDocuments.refuse")((id: ReceivedId, reason: string) =>
        answer(id, "refused", reason)
      )

      return ReceivedDocuments.of({ list, get, document, createExpense, accept, refuse })
    })
  ).pipe(Layer.provide([ReceivedRepo.layer, Transmissions.layer, Expenses.layer]))
}

const usual_category = "other"
const isCountryCode = Schema.is(CountryCode)

const expenseOf = Effect.fnUntraced(function* (facts: ReceivedFacts, choice: ExpenseChoice) {
  const { currency, is_self_billed, issue_date, number, problem, supplier, tax_rates, tax_total, total } = facts
  if (is_self_billed) return yield* DocumentSelfBilled.of()
  if (problem !== null) return yield* DocumentUnreadable.of(problem)
  if (currency === null || issue_date === null || total === null) {
    return yield* DocumentUnreadable.of("The document lacks its amount, its date or its currency.")
  }
  const isCredit = facts.document_type === "credit_note"
  const signed = (amount: BigDecimal.BigDecimal) => (isCredit ? BigDecimal.negate(amount) : amount)
  const amount = signed(total)
  const taxes = {
    tax_amount: tax_total === null ? null : signed(tax_total),
    tax_rates: tax_rates.map(({ rate, tax_amount, taxable_amount }) => ({
      rate,
      taxable_amount: signed(taxable_amount),
      tax_amount: signed(tax_amount)
    }))
  }
  // A discount on the total of a document may leave too little for the rows of its taxes.
  const isWhole = Object.keys(amountErrors({ amount, currency, ...taxes })).length === 0
  const draft: ExpenseDraft = {
    expense_date: issue_date,
    category: choice.category ?? usual_category,
    amount,
    currency,
    description: choice.description ?? facts.description ?? `Document ${number}`,
    // Suppliers may write the country in other ways, for example `EL` for Greece, which no expense can have.
    country: isCountryCode(supplier.country) ? supplier.country : null,
    ...taxes,
    tax_rates: isWhole ? taxes.tax_rates : [],
    vendor: supplier.name,
    payment_method: facts.payment_method,
    reference: number,
    notes: notesOf(facts),
    is_vat_deductible: choice.is_vat_deductible ?? null,
    vat_deductible_percentage: choice.vat_deductible_percentage ?? null
  }
  return draft
})

/** Returns notes with the due date, IBAN and supplier's tax number, because an expense has no fields for them. */
const notesOf = ({ due_date, supplier: { iban, tax_number } }: ReceivedFacts): string | null => {
  const parts = [
    due_date === null ? null : `Due: ${due_date}`,
    iban === null ? null : `IBAN: ${iban}`,
    tax_number === null ? null : `Supplier's tax number: ${tax_number}`
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join("\n")
}
