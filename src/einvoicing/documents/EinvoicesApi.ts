import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { InvoiceLocked, NonChronological } from "../../billing/invoices/InvoiceErrors.ts"
import { NumberTaken } from "../../billing/numbering/NumberTaken.ts"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data } from "../../kernel/Envelope.ts"
import { EinvoiceId, inText } from "../../kernel/Ids.ts"
import { listing } from "../../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { ServerError } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { Einvoice, EinvoiceProgress, einvoicesQuery, Evidence } from "./Einvoice.ts"
import { Preflight, Submission } from "./Submission.ts"
import {
  AlreadySubmitted,
  FormatUnsupported,
  InvalidDocument,
  NotRegistered,
  SubmissionFailed
} from "./SubmissionErrors.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(EinvoiceId) }

/** Spec, Endpoints: E-invoicing, documents. */
export class EinvoicesApi extends HttpApiGroup.make("einvoices")
  .add(
    HttpApiEndpoint.get("list", "/invoices", {
      query: einvoicesQuery,
      success: listing(Einvoice),
      error: ValidationFailed
    }),
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
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked,
        SubmissionFailed,
        StorageUnavailable,
        ServerError
      ]
    }),
    HttpApiEndpoint.get("get", "/invoices/:id", { params, success: data(Einvoice), error: NotFound }),
    HttpApiEndpoint.get("status", "/invoices/:id/status", {
      params,
      success: data(EinvoiceProgress),
      error: NotFound
    }),
    HttpApiEndpoint.get("evidence", "/invoices/:id/evidence", { params, success: data(Evidence), error: NotFound }),
    HttpApiEndpoint.post("validate", "/validate", {
      payload: Submission,
      success: data(Preflight),
      error: [NotFound, ValidationFailed, ProviderMismatch, FormatUnsupported, StorageUnavailable, ServerError]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing") {}
