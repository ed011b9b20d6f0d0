import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { InvoiceId, inText } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/PdfErrors.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { optionalBody, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PdfFile } from "../printing/PdfFile.ts"
import { SendBody } from "../sending/Send.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../sending/SendErrors.ts"
import { MarkPaid } from "../payments/Payment.ts"
import { AlreadyPaid, AmountExceedsBalance } from "../payments/PaymentErrors.ts"
import { Invoice, InvoiceSummary, MarkSent, invoicesQuery, SentInvoice } from "./Invoice.ts"
import { InvoiceChanges, InvoiceDraft } from "./writing/InvoiceDraft.ts"
import { InvoiceLocked, NonChronological } from "./InvoiceErrors.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(InvoiceId) }

/** Spec, Endpoints: Invoices. */
export class InvoicesApi extends HttpApiGroup.make("invoices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: invoicesQuery,
      success: listing(orDeletion(InvoiceSummary)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: InvoiceDraft,
      success: created(Invoice),
      error: [ValidationFailed, NumberTaken, BooksLocked]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Invoice), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: InvoiceChanges,
      success: data(Invoice),
      error: [NotFound, PreconditionFailed, InvoiceLocked, ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(InvoiceId),
      error: [NotFound, PreconditionFailed, InvoiceLocked, Forbidden, BooksLocked]
    }),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Invoice),
      error: [NotFound, ValidationFailed, NumberTaken, BooksLocked]
    }),
    HttpApiEndpoint.post("markPaid", "/:id/mark-paid", {
      params,
      payload: optionalBody(MarkPaid),
      success: data(Invoice),
      error: [
        NotFound,
        ValidationFailed,
        AlreadyPaid,
        AmountExceedsBalance,
        InvoiceLocked,
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked
      ]
    }),
    HttpApiEndpoint.post("markSent", "/:id/mark-sent", {
      params,
      payload: optionalBody(MarkSent),
      success: data(Invoice),
      error: [NotFound, InvoiceLocked, NonChronological, NumberTaken, CustomerDeleted, BooksLocked]
    }),
    HttpApiEndpoint.post("send", "/:id/send", {
      params,
      payload: optionalBody(SendBody),
      success: data(SentInvoice),
      error: [
        NotFound,
        ValidationFailed,
        NoRecipient,
        DeliveryFailed,
        SendInProgress,
        InvoiceLocked,
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked,
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
  .prefix("/api/v1/invoices") {}
