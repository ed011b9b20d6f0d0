import { Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../../customers/Customers.ts"
import { now, type Timestamp, yearOf } from "../../../kernel/Calendar.ts"
import { changesTo, isUnchanged } from "../../../kernel/Changes.ts"
import { clientDataOf, isClientDataOnly } from "../../../kernel/ClientData.ts"
import type { CreditNoteId, CustomerId, OrganizationId } from "../../../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../../../kernel/Listing.ts"
import { zero } from "../../../kernel/Money.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../../../kernel/Refusal.ts"
import { requireVersion } from "../../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { DocumentSendLocks } from "../../sending/DocumentSendLocks.ts"
import { SendInProgress } from "../../sending/SendErrors.ts"
import { UnsettledSendsRepo } from "../../sending/UnsettledSendsRepo.ts"
import type { InvoiceFacts } from "../../invoices/Invoice.ts"
import { unknownInvoice } from "../../invoices/InvoiceErrors.ts"
import { IssueConfirmation } from "../../invoices/sending/IssueConfirmation.ts"
import { DocumentNumbers } from "../../numbering/DocumentNumbers.ts"
import type { Allocation } from "../Allocation.ts"
import { CreditNoteAllocations } from "../allocation/CreditNoteAllocations.ts"
import { complete, completeSummary, fixed_fields, typeCodesOf } from "../CreditNote.ts"
import type {
  CreditNote,
  CreditNoteChanges,
  CreditNoteDraft,
  CreditNoteFacts,
  CreditNotesQuery,
  CreditNoteSummary
} from "../CreditNote.ts"
import { creditedItems, type CreditNoteItem, unchangedItem } from "../CreditNoteItem.ts"
import { CreditNoteLocked, type ExceedsCreditableAmount, InvoiceNotIssued } from "../CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "../CreditNoteAudit.ts"
import { requireCurrency } from "../../lines/Pricing.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"
import { creditedDetails, creditNoteDetails, requireOneDelivery } from "../../details/Details.ts"

export class CreditNotes extends Context.Service<
  CreditNotes,
  {
    readonly list: (
      query: CreditNotesQuery
    ) => Effect.Effect<Listing<CreditNoteSummary | Deletion>, never, CurrentOrganization>
    readonly get: (id: CreditNoteId) => Effect.Effect<CreditNote, NotFound, CurrentOrganization>
    readonly create: (
      draft: CreditNoteDraft
    ) => Effect.Effect<CreditNote, ValidationFailed | InvoiceNotIssued | ExceedsCreditableAmount, Caller>
    /** Changes a draft; of a sent note, only `external_id` and `metadata`. Repeating a stored value is no change. */
    readonly update: (
      id: CreditNoteId,
      changes: CreditNoteChanges
    ) => Effect.Effect<
      CreditNote,
      NotFound | PreconditionFailed | CreditNoteLocked | SendInProgress | ValidationFailed | ExceedsCreditableAmount,
      Caller
    >
    /** Removes a draft; the amount that it took can then be credited again. */
    readonly remove: (
      id: CreditNoteId
    ) => Effect.Effect<
      Pick<CreditNote, "id">,
      NotFound | PreconditionFailed | CreditNoteLocked | SendInProgress,
      Caller
    >
    /** Refuses a type code that is not allowed for the countries of the organization and the customer. */
    readonly requireTypeCode: (
      code: string,
      customer_id: CustomerId
    ) => Effect.Effect<void, ValidationFailed, CurrentOrganization>
  }
>()("invoicing/billing/credit-notes/writing/CreditNotes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const allocations = yield* CreditNoteAllocations
      const customers = yield* Customers
      const numbering = yield* DocumentNumbers
      const sendings = yield* DocumentSendLocks
      const unsettled = yield* UnsettledSendsRepo
      const confirmation = yield* IssueConfirmation
      const { transaction } = yield* Database

      const list = Effect.fn("CreditNotes.list")(function* (query: CreditNotesQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return mapRecords(yield* repo.list(organization_id, query), completeSummary)
      })

      const get = Effect.fn("CreditNotes.get")(function* (id: CreditNoteId) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return complete(yield* orNotFound(repo.find({ organization_id, id })))
      })

      const requireTypeCode = Effect.fn("CreditNotes.requireTypeCode")(function* (
        code: string,
        customer_id: CustomerId
      ) {
        const organization = yield* CurrentOrganization
        const customer = yield* Effect.option(customers.get(customer_id))
        const country = Option.match(customer, { onNone: () => null, onSome: (known) => known.country })
        const codes = typeCodesOf(organization.country, country)
        if (codes.includes(code)) return
        const message = `The credit_note_type_code field must be one of: ${codes.join(", ")}.`
        return yield* ValidationFailed.of({ credit_note_type_code: [message] })
      })

      const create = Effect.fn("CreditNotes.create")(function* (draft: CreditNoteDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const { amount = null, credit_note_type_code: code = null, credit_type = null, items = null, reason } = draft
        // The lock is held until commit, so that a concurrent note sees what this note leaves of the invoice.
        const invoice = yield* allocations
          .lockInvoice(draft.invoice_id)
          .pipe(Effect.catchTag("NotFound", unknownInvoice))
        if (invoice.issued_at === null) return yield* InvoiceNotIssued.of()
        yield* requireCurrency(draft.currency, invoice.currency)
        if (code !== null) yield* requireTypeCode(code, invoice.customer_id)
        const { allocation, id, shares } = yield* allocations.allocate(invoice, { amount, credit_type, items, reason })
        const details = yield* requireOneDelivery(creditNoteDetails.change(creditedDetails(invoice.details), draft))
        const given = { id, reason, credit_note_type_code: code, details, ...clientDataOf(draft) }
        const facts = { ...blank(invoice, yield* now), ...given, ...allocation }
        const note = complete(facts)
        const event = yield* creditNoteEvent("credit_note.created", note)
        const entry = yield* creditNoteEntry("credit_note.created", note, [event])
        yield* repo.insert(organization_id, facts, shares, user_id, entry)
        yield* confirmation.confirm(invoice)
        return note
      }, transaction)

      const update = Effect.fn("CreditNotes.update")(function* (id: CreditNoteId, sent: CreditNoteChanges) {
        const { id: organization_id } = yield* CurrentOrganization
        const { invoice_id } = yield* get(id)
        // Like a send, an update locks the invoice before the note, so that the two cannot deadlock.
        const invoice = yield* allocations.lockInvoice(invoice_id)
        const stored = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(stored.version)
        const before = complete(stored)
        const current = { ...before, items: before.items.map(unchangedItem) }
        const { credit_type } = sent
        const asked = { ...sent, credit_type: credit_type ?? before.credit_type }
        const changes = yield* changesTo(current, asked, fixed_fields)
        if (isUnchanged(changes)) return before
        const changed = {
          ...stored,
          ...clientDataOf(changes, stored),
          updated_at: yield* now,
          version: stored.version + 1
        }
        if (isClientDataOnly(changes)) return yield* write(changed, null)
        if (before.status === "sent") return yield* CreditNoteLocked.change(before)
        const change = Effect.andThen(requireUnmailed(stored), changeDraft(invoice, changed, changes))
        return yield* sendings.unlessSending({ kind: "credit_note", id })(change)
      }, transaction)

      /** Refuses to change or delete a draft while an earlier send of it is unfinished, or may have reached a recipient. */
      const requireUnmailed = Effect.fnUntraced(function* ({ id, number }: CreditNoteFacts) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, document: "credit_note" as const, document_id: id }
        const { may_arrive, unfinished } = yield* unsettled.find(key)
        if (unfinished) return yield* SendInProgress.of()
        if (may_arrive) return yield* CreditNoteLocked.mailed(number)
      })

      const write = Effect.fnUntraced(function* (facts: CreditNoteFacts, shares: Allocation["shares"] | null) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = complete(facts)
        const event = yield* creditNoteEvent("credit_note.updated", note)
        yield* repo.change(organization_id, facts, shares, yield* creditNoteEntry("credit_note.updated", note, [event]))
        return note
      })

      const changeDraft = Effect.fnUntraced(function* (
        invoice: InvoiceFacts,
        draft: CreditNoteFacts,
        changes: Partial<CreditNoteChanges>
      ) {
        const { amount = null, credit_note_type_code: code, credit_type = null, reason = draft.reason } = changes
        const given = changes.items === undefined ? null : yield* creditedItems(changes.items, draft.items)
        if (amount !== null && given !== null) {
          return yield* ValidationFailed.field("items", "may not be given together with an amount.")
        }
        if (code !== undefined && code !== null) yield* requireTypeCode(code, draft.customer_id)
        const credit_note_type_code = code === undefined ? draft.credit_note_type_code : code
        const details = yield* requireOneDelivery(creditNoteDetails.change(draft.details, changes))
        const facts = { ...draft, reason, credit_note_type_code, details }
        if (amount === null && given === null) {
          const items = draft.items.map((item) => describedBy(item, draft.reason, reason))
          const type = credit_type === null ? draft.credit_type : yield* allocations.requireType(draft, credit_type)
          return yield* write({ ...facts, items, credit_type: type }, null)
        }
        const asked = { amount, credit_type, items: given, reason }
        const { allocation, shares } = yield* allocations.allocate(invoice, asked, draft.id)
        const items = allocation.items.map((item) => ({ ...item, id: keptId(item, draft.items) }))
        return yield* write({ ...facts, ...allocation, items }, shares)
      })

      const remove = Effect.fn("CreditNotes.remove")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(found.version)
        const note = complete(found)
        if (note.status === "sent") return yield* CreditNoteLocked.sent(note)
        return yield* sendings.unlessSending({ kind: "credit_note", id })(
          Effect.andThen(requireUnmailed(found), removeDraft(organization_id, found))
        )
      }, transaction)

      const removeDraft = Effect.fnUntraced(function* (organization_id: OrganizationId, draft: CreditNoteFacts) {
        const { id, issue_date, number, sequence } = draft
        // A failed send left its number on the draft, because a later number was in use, or because a message with the
        // number could still arrive, which was refused since.
        const hasNumber = number !== null && sequence !== null && issue_date !== null
        if (hasNumber) {
          if (!(yield* numbering.giveBack("credit_note", issue_date, { number, sequence }))) {
            return yield* CreditNoteLocked.numbered(number)
          }
        }
        const place = hasNumber ? { series: String(yearOf(issue_date)), sequence } : {}
        const note = complete(draft)
        const event = yield* creditNoteEvent("credit_note.deleted", note)
        yield* repo.remove({ organization_id, id }, yield* creditNoteEntry("credit_note.deleted", note, [event], place))
        return { id }
      })

      return CreditNotes.of({ list, get, create, update, remove, requireTypeCode })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      CreditNoteAllocations.layer,
      Customers.layer,
      DocumentNumbers.layer,
      DocumentSendLocks.layer,
      UnsettledSendsRepo.layer,
      IssueConfirmation.layer
    ])
  )
}

/** The lines of a note that credits an amount are described by its reason, so a new reason replaces the description. */
const describedBy = (item: CreditNoteItem, before: string, reason: string): CreditNoteItem =>
  item.invoice_item_id === undefined && item.description === before ? { ...item, description: reason } : item

/** An item that still credits the same line of the invoice keeps its id. */
const keptId = ({ id, invoice_item_id }: CreditNoteItem, stored: ReadonlyArray<CreditNoteItem>) =>
  stored.find((item) => item.invoice_item_id !== undefined && item.invoice_item_id === invoice_item_id)?.id ?? id

const blank = ({ currency, customer, exchange_rate, ...invoice }: InvoiceFacts, at: Timestamp) =>
  ({
    number: null,
    sequence: null,
    invoice_id: invoice.id,
    customer_id: customer.id,
    customer,
    original_invoice: {
      id: invoice.id,
      number: invoice.number ?? "",
      issue_date: invoice.issue_date,
      due_date: invoice.due_date,
      currency,
      total: invoice.total
    },
    issue_date: null,
    currency,
    exchange_rate,
    refundable_amount: zero,
    sent_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }) satisfies Partial<CreditNoteFacts>
