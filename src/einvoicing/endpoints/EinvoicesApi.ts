import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { InvoiceLocked, NonChronological } from "../../billing/invoices/InvoiceErrors.ts"
import { SendInProgress } from "../../billing/sending/SendErrors.ts"
import { NumberTaken } from "../../billing/numbering/NumberTaken.ts"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data } from "../../kernel/Envelope.ts"
import { EinvoiceId, inText } from "../../kernel/Ids.ts"
import { listing } from "../../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"
import { operation, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { MalformedMultipart, ServerError } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { Einvoice, EinvoiceProgress, einvoicesQuery, Evidence } from "../documents/Einvoice.ts"
import { Preflight, Submission } from "../documents/Submission.ts"
import {
  AlreadySubmitted,
  FormatUnsupported,
  InvalidDocument,
  NotAwaitingSignature,
  NotRegistered,
  SignatureRefused,
  SubmissionFailed
} from "../documents/SubmissionErrors.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"

const params = { id: inText(EinvoiceId) }

const SignedDocument = Schema.Struct({
  file: described(
    Multipart.SingleFileSchema,
    "The signed file, at most 10 MB: CAdES (`.p7m`) around the issued bytes, or the XML with a XAdES signature."
  )
}).pipe(HttpApiSchema.asMultipartStream())

export class EinvoicesApi extends HttpApiGroup.make("einvoices")
  .annotateMerge(
    tag("E-invoices", "Submission of documents to an e-invoicing network, their status and their evidence.")
  )
  .add(
    HttpApiEndpoint.get("list", "/invoices", {
      query: einvoicesQuery,
      success: listing(Einvoice),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List e-invoices",
        "The list is sorted by submission, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("submit", "/invoices", {
      payload: Submission,
      success: created(Einvoice),
      error: [
        NotRegistered,
        ProviderNotConfigured,
        NotFound,
        ValidationFailed,
        ProviderMismatch,
        FormatUnsupported,
        AlreadySubmitted,
        InvalidDocument,
        InvoiceLocked,
        SendInProgress,
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked,
        SubmissionFailed,
        StorageUnavailable,
        ServerError
      ]
    })
      .annotateMerge(
        operation(
          "Submit an e-invoice",
          "Issues a draft, checks the document by the rules of the network, archives its XML and submits it. " +
            "An invalid document is refused with 422 `invalid_document` and its findings, and a second submission " +
            "with 422 `already_submitted` unless the first one failed.",
          "invoice.updated",
          "invoice.sent",
          "invoice.paid",
          "credit_note.sent",
          "expense.updated",
          "einvoice.created",
          "einvoice.updated",
          "einvoice.sent",
          "einvoice.delivered",
          "einvoice.failed"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("get", "/invoices/:id", { params, success: data(Einvoice), error: NotFound }).annotateMerge(
      operation("Get an e-invoice", "Returns one submitted document.")
    ),
    HttpApiEndpoint.get("status", "/invoices/:id/status", {
      params,
      success: data(EinvoiceProgress),
      error: NotFound
    }).annotateMerge(
      operation(
        "Get the status of an e-invoice",
        "Returns the status with its history and the network's own status code."
      )
    ),
    HttpApiEndpoint.get("evidence", "/invoices/:id/evidence", {
      params,
      success: data(Evidence),
      error: NotFound
    }).annotateMerge(
      operation(
        "Get the evidence of an e-invoice",
        "Returns the receipts of the network with their fingerprints; 404 while there are none."
      )
    ),
    HttpApiEndpoint.post("sign", "/invoices/:id/signed-document", {
      params,
      payload: SignedDocument,
      success: data(Einvoice),
      error: [
        NotFound,
        MalformedMultipart,
        ValidationFailed,
        NotAwaitingSignature,
        SignatureRefused,
        ProviderNotConfigured,
        ArchiveIncident,
        StorageUnavailable
      ]
    })
      .annotateMerge(
        operation(
          "Upload a signed e-invoice",
          "Accepts the signed file of a document whose `network_status` is `AWAITING_SIGNATURE`, and " +
            "sends it. The evidence names the file to be signed (`unsigned_document`), which the archive has. A file " +
            "whose content differs or whose signature is not valid is refused with 422 `signature_refused`.",
          "invoice.sent",
          "einvoice.updated",
          "einvoice.sent",
          "einvoice.delivered",
          "einvoice.failed"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("validate", "/validate", {
      payload: Submission,
      success: data(Preflight),
      error: [
        NotFound,
        ValidationFailed,
        ProviderMismatch,
        ProviderNotConfigured,
        FormatUnsupported,
        InvoiceLocked,
        StorageUnavailable,
        ServerError
      ]
    })
      .annotateMerge(
        operation(
          "Check an e-invoice",
          "Checks the document by the rules of the format in which it would be sent, and changes nothing. The answer is 200 with `valid: " +
            "false` and the findings if it would be refused. A void invoice is never sent, so it gives 422."
        )
      )
      .annotate(UsesOtherSystems, true)
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing") {}
