import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data, page, pageQuery, removed } from "../../kernel/Envelope.ts"
import { inText, QuoteId } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/pdf/PdfErrors.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PdfFile } from "../printing/PdfFile.ts"
import { DocumentDelivery, SendBody } from "../sending/Send.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../sending/SendErrors.ts"
import { Invoice } from "../invoices/Invoice.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import {
  MarkAccepted,
  MarkRejected,
  Quote,
  QuoteChanges,
  QuoteDraft,
  quotesQuery,
  QuoteSummary,
  SentQuote
} from "./Quote.ts"
import { AlreadyConverted, QuoteDecided, QuoteLocked } from "./QuoteErrors.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"

const params = { id: inText(QuoteId) }

export class QuotesApi extends HttpApiGroup.make("quotes")
  .annotateMerge(tag("Quotes", "Offers to customers, which can be accepted, rejected and converted to invoices."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: quotesQuery,
      success: listing(orDeletion(QuoteSummary)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List quotes",
        "The list is sorted by date of issue, newest first. Read it by page, or by `cursor` to sync it. Rows " +
          "have no lines; read these with the quote itself."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: QuoteDraft,
      success: created(Quote),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "Create a quote",
        "Creates a draft. A line without `tax_rate_ids` gets the default tax rates of the organization.",
        "quote.created"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Quote), error: NotFound }).annotateMerge(
      operation("Get a quote", "Returns one quote with lines and taxes.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: QuoteChanges,
      success: data(Quote),
      error: [NotFound, PreconditionFailed, QuoteLocked, SendInProgress, ValidationFailed]
    }).annotateMerge(
      operation(
        "Update a quote",
        "Changes the fields that the body has; `items` replaces all lines. A sent or accepted quote is refused " +
          "with 409 `quote_locked`; a rejected one becomes a draft again, and the links to it are revoked.",
        "quote.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(QuoteId),
      error: [NotFound, PreconditionFailed, QuoteLocked, Forbidden]
    }).annotateMerge(
      operation(
        "Delete a quote",
        "Deletes the quote. An accepted or converted one is refused with 409 `quote_locked`.",
        "quote.deleted"
      )
    ),
    HttpApiEndpoint.post("convertToInvoice", "/:id/convert-to-invoice", {
      params,
      success: created(Invoice),
      error: [NotFound, QuoteDecided, AlreadyConverted, NumberTaken, CustomerDeleted, ValidationFailed, BooksLocked]
    }).annotateMerge(
      operation(
        "Convert a quote to an invoice",
        "Creates a draft invoice with the lines and the tax rates of the quote, issued today. A rejected quote " +
          "is refused with 422, and a second conversion with 422 `already_converted`.",
        "invoice.created",
        "quote.updated"
      )
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Quote),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "Duplicate a quote",
        "Creates a draft with the same lines, dated today. The time of the delivery is not copied.",
        "quote.created"
      )
    ),
    HttpApiEndpoint.post("markAccepted", "/:id/mark-accepted", {
      params,
      payload: optionalBody(MarkAccepted),
      success: data(Quote),
      error: [NotFound, QuoteDecided, NumberTaken, CustomerDeleted]
    }).annotateMerge(
      operation(
        "Mark a quote as accepted",
        "Records that the customer accepts. A rejected or converted quote is refused with 422; an expired one " +
          "is accepted with a warning.",
        "quote.accepted"
      )
    ),
    HttpApiEndpoint.post("markRejected", "/:id/mark-rejected", {
      params,
      payload: optionalBody(MarkRejected),
      success: data(Quote),
      error: [NotFound, QuoteDecided]
    }).annotateMerge(
      operation(
        "Mark a quote as rejected",
        "Records that the customer rejects, with the reason. An accepted or converted quote is refused with 422.",
        "quote.rejected"
      )
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params,
      query: pageQuery,
      success: page(DocumentDelivery),
      error: NotFound
    }).annotateMerge(
      operation(
        "List the deliveries of a quote",
        "Returns the latest result for each recipient, for 30 days. A `pending` message becomes `accepted`, or `refused` " +
          "after 7 attempts within 24 hours."
      )
    ),
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      success: PdfFile,
      error: [NotFound, PdfUnavailable, PdfTooComplex]
    }).annotateMerge(operation("Download the PDF of a quote", "Returns the PDF.")),
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
    })
      .annotateMerge(
        operation(
          "Send a quote",
          "Sends the quote by e-mail with a link to the portal, where the customer accepts or rejects it. The " +
            "answer has a result per recipient. If no message can be delivered, the answer is 422 " +
            "`delivery_failed`. A rejected or converted quote is refused with 422 `quote_decided`.",
          "quote.updated",
          "quote.sent",
          "quote.mail_refused"
        )
      )
      .annotate(UsesOtherSystems, true)
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/quotes") {}
