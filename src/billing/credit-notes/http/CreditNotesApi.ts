import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, page, pageQuery, removed } from "../../../kernel/Envelope.ts"
import { CreditNoteId, inText } from "../../../kernel/Ids.ts"
import { listing, orDeletion } from "../../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../../../platform/http/Contract.ts"
import { RequestValidation } from "../../../platform/http/RequestValidation.ts"
import { Authorization } from "../../../platform/http/Security.ts"
import { PdfFile } from "../../printing/PdfFile.ts"
import { DocumentDelivery } from "../../sending/Send.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../../sending/SendErrors.ts"
import { NumberTaken } from "../../numbering/NumberTaken.ts"
import {
  CreditNote,
  CreditNoteChanges,
  CreditNoteDraft,
  creditNotesQuery,
  CreditNoteSummary,
  SendCreditNote,
  SentCreditNote
} from "../CreditNote.ts"
import { AlreadySent, CreditNoteLocked, ExceedsCreditableAmount, InvoiceNotIssued } from "../CreditNoteErrors.ts"
import { BooksLocked } from "../../../kernel/BooksLocked.ts"

const params = { id: inText(CreditNoteId) }

/** A draft reserves the amount that it credits, so a wrong draft must be easy to change or delete. */
export class CreditNotesApi extends HttpApiGroup.make("creditNotes")
  .annotateMerge(tag("Credit notes", "Corrections of issued invoices."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: creditNotesQuery,
      success: listing(orDeletion(CreditNoteSummary)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List credit notes",
        "The list is sorted by creation, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreditNoteDraft,
      success: created(CreditNote),
      error: [ValidationFailed, InvoiceNotIssued, ExceedsCreditableAmount]
    }).annotateMerge(
      operation(
        "Create a credit note",
        "Creates a draft that credits an issued invoice, by `amount` (with taxes, split over the tax rates of " +
          "the invoice) or by `items`. More than what is left of the invoice is refused with 422 " +
          "`exceeds_creditable_amount`.",
        "credit_note.created",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(CreditNote), error: NotFound }).annotateMerge(
      operation("Get a credit note", "Returns one credit note with items, customer and original invoice.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: CreditNoteChanges,
      success: data(CreditNote),
      error: [NotFound, ValidationFailed, PreconditionFailed, CreditNoteLocked, SendInProgress, ExceedsCreditableAmount]
    }).annotateMerge(
      operation(
        "Update a credit note",
        "Changes the fields that the body has. A sent credit note is locked (422), and one that is being sent " +
          "is refused with 409.",
        "credit_note.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(CreditNoteId),
      error: [NotFound, PreconditionFailed, CreditNoteLocked, SendInProgress]
    }).annotateMerge(
      operation(
        "Delete a credit note",
        "Deletes a draft. A sent credit note is refused with 422.",
        "credit_note.deleted"
      )
    ),
    HttpApiEndpoint.post("send", "/:id/send", {
      params,
      payload: optionalBody(SendCreditNote),
      success: data(SentCreditNote),
      error: [
        NotFound,
        ValidationFailed,
        AlreadySent,
        SendInProgress,
        NumberTaken,
        BooksLocked,
        NoRecipient,
        DeliveryFailed,
        PdfUnavailable,
        PdfTooComplex
      ]
    })
      .annotateMerge(
        operation(
          "Send a credit note",
          "Issues the credit note, which gives it its number and lowers the balance of the invoice, and sends it " +
            "by e-mail. A sent one is refused with 409 `already_sent`, unless `resend` is true. If no message can " +
            "be delivered, the answer is 422 and the draft stays a draft.",
          "credit_note.sent",
          "credit_note.mail_refused",
          "invoice.updated",
          "invoice.paid",
          "expense.updated"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params,
      query: pageQuery,
      success: page(DocumentDelivery),
      error: NotFound
    }).annotateMerge(
      operation(
        "List the deliveries of a credit note",
        "Returns the latest result for each recipient, for 30 days. A `pending` message becomes `accepted`, or `refused` " +
          "after 7 attempts within 24 hours."
      )
    ),
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      success: PdfFile,
      error: [NotFound, PdfUnavailable, PdfTooComplex]
    }).annotateMerge(operation("Download the PDF of a credit note", "Returns the PDF."))
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/credit-notes") {}
