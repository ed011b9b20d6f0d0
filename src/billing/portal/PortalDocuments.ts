import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { type AttachmentId, CreditNoteId, type CustomerId, InvoiceId, QuoteId } from "../../kernel/Ids.ts"
import { fileNameOf } from "../../kernel/NumberFormat.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import type { Download } from "../../platform/http/answers/Download.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Customers } from "../../customers/Customers.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { CreditNote } from "../credit-notes/CreditNote.ts"
import { CreditNotePdf } from "../credit-notes/sending/CreditNotePdf.ts"
import type { CreditNotePdfDocument } from "../printing/documents/CreditNotePdfDocument.ts"
import { CreditNotes } from "../credit-notes/writing/CreditNotes.ts"
import { Correspondence, type DocumentFile } from "../correspondence/Correspondence.ts"
import { documentFormat } from "../printing/DocumentFormat.ts"
import type { PdfDocument } from "../printing/DocumentPdf.ts"
import { DocumentPrinter } from "../printing/DocumentPrinter.ts"
import { EmbeddedInvoice } from "../printing/EmbeddedInvoice.ts"
import { type Attachment, attachments_per_invoice_max } from "../invoices/attachments/Attachment.ts"
import { Attachments } from "../invoices/attachments/Attachments.ts"
import { InvoicePdf } from "../invoices/sending/InvoicePdf.ts"
import { type Invoice, isOpen } from "../invoices/Invoice.ts"
import { Invoices } from "../invoices/writing/Invoices.ts"
import type { DocumentLink } from "../sending/DocumentLinksRepo.ts"
import type { Quote } from "../quotes/Quote.ts"
import { QuotePdf } from "../quotes/QuotePdf.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { type OpenDocument, OpenDocuments } from "./OpenDocuments.ts"
import { PortalClosed } from "./PortalErrors.ts"
import { type DocumentRef, distanceOf, isSame, type PortalState, stateOf } from "./PortalState.ts"
import { receiptPage, receiptTemplate } from "./Receipt.ts"
import { type Settlement, Settlements } from "./Settlements.ts"
import { type WaysToPay, waysToPay } from "./WaysToPay.ts"

type AttachedFile = Download<StorageUnavailable>

/** `payment` and `payable` are null when nothing is to be paid. */
export interface PortalDocument extends WaysToPay {
  readonly sheet: PdfDocument
  /** The state of the document, such as paid or overdue; null for credit notes, and for quotes that need no answer. */
  readonly state: PortalState | null
  /** Last day to pay or to answer, and its distance from today; null when nothing is to be done. */
  readonly deadline: {
    readonly label: "due_date" | "valid_until"
    readonly day: string
    readonly distance: string | null
  } | null
  readonly settlement: Settlement["rows"]
  readonly has_receipt: boolean
  readonly has_xml: boolean
  readonly clearance: CreditNotePdfDocument["clearance"]
  readonly quote: Pick<Quote, "status" | "version"> | null
  readonly attachments: ReadonlyArray<Attachment>
  readonly others: ReadonlyArray<OpenDocument>
}

/** A link with the address to which it was mailed. */
type SentLink = Pick<DocumentLink, "document" | "document_id" | "recipient">

type Found =
  | { readonly kind: "invoice"; readonly document: Invoice }
  | { readonly kind: "quote"; readonly document: Quote }
  | { readonly kind: "credit_note"; readonly document: CreditNote }

/** Reads the part of a document that its customer may see. Fails with `withdrawn` for a draft or a missing document. */
export class PortalDocuments extends Context.Service<
  PortalDocuments,
  {
    /** Finds the document of a link, or another document of the same customer that the link may open, too. */
    readonly find: (
      link: SentLink,
      asked: DocumentRef | undefined
    ) => Effect.Effect<Found, PortalClosed, CurrentOrganization>
    readonly view: (found: Found, link: SentLink) => Effect.Effect<PortalDocument, PortalClosed, CurrentOrganization>
    readonly file: (found: Found) => Effect.Effect<DocumentFile, PortalClosed | PdfRefused, CurrentOrganization>
    /** Writes the document as XML (EN 16931). Fails with `unknown` if the document has no e-invoice. */
    readonly xml: (found: Found) => Effect.Effect<DocumentFile, PortalClosed, CurrentOrganization>
    /** Renders a receipt for the payments of an invoice. Fails with `unknown` while nothing is paid. */
    readonly receipt: (found: Found) => Effect.Effect<DocumentFile, PortalClosed | PdfRefused, CurrentOrganization>
    /** Opens a file attached to an invoice. Fails with `unknown` if the invoice has no attachment with this id. */
    readonly attachment: (
      found: Found,
      id: AttachmentId
    ) => Effect.Effect<AttachedFile, PortalClosed | StorageUnavailable, CurrentOrganization | Scope.Scope>
  }
