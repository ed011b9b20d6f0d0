import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { PdfFile } from "../../billing/printing/PdfFile.ts"
import { CreditNoteId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/PdfErrors.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { InvalidDocument } from "../documents/SubmissionErrors.ts"

const XmlFile = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/xml" }))

const invoice = { id: inText(InvoiceId) }
const credit_note = { id: inText(CreditNoteId) }
const xml = { success: XmlFile, error: [NotFound, InvalidDocument, StorageUnavailable] }
const pdf = { success: PdfFile, error: [NotFound, InvalidDocument, PdfTooComplex, PdfUnavailable, StorageUnavailable] }

/** Contract section 21, Taxes: downloads of issued documents as e-invoices. */
export class EInvoiceFilesApi extends HttpApiGroup.make("einvoiceFiles")
  .add(
    HttpApiEndpoint.get("invoiceUbl", "/invoices/:id/ubl", { params: invoice, ...xml }),
    HttpApiEndpoint.get("invoiceCii", "/invoices/:id/cii", { params: invoice, ...xml }),
    HttpApiEndpoint.get("invoiceFacturx", "/invoices/:id/facturx", { params: invoice, ...pdf }),
    HttpApiEndpoint.get("creditNoteUbl", "/credit-notes/:id/ubl", { params: credit_note, ...xml }),
    HttpApiEndpoint.get("creditNoteCii", "/credit-notes/:id/cii", { params: credit_note, ...xml }),
    HttpApiEndpoint.get("creditNoteFacturx", "/credit-notes/:id/facturx", { params: credit_note, ...pdf })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1") {}
