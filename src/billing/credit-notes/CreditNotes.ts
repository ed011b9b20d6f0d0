import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../customers/Customers.ts"
import { now, type Timestamp, yearOf } from "../../kernel/Calendar.ts"
import { clientDataOf } from "../../kernel/ClientData.ts"
import type { CreditNoteId, CustomerId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../../kernel/Listing.ts"
import { zero } from "../../kernel/Money.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { DocumentSendings } from "../sending/DocumentSendings.ts"
import type { SendInProgress } from "../sending/SendErrors.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import { unknownInvoice } from "../invoices/InvoiceErrors.ts"
import { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import { requireExponent } from "../lines/Pricing.ts"
import { Numbering } from "../numbering/Numbering.ts"
import { creditByAmount } from "./allocation/CreditByAmount.ts"
import { creditByLines } from "./allocation/CreditByLines.ts"
import { complete, completeSummary, type CreditNote, type CreditNoteDraft, type CreditNoteFacts } from "./CreditNote.ts"
import { type CreditNotesQuery, type CreditNoteSummary, type CreditType, typeCodesOf } from "./CreditNote.ts"
import type { CreditedItem } from "./CreditNoteItem.ts"
import { CreditNoteLocked, ExceedsCreditableAmount, InvoiceNotIssued } from "./CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "./CreditNoteJournal.ts"
import { CreditNotesRepo } from "./CreditNotesRepo.ts"

/** Credit notes of the current organization. What one takes from its invoice is fixed when it is made. */
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
    /** Drafts only: what they took is free to be credited again. */
    readonly remove: (
      id: CreditNoteId
    ) => Effect.Effect<
      Pick<CreditNote, "id">,
      NotFound | PreconditionFailed | CreditNoteLocked | SendInProgress,
      Caller
    >
    /** Refuses a type code that is not of the route between the organization and the customer. */
    readonly requireTypeCode: (
      code: string,
      customer_id: CustomerId
    ) => Effect.Effect<void, ValidationFailed, CurrentOrganization>
  }
>()("invoicing/billing/credit-notes/CreditNotes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const invoices = yield* InvoicesRepo
      const customers = yield* Customers
      const numbering = yield* Numbering
      const sendings = yield* DocumentSendings
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

      /** What a note takes of the invoice, whose row the transaction holds. Of a changed note, `own` is what it gives back. */
      const allocated = Effect.fnUntraced(function* (
        invoice: InvoiceFacts,
        { amount, credit_type, items, reason }: Asked,
        own: CreditNoteId | null
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const credited = yield* repo.credited(organization_id, invoice.id, own)
        const remaining = BigDecimal.subtract(invoice.total, credited.total)
        if (amount !== null) yield* requireExponent("amount", amount, invoice.currency)
        if (amount !== null && BigDecimal.isGreaterThan(amount, remaining)) {
          return yield* ExceedsCreditableAmount.of(remaining)
        }
        const { shares, ...allocation } =
          amount === null
            ? yield* creditByLines(invoice, credited.shares, items ?? [])
            : creditByAmount(invoice, credited.shares, amount, reason)
        const type = yield* creditTypeOf(credit_type, BigDecimal.equals(allocation.total, remaining))
        const { id, item_ids } = yield* repo.ids(allocation.items.length)
        const lines = allocation.items.map((item, index) => ({ ...item, id: item_ids[index] ?? item.id }))
        return { id, shares, allocation: { ...allocation, items: lines, credit_type: type } }
      })

      const lockInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(invoices.lock({ organization_id, id }))
      })

      const create = Effect.fn("CreditNotes.create")(function* (draft: CreditNoteDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const { amount = null, credit_note_type_code: code = null, credit_type = null, items = null, reason } = draft
        // Held until commit: whoever else credits this invoice waits for what is left.
        const invoice = yield* lockInvoice(draft.invoice_id).pipe(Effect.catchTag("NotFound", unknownInvoice))
        if (invoice.issued_at === null) return yield* InvoiceNotIssued.of()
        if (code !== null) yield* requireTypeCode(code, invoice.customer_id)
        const { allocation, id, shares } = yield* allocated(invoice, { amount, credit_type, items, reason }, null)
        const given = { id, reason, credit_note_type_code: code, ...clientDataOf(draft) }
        const facts = { ...blank(invoice, yield* now), ...given, ...allocation }
        const note = complete(facts)
        const event = yield* creditNoteEvent("credit_note.created", note)
        const entry = yield* creditNoteEntry("credit_note.created", note, [event])
        yield* repo.insert(organization_id, facts, shares, user_id, entry)
        return note
      }, transaction)

      const remove = Effect.fn("CreditNotes.remove")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(found.version)
        const note = complete(found)
        if (note.status === "sent") return yield* CreditNoteLocked.sent(note)
        return yield* sendings.unlessSending({ kind: "credit_note", id })(removeDraft(organization_id, found))
      }, transaction)

      const removeDraft = Effect.fnUntraced(function* (organization_id: OrganizationId, draft: CreditNoteFacts) {
        const { id, issue_date, number, sequence } = draft
        // A sending that reached nobody left its number here, because a later one was in use by then.
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

      return CreditNotes.of({ list, get, create, remove, requireTypeCode })
    })
  ).pipe(
    Layer.provide([CreditNotesRepo.layer, InvoicesRepo.layer, Customers.layer, Numbering.layer, DocumentSendings.layer])
  )
}

/** How much a client asks to credit: either an amount or lines. */
interface Asked extends Pick<CreditNoteDraft, "reason"> {
  readonly amount: BigDecimal.BigDecimal | null
  readonly items: ReadonlyArray<CreditedItem> | null
  readonly credit_type: CreditType | null
}

const creditTypeOf = (asked: CreditType | null, exhausts: boolean) =>
  asked === "full" && !exhausts
    ? Effect.fail(
        ValidationFailed.of({ credit_type: ["The credit_type field may be full only for all that is left."] })
      )
    : Effect.succeed(asked ?? (exhausts ? ("full" as const) : ("partial" as const)))

/** A draft on an invoice, still without its amounts. */
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