>()("invoicing/billing/portal/PortalDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const attachments = yield* Attachments
      const quotes = yield* Quotes
      const customers = yield* Customers
      const creditNotes = yield* CreditNotes
      const correspondence = yield* Correspondence
      const embedded = yield* EmbeddedInvoice
      const invoicePdf = yield* InvoicePdf
      const quotePdf = yield* QuotePdf
      const creditNotePdf = yield* CreditNotePdf
      const openDocuments = yield* OpenDocuments
      const settlements = yield* Settlements
      const { print } = yield* DocumentPrinter

      const read = Effect.fnUntraced(
        function* ({ document, document_id: id }: DocumentRef) {
          if (document === "invoice") {
            const invoice = yield* invoices.get(InvoiceId.make(id))
            // A void invoice is shown as void, because somebody may have been about to pay it.
            const isHidden = invoice.issued_at === null && invoice.status !== "void"
            return isHidden ? yield* withdrawn : { kind: document, document: invoice }
          }
          if (document === "quote") {
            const quote = yield* quotes.get(QuoteId.make(id))
            // A quote that is a draft again after a rejection is hidden until it is sent again.
            const isHidden = quote.number === null || quote.status === "draft"
            return isHidden ? yield* withdrawn : { kind: document, document: quote }
          }
          const note = yield* creditNotes.get(CreditNoteId.make(id))
          return note.sent_at === null ? yield* withdrawn : { kind: document, document: note }
        },
        Effect.catchTag("NotFound", () => withdrawn)
      )

      /** A link opens other documents only if it was mailed to an address of the customer, or of a contact. */
      const opensOthers = Effect.fnUntraced(
        function* ({ recipient }: SentLink, customer_id: CustomerId) {
          const { contacts, email } = yield* customers.get(customer_id)
          const addresses = [email, ...contacts.map((contact) => contact.email)]
          return addresses.some((address) => address?.toLowerCase() === recipient.toLowerCase())
        },
        Effect.catchTag("NotFound", () => Effect.succeed(false))
      )

      const find = Effect.fn("PortalDocuments.find")(function* (link: SentLink, asked: DocumentRef | undefined) {
        const own: Found = yield* read(link)
        if (asked === undefined || isSame(asked, link)) return own
        const other: Found = yield* Effect.mapError(read(asked), () => new PortalClosed({ reason: "unknown" }))
        const { customer_id } = own.document
        if (other.document.customer_id !== customer_id || !isShown(other)) return yield* unknown
        if (!(yield* opensOthers(link, customer_id))) return yield* unknown
        return (yield* openDocuments.isWithdrawn(asked)) ? yield* unknown : other
      })

      const xmlOf = Effect.fnUntraced(function* (found: Found) {
        if (found.kind === "quote") return Option.none()
        const parties = yield* correspondence.on(found.kind, found.document, false)
        return yield* embedded.xml({ ...found, parties })
      })

      const othersOf = Effect.fnUntraced(function* ({ document, kind }: Found, sheet: PdfDocument, link: SentLink) {
        const { customer_id, id } = document
        if (!(yield* opensOthers(link, customer_id))) return []
        const open = yield* openDocuments.of(customer_id, sheet)
        return open.filter((other) => !isSame(other, { document: kind, document_id: id }))
      })

      const viewInvoice = Effect.fnUntraced(function* (found: Found & { readonly kind: "invoice" }) {
        const { document: invoice } = found
        const today = yield* todayHere
        const sheet = yield* invoicePdf.sheet(invoice)
        const { payments, rows } = yield* settlements.of(invoice, sheet)
        const attached = yield* attachments
          .list(invoice.id, { per_page: attachments_per_invoice_max })
          .pipe(Effect.catchTag("NotFound", () => withdrawn))
        const state = stateOf(invoice, today)
        const isPayable = state.sentence === null
        return {
          ...nothing,
          sheet,
          state,
          deadline: isPayable ? deadlineOf("due_date", sheet, { ...invoice, day: invoice.due_date, today }) : null,
          settlement: rows,
          has_receipt: payments.length > 0,
          has_xml: Option.isSome(yield* xmlOf(found)),
          attachments: attached.rows,
          ...(isPayable ? waysToPay(invoice, sheet) : {})
        }
      })

      const viewQuote = Effect.fnUntraced(function* ({ document: quote }: Found & { readonly kind: "quote" }) {
        const today = yield* todayHere
        const sheet = yield* quotePdf.sheet(quote)
        const isAwaited = quote.status === "sent"
        return {
          ...nothing,
          sheet,
          state: isAwaited ? ({ name: "awaiting", tone: "plain", sentence: null } as const) : null,
          deadline: isAwaited ? deadlineOf("valid_until", sheet, { ...quote, day: quote.valid_until, today }) : null,
          quote
        }
      })

      const viewCreditNote = Effect.fnUntraced(function* (found: Found & { readonly kind: "credit_note" }) {
        const sheet = yield* creditNotePdf.sheet(found.document.id).pipe(Effect.catchTag("NotFound", () => withdrawn))
        return { ...nothing, sheet, clearance: sheet.clearance, has_xml: Option.isSome(yield* xmlOf(found)) }
      })

      const view = Effect.fn("PortalDocuments.view")(function* (found: Found, link: SentLink) {
        const page = yield* found.kind === "invoice"
          ? viewInvoice(found)
          : found.kind === "quote"
            ? viewQuote(found)
            : viewCreditNote(found)
        return { ...page, others: yield* othersOf(found, page.sheet, link) }
      })

      const file = Effect.fn("PortalDocuments.file")(
        (found: Found) =>
          found.kind === "invoice"
            ? invoicePdf.render(found.document.id)
            : found.kind === "quote"
              ? quotePdf.render(found.document.id)
              : creditNotePdf.render(found.document.id),
        Effect.catchTag("NotFound", () => withdrawn)
      )

      const xml = Effect.fn("PortalDocuments.xml")(function* (found: Found) {
        const text = yield* xmlOf(found)
        if (Option.isNone(text)) return yield* unknown
        return {
          name: fileNameOf(found.document.number ?? "document", "xml"),
          bytes: new TextEncoder().encode(text.value)
        }
      })

      const receipt = Effect.fn("PortalDocuments.receipt")(function* ({ document, kind }: Found) {
        if (kind !== "invoice") return yield* unknown
        const { id: organization_id } = yield* CurrentOrganization
        const sheet = yield* invoicePdf.sheet(document)
        const { payments } = yield* settlements.of(document, sheet)
        if (payments.length === 0) return yield* unknown
        const page = receiptPage(document, sheet, payments)
        const bytes = yield* print(receiptTemplate, page, Option.none(), organization_id)
        return { name: fileNameOf(`${document.number ?? "invoice"}-receipt`, "pdf"), bytes }
      })

      const attachment = Effect.fn("PortalDocuments.attachment")(function* (found: Found, id: AttachmentId) {
        if (found.kind !== "invoice") return yield* unknown
        return yield* attachments.download(found.document.id, id).pipe(Effect.catchTag("NotFound", () => unknown))
      })

      return PortalDocuments.of({ find, view, file, xml, receipt, attachment })
    })
  ).pipe(
    Layer.provide([Invoices.layer, Attachments.layer, Quotes.layer, CreditNotes.layer, Correspondence.layer]),
    Layer.provide([InvoicePdf.layer, QuotePdf.layer, CreditNotePdf.layer, DocumentPrinter.layer]),
    Layer.provide([OpenDocuments.layer, Settlements.layer, Customers.layer])
  )
}

const withdrawn = Effect.fail(new PortalClosed({ reason: "withdrawn" }))
const unknown = Effect.fail(new PortalClosed({ reason: "unknown" }))

const nothing = {
  state: null,
  deadline: null,
  settlement: [],
  has_receipt: false,
  has_xml: false,
  payment: null,
  payable: null,
  clearance: null,
  quote: null,
  attachments: []
}

/**
 * True if the link of another document of the same customer also opens this document: an open invoice, or a quote that
 * is open, accepted or rejected.
 */
const isShown = (found: Found): boolean => {
  if (found.kind === "invoice") return isOpen(found.document)
  return found.kind === "quote" && ["sent", "accepted", "rejected"].includes(found.document.status)
}

const deadlineOf = (
  label: "due_date" | "valid_until",
  { language, region }: PdfDocument,
  { currency, day, today }: { readonly currency: CurrencyCode; readonly day: Day; readonly today: Day }
) => {
  const locale = `${language}-${region}`
  return {
    label,
    day: documentFormat(language, locale, currency).day(day),
    distance: distanceOf(day, today, locale)
  }
}
