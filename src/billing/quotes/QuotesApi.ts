import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { inText, QuoteId } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/PdfErrors.ts"
import { optionalBody, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PdfFile } from "../printing/PdfFile.ts"
import { SendBody } from "../sending/Send.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../sending/SendErrors.ts"
import { Invoice } from "../invoices/Invoice.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import { MarkAccepted, MarkRejected, Quote, QuoteChanges, QuoteDraft, quotesQuery, QuoteSummary } from "./Quote.ts"
import { SentQuote } from "./Quote.ts"
import { AlreadyConverted, QuoteDecided, QuoteLocked } from "./QuoteErrors.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(QuoteId) }

/** Spec, Endpoints: Quotes. */
export class QuotesApi extends HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: quotesQuery,
      success: listing(orDeletion(QuoteSummary)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: QuoteDraft,
      success: created(Quote),
      error: ValidationFailed
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Quote), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: QuoteChanges,
      success: data(Quote),
      error: [NotFound, PreconditionFailed, QuoteLocked, ValidationFailed]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(QuoteId),
      error: [NotFound, PreconditionFailed, QuoteLocked, Forbidden]
    }),
    HttpApiEndpoint.post("convertToInvoice", "/:id/convert-to-invoice", {
      params,
      success: created(Invoice),
      error: [NotFound, QuoteDecided, AlreadyConverted, NumberTaken, CustomerDeleted, ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Quote),
      error: [NotFound, ValidationFailed]
    }),
    HttpApiEndpoint.post("markAccepted", "/:id/mark-accepted", {
      params,
      payload: optionalBody(MarkAccepted),
      success: data(Quote),
      error: [NotFound, QuoteDecided, NumberTaken, CustomerDeleted]
    }),
    HttpApiEndpoint.post("markRejected", "/:id/mark-rejected", {
      params,
      payload: optionalBody(MarkRejected),
      success: data(Quote),
      error: [NotFound, QuoteDecided]
    }),
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      success: PdfFile,
      error: [NotFound, PdfUnavailable, PdfTooComplex]
    }),
    HttpApiEndpoint.post("send", "/:id/send", {
      params,
      payload: optionalBody(SendBody),
      success: data(SentQuote),
      error: [
        NotFound,
        QuoteDecided,
        NoRecipient,
        DeliveryFailed,
        SendInProgress,
        NumberTaken,
        CustomerDeleted,
        PdfUnavailable,
        PdfTooComplex
      ]
    }).annotate(UsesOtherSystems, true)
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/quotes") {}
