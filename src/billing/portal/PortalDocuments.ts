import { Context, Effect, Layer, type Scope } from "effect"
import type { DocumentKey } from "../../kernel/DocumentKind.ts"
import { type AttachmentId, CreditNoteId, InvoiceId, QuoteId } from "../../kernel/Ids.ts"
import type { PdfRefused } from "../../platform/documents/PdfErrors.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { CreditNotePdf } from "../credit-notes/CreditNotePdf.ts"
import type { CreditNotePdfDocument } from "../credit-notes/CreditNotePdfDocument.ts"
import type { DocumentFile } from "../printing/Correspondence.ts"
import type { PdfDocument } from "../printing/DocumentPdf.ts"
import type { Attachment } from "../invoices/attachments/Attachment.ts"
import { attachments_per_invoice_max } from "../invoices/attachments/Attachment.ts"
import { Attachments, type Download } from "../invoices/attachments/Attachments.ts"
import { InvoicePdf } from "../invoices/InvoicePdf.ts"
import type { InvoicePdfDocument } from "../invoices/InvoicePdfDocument.ts"
import { Invoices } from "../invoices/Invoices.ts"
import type { Quote } from "../quotes/Quote.ts"
import { QuotePdf } from "../quotes/QuotePdf.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { PortalClosed } from "./PortalErrors.ts"

/** Content of the page of a document. */
export interface PortalDocument {
  readonly sheet: PdfDocument
  readonly payment: InvoicePdfDocument["payment"]
  readonly clearance: CreditNotePdfDocument["clearance"]
  /** The quote that the customer can answer or has answered; null for documents that need no answer. */
  readonly quote: Pick<Quote, "status" | "version"> | null
  /** Attachments of an invoice; empty for other documents. */
  readonly attachments: ReadonlyArray<Attachment>
}

/** Reads the part of a document that its customer may see. A draft or a missing document is `withdrawn`. */
export class PortalDocuments extends Context.Service<
  PortalDocuments,
  {
    readonly view: (document: DocumentKey) => Effect.Effect<PortalDocument, PortalClosed, CurrentOrganization>
    /** Renders the document as a PDF. */
    readonly file: (
      document: DocumentKey
    ) => Effect.Effect<DocumentFile, PortalClosed | PdfRefused, CurrentOrganization>
    /** Opens a file attached to an invoice. Any other id is `unknown`, like a link that never existed. */
    readonly attachment: (
      document: DocumentKey,
      id: AttachmentId
    ) => Effect.Effect<Download, PortalClosed | StorageUnavailable, CurrentOrganization | Scope.Scope>
  }
>()("invoicing/billing/portal/PortalDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const attachments = yield* Attachments
      const quotes = yield* Quotes
      const invoicePdf = yield* InvoicePdf
      const quotePdf = yield* QuotePdf
      const creditNotePdf = yield* CreditNotePdf

      const issuedInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        const invoice = yield* invoices.get(id)
        return invoice.issued_at === null ? yield* withdrawn : invoice
      })

      const viewInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        const sheet = yield* invoicePdf.sheet(yield* issuedInvoice(id))
        const { rows } = yield* attachments.list(id, { per_page: attachments_per_invoice_max })
        return { sheet, payment: sheet.payment, clearance: null, quote: null, attachments: rows }
      })

      const viewQuote = Effect.fnUntraced(function* (id: QuoteId) {
        const quote = yield* quotes.get(id)
        // A quote that is a draft again after a rejection is hidden until it is sent again.
        if (quote.number === null || quote.status === "draft") return yield* withdrawn
        return { sheet: yield* quotePdf.sheet(quote), payment: null, clearance: null, quote, attachments: [] }
      })

      const viewCreditNote = Effect.fnUntraced(function* (id: CreditNoteId) {
        const sheet = yield* creditNotePdf.sheet(id)
        if (sheet.draft !== null) return yield* withdrawn
        return { sheet, payment: null, clearance: sheet.clearance, quote: null, attachments: [] }
      })

      const view = Effect.fn("PortalDocuments.view")(
        function* ({ document, document_id: id }: DocumentKey) {
          switch (document) {
            case "invoice":
              return yield* viewInvoice(InvoiceId.make(id))
            case "quote":
              return yield* viewQuote(QuoteId.make(id))
            case "credit_note":
              return yield* viewCreditNote(CreditNoteId.make(id))
          }
        },
        Effect.catchTag("NotFound", () => withdrawn)
      )

      const render = ({ document, document_id: id }: DocumentKey) => {
        switch (document) {
          case "invoice":
            return invoicePdf.render(InvoiceId.make(id))
          case "quote":
            return quotePdf.render(QuoteId.make(id))
          case "credit_note":
            return creditNotePdf.render(CreditNoteId.make(id))
        }
      }

      const file = Effect.fn("PortalDocuments.file")(
        function* (document: DocumentKey) {
          yield* view(document)
          return yield* render(document)
        },
        Effect.catchTag("NotFound", () => withdrawn)
      )

      const attachment = Effect.fn("PortalDocuments.attachment")(function* (
        { document, document_id }: DocumentKey,
        id: AttachmentId
      ) {
        if (document !== "invoice") return yield* unknown
        const invoice_id = InvoiceId.make(document_id)
        yield* issuedInvoice(invoice_id).pipe(Effect.catchTag("NotFound", () => withdrawn))
        return yield* attachments.download(invoice_id, id).pipe(Effect.catchTag("NotFound", () => unknown))
      })

      return PortalDocuments.of({ view, file, attachment })
    })
  ).pipe(
    Layer.provide([Invoices.layer, Attachments.layer, Quotes.layer]),
    Layer.provide([InvoicePdf.layer, QuotePdf.layer, CreditNotePdf.layer])
  )
}

const withdrawn = Effect.fail(new PortalClosed({ reason: "withdrawn" }))
const unknown = Effect.fail(new PortalClosed({ reason: "unknown" }))
