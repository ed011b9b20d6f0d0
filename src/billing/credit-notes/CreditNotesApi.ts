import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { CreditNoteId, inText } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/PdfErrors.ts"
import { optionalBody, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PdfFile } from "../printing/PdfFile.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../sending/SendErrors.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import { CreditNote, CreditNoteChanges, CreditNoteDraft, creditNotesQuery, CreditNoteSummary } from "./CreditNote.ts"
import { SendCreditNote, SentCreditNote } from "./CreditNote.ts"
import { AlreadySent, CreditNoteLocked, ExceedsCreditableAmount, InvoiceNotIssued } from "./CreditNoteErrors.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(CreditNoteId) }

/**
 * Spec, Endpoints: Credit notes. Drafts can be changed and deleted, because a wrong draft would otherwise use up its
 * invoice.
 */
export class CreditNotesApi extends HttpApiGroup.make("creditNotes")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: creditNotesQuery,
      success: listing(orDeletion(CreditNoteSummary)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: CreditNoteDraft,
      success: created(CreditNote),
      error: [ValidationFailed, InvoiceNotIssued, ExceedsCreditableAmount]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(CreditNote), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: CreditNoteChanges,
      success: data(CreditNote),
      error: [NotFound, ValidationFailed, PreconditionFailed, CreditNoteLocked, SendInProgress, ExceedsCreditableAmount]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(CreditNoteId),
      error: [NotFound, PreconditionFailed, CreditNoteLocked, SendInProgress]
    }),
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
    }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      success: PdfFile,
      error: [NotFound, PdfUnavailable, PdfTooComplex]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/credit-notes") {}
