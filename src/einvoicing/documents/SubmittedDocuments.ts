import { Context, Effect, Layer } from "effect"
import type { CreditNote } from "../../billing/credit-notes/CreditNote.ts"
import { CreditNotes } from "../../billing/credit-notes/writing/CreditNotes.ts"
import { CreditNoteIssuer } from "../../billing/credit-notes/sending/CreditNoteIssuer.ts"
import { Attachments, type EmbeddedFile } from "../../billing/invoices/attachments/Attachments.ts"
import type { Invoice } from "../../billing/invoices/Invoice.ts"
import { type InvoiceLocked, type NonChronological, unknownInvoice } from "../../billing/invoices/InvoiceErrors.ts"
import { IssueConfirmation } from "../../billing/invoices/sending/IssueConfirmation.ts"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import type { NumberTaken } from "../../billing/numbering/NumberTaken.ts"
import { Correspondence } from "../../billing/correspondence/Correspondence.ts"
import type { Correspondents } from "../../billing/correspondence/Correspondents.ts"
import type { SendInProgress } from "../../billing/sending/SendErrors.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import type { Timestamp } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import type { Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { SourceDocument } from "../sources/FromDocument.ts"
import { creditNoteSource, invoiceSource } from "../sources/Sources.ts"

export interface DocumentIds {
  readonly invoice_id: InvoiceId | null
  readonly credit_note_id: CreditNoteId | null
}

interface Drawable {
  readonly document: Invoice | CreditNote
  readonly source: SourceDocument
  readonly parties: Correspondents
}

type Files = ReadonlyArray<EmbeddedFile>

export class SubmittedDocuments extends Context.Service<
  SubmittedDocuments,
  {
    /** An unknown id is a field error, because the id is in the body of the request. */
    readonly get: (ids: DocumentIds) => Effect.Effect<Invoice | CreditNote, ValidationFailed, CurrentOrganization>
    readonly files: (
      ids: DocumentIds
    ) => Effect.Effect<Files, ValidationFailed | StorageUnavailable, CurrentOrganization>
    /** Locks the invoice, or the invoice that a credit note corrects, until the transaction ends. */
    readonly hold: (ids: DocumentIds) => Effect.Effect<void, ValidationFailed, CurrentOrganization>
    /** Builds a document in its current state. A draft without a number gets a placeholder for it. */
    readonly draw: (ids: DocumentIds, files: Files) => Effect.Effect<Drawable, ValidationFailed, CurrentOrganization>
    /** Issues a draft within the caller's transaction, and builds its document. */
    readonly issue: (
      ids: DocumentIds,
      files: Files
    ) => Effect.Effect<
      Drawable,
      | ValidationFailed
      | StorageUnavailable
      | InvoiceLocked
      | NonChronological
      | NumberTaken
      | BooksLocked
      | CustomerDeleted
      | SendInProgress,
      Caller
    >
    /** Marks an invoice as sent over the network, unless a user has already done so or the invoice is already paid. */
    readonly markSent: (ids: DocumentIds, at: Timestamp) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/einvoicing/documents/SubmittedDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const notes = yield* CreditNotes
      const issuer = yield* CreditNoteIssuer
      const attachments = yield* Attachments
      const correspondence = yield* Correspondence
      const confirmation = yield* IssueConfirmation

      const get = Effect.fn("SubmittedDocuments.get")(function* ({
        credit_note_id,
        invoice_id
      }: DocumentIds): Effect.fn.Return<Invoice | CreditNote, ValidationFailed, CurrentOrganization> {
        if (invoice_id !== null) return yield* known(invoices.get(invoice_id), unknownInvoice)
        if (credit_note_id === null) return yield* unknownInvoice()
        return yield* known(notes.get(credit_note_id), unknownNote)
      })

      const files = Effect.fn("SubmittedDocuments.files")(function* (ids: DocumentIds) {
        const document = yield* get(ids)
        return isInvoice(document) ? yield* attachments.embedded(document) : []
      })

      const hold = Effect.fn("SubmittedDocuments.hold")(function* (ids: DocumentIds) {
        const document = yield* get(ids)
        yield* invoices.hold([isInvoice(document) ? document.id : document.invoice_id])
      })

      const drawn = Effect.fnUntraced(function* (document: Invoice | CreditNote, files: Files) {
        const name = document.draft_reference === null ? "" : draft_number
        if (isInvoice(document)) {
          const parties = yield* correspondence.on("invoice", document, document.issued_at === null)
          return { document, parties, source: invoiceSource(document, { name, files }) }
        }
        const parties = yield* correspondence.on("credit_note", document, document.sent_at === null)
        return { document, parties, source: creditNoteSource(document, yield* todayHere, name) }
      })

      const draw = Effect.fn("SubmittedDocuments.draw")(function* (ids: DocumentIds, files: Files) {
        return yield* drawn(yield* get(ids), files)
      })

      const issue = Effect.fn("SubmittedDocuments.issue")(function* (ids: DocumentIds, files: Files) {
        const { credit_note_id, invoice_id } = ids
        if (credit_note_id !== null) return yield* drawn(yield* known(issuer.issue(credit_note_id), unknownNote), [])
        if (invoice_id === null) return yield* unknownInvoice()
        const invoice = yield* known(invoices.issue(invoice_id), unknownInvoice)
        const read = files.map(({ attachment }) => attachment.id)
        // A concurrent change of the draft may embed files that were not read before this transaction.
        if (read.join() !== (invoice.embedded_attachment_ids ?? []).join()) return yield* StorageUnavailable.of()
        yield* confirmation.confirm(invoice)
        return yield* drawn(invoice, files)
      })

      const markSent = Effect.fn("SubmittedDocuments.markSent")(function* ({ invoice_id }: DocumentIds, at: Timestamp) {
        if (invoice_id === null) return
        yield* invoices.markSent(invoice_id, { sent_at: at, sent_method: "einvoice" }).pipe(
          Effect.catchTag("InvoiceLocked", () => Effect.void),
          Effect.orDie
        )
      })

      return SubmittedDocuments.of({ get, files, hold, draw, issue, markSent })
    })
  ).pipe(
    Layer.provide([Invoices.layer, CreditNotes.layer, CreditNoteIssuer.layer, Attachments.layer, Correspondence.layer]),
    Layer.provide(IssueConfirmation.layer)
  )
}

/**
 * Placeholder for the number of a draft while the draft is checked. It is short enough for every format. The number
 * itself is checked when the document is issued.
 */
const draft_number = "DRAFT-1"

/** An issued invoice can become a draft again while it is not locked, because a send that reaches nobody undoes it. */
export const isIssued = (document: Invoice | CreditNote): boolean =>
  (isInvoice(document) ? document.issued_at : document.sent_at) !== null

const isInvoice = (document: Invoice | CreditNote): document is Invoice => "due_date" in document

const unknownNote = () => ValidationFailed.field("credit_note_id", "must name a credit note of the organization.")

const known = <A, E, R>(found: Effect.Effect<A, E | NotFound, R>, unknown: () => ValidationFailed) =>
  Effect.catchIf(
    found,
    (error): error is Extract<E | NotFound, NotFound> => error instanceof NotFound,
    () => Effect.fail(unknown())
  )
