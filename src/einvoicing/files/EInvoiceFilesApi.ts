import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { PdfFile } from "../../billing/printing/PdfFile.ts"
import { CreditNoteId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../platform/documents/pdf/PdfErrors.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { InvalidDocument } from "../documents/SubmissionErrors.ts"

const XmlFile = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/xml" }))

const invoice = { id: inText(InvoiceId) }
const credit_note = { id: inText(CreditNoteId) }
const xml = { success: XmlFile, error: [NotFound, InvalidDocument, StorageUnavailable] }
const pdf = { success: PdfFile, error: [NotFound, InvalidDocument, PdfTooComplex, PdfUnavailable, StorageUnavailable] }

export class EInvoiceFilesApi extends HttpApiGroup.make("einvoiceFiles")
  .annotateMerge(tag("E-invoice files", "Documents as UBL, CII and Factur-X files, without a network."))
  .add(
    HttpApiEndpoint.get("invoiceUbl", "/invoices/:id/ubl", { params: invoice, ...xml }).annotateMerge(
      operation(
        "Download an invoice as UBL",
        "Returns the invoice as UBL 2.1 XML (EN 16931). A document that cannot be one is refused with 422 and " +
          "the findings."
      )
    ),
    HttpApiEndpoint.get("invoiceCii", "/invoices/:id/cii", { params: invoice, ...xml }).annotateMerge(
      operation(
        "Download an invoice as CII",
        "Returns the invoice as UN/CEFACT CII XML (EN 16931). A document that cannot be one is refused with 422 " +
          "and the findings."
      )
    ),
    HttpApiEndpoint.get("invoiceFacturx", "/invoices/:id/facturx", { params: invoice, ...pdf }).annotateMerge(
      operation(
        "Download an invoice as Factur-X",
        "Returns a PDF/A-3 with the CII XML in it (Factur-X, ZUGFeRD). A document that cannot be one is refused " +
          "with 422 and the findings."
      )
    ),
    HttpApiEndpoint.get("creditNoteUbl", "/credit-notes/:id/ubl", { params: credit_note, ...xml }).annotateMerge(
      operation(
        "Download a credit note as UBL",
        "Returns the credit note as UBL 2.1 XML (EN 16931). A document that cannot be one is refused with 422 " +
          "and the findings."
      )
    ),
    HttpApiEndpoint.get("creditNoteCii", "/credit-notes/:id/cii", { params: credit_note, ...xml }).annotateMerge(
      operation(
        "Download a credit note as CII",
        "Returns the credit note as UN/CEFACT CII XML (EN 16931). A document that cannot be one is refused with " +
          "422 and the findings."
      )
    ),
    HttpApiEndpoint.get("creditNoteFacturx", "/credit-notes/:id/facturx", {
      params: credit_note,
      ...pdf
    }).annotateMerge(
      operation(
        "Download a credit note as Factur-X",
        "Returns a PDF/A-3 with the CII XML in it (Factur-X, ZUGFeRD). A document that cannot be one is refused " +
          "with 422 and the findings."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1") {}
