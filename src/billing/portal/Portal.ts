import { Context, Data, Effect, Layer, Option, Schema, type Scope } from "effect"
import { type AttachmentId, CreditNoteId, type OrganizationId, InvoiceId, QuoteId, TokenId } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Organization } from "../../organizations/Organization.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { CreditNotePdf } from "../credit-notes/CreditNotePdf.ts"
import type { CreditNotePdfDocument } from "../credit-notes/CreditNotePdfDocument.ts"
import { Correspondence, type DocumentFile } from "../delivery/Correspondence.ts"
import type { PdfDocument } from "../delivery/DocumentPdf.ts"
import { invoicePdf, type InvoicePdfDocument } from "../invoices/InvoicePdfDocument.ts"
import { quotePdf } from "../quotes/QuotePdfDocument.ts"
import type { Attachment } from "../invoices/attachments/Attachment.ts"
import { Attachments, type Download, attachments_per_invoice_max } from "../invoices/attachments/Attachments.ts"
import { InvoicePdf } from "../invoices/InvoicePdf.ts"
import { Invoices } from "../invoices/Invoices.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { Quote } from "../quotes/Quote.ts"
import { QuoteDecisions } from "../quotes/QuoteDecisions.ts"
import { QuotePdf } from "../quotes/QuotePdf.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { type Link, PortalRepo } from "./PortalRepo.ts"

/** The link opens nothing: it never did, is too old, was taken back, or its document is not there any more. */
export class PortalClosed extends Data.TaggedError("PortalClosed")<{
  readonly reason: "unknown" | "expired" | "revoked" | "withdrawn"
}> {}

/** The document changed since the page was shown, or was answered already: it has to be looked at again. */
class AnswerRefused extends Data.TaggedError("AnswerRefused") {}

/** What the page of a document shows. */
export interface PortalDocument {
  readonly sheet: PdfDocument
  readonly payment: InvoicePdfDocument["payment"]
  readonly clearance: CreditNotePdfDocument["clearance"]
  /** What can be answered, or has been; null for documents that ask nothing. */
  readonly quote: Pick<Quote, "status" | "version"> | null
  /** Only invoices have any. */
  readonly attachments: ReadonlyArray<Attachment>
}

interface Opened extends Link {
  readonly organization: Organization
}

interface Answer {
  readonly accepted: boolean
  /** Of the quote that was shown: nobody agrees to what they have not seen. */
  readonly version: number
  /** Why not. */
  readonly reason: string | null
}

const token_pattern = /^doc_[A-Za-z0-9_-]{43}$/

/** What whoever holds the link of a message can do with its one document. Contract section 19. */
export class Portal extends Context.Service<
  Portal,
  {
    readonly view: (token: string) => Effect.Effect<PortalDocument, PortalClosed>
    readonly file: (token: string) => Effect.Effect<DocumentFile, PortalClosed | PdfUnavailable>
    /** A file attached to the invoice of the link. Any other id is as unknown as a link that never was. */
    readonly attachment: (
      token: string,
      id: AttachmentId
    ) => Effect.Effect<Download, PortalClosed | StorageUnavailable, Scope.Scope>
    /** Accepts or rejects the quote in the customer's name. */
    readonly answer: (token: string, answer: Answer) => Effect.Effect<void, PortalClosed | AnswerRefused>
    /** Takes back every link to a document; answers how many there were. `actor` is who did it. */
    readonly revoke: (
      organization_id: OrganizationId,
      document: DocumentKind,
      document_id: number,
      actor: string
    ) => Effect.Effect<number>
  }
>()("invoicing/billing/portal/Portal") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* PortalRepo
      const journal = yield* Journal
      const correspondence = yield* Correspondence
      const organizations = yield* Organizations
      const invoices = yield* Invoices
      const attached = yield* Attachments
      const invoicePdfs = yield* InvoicePdf
      const creditNotePdfs = yield* CreditNotePdf
      const quotes = yield* Quotes
      const quotePdfs = yield* QuotePdf
      const decisions = yield* QuoteDecisions
      const { transaction } = yield* Database

      const open = Effect.fnUntraced(function* (token: string) {
        const found = token_pattern.test(token) ? yield* repo.find(hashToken(token)) : Option.none()
        if (Option.isNone(found)) return yield* new PortalClosed({ reason: "unknown" })
        if (found.value.revoked) return yield* new PortalClosed({ reason: "revoked" })
        if (found.value.expired) return yield* new PortalClosed({ reason: "expired" })
        const organization = yield* organizations.get(found.value.organization_id).pipe(Effect.orDie)
        return { ...found.value, organization }
      })

      const issuedInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        const invoice = yield* invoices.get(id)
        if (invoice.number === null) return yield* withdrawn
        return invoice
      })

      const viewInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        const invoice = yield* issuedInvoice(id)
        const { rows: attachments } = yield* attached.list(id, { per_page: attachments_per_invoice_max })
        const printed = { ...invoice, draft_reference: "" }
        const sheet = invoicePdf({ invoice: printed, ...(yield* correspondence.on("invoice", invoice, false)) })
        return { sheet, payment: sheet.payment, clearance: null, quote: null, attachments }
      })

      const viewQuote = Effect.fnUntraced(function* (id: QuoteId) {
        const quote = yield* quotes.get(id)
        // Being rewritten after a rejection: shown again once it is sent again.
        if (quote.number === null || quote.status === "draft") return yield* withdrawn
        const printed = { ...quote, draft_reference: "" }
        const sheet = quotePdf({ quote: printed, ...(yield* correspondence.on("quote", quote, false)) })
        return { sheet, payment: null, clearance: null, quote, attachments: [] }
      })

      const viewCreditNote = Effect.fnUntraced(function* (id: CreditNoteId) {
        const sheet = yield* creditNotePdfs.sheet(id)
        if (sheet.draft !== null) return yield* withdrawn
        return { sheet, payment: null, clearance: sheet.clearance, quote: null, attachments: [] }
      })

      const viewOf = ({
        document,
        document_id
      }: Link): Effect.Effect<PortalDocument, NotFound | PortalClosed, CurrentOrganization> => {
        switch (document) {
          case "invoice":
            return viewInvoice(InvoiceId.make(document_id))
          case "quote":
            return viewQuote(QuoteId.make(document_id))
          case "credit_note":
            return viewCreditNote(CreditNoteId.make(document_id))
        }
      }

      const fileOf = ({ document, document_id }: Link) => {
        switch (document) {
          case "invoice":
            return invoicePdfs.render(InvoiceId.make(document_id))
          case "quote":
            return quotePdfs.render(QuoteId.make(document_id))
          case "credit_note":
            return creditNotePdfs.render(CreditNoteId.make(document_id))
        }
      }

      const view = Effect.fn("Portal.view")(function* (token: string) {
        const link = yield* open(token)
        return yield* viewOf(link).pipe(through(link))
      })

      const file = Effect.fn("Portal.file")(function* (token: string) {
        const link = yield* open(token)
        yield* viewOf(link).pipe(through(link))
        return yield* fileOf(link).pipe(through(link))
      })

      const attachment = Effect.fn("Portal.attachment")(function* (token: string, id: AttachmentId) {
        const link = yield* open(token)
        if (link.document !== "invoice") return yield* new PortalClosed({ reason: "unknown" })
        const invoice_id = InvoiceId.make(link.document_id)
        yield* issuedInvoice(invoice_id).pipe(through(link))
        return yield* attached.download(invoice_id, id).pipe(
          onBehalf(link),
          Effect.catchTag("NotFound", () => Effect.fail(new PortalClosed({ reason: "unknown" })))
        )
      })

      const answer = Effect.fn("Portal.answer")(function* (token: string, { accepted, reason, version }: Answer) {
        const link = yield* open(token)
        const { quote } = yield* viewOf(link).pipe(through(link))
        const open_for_answers =
          quote?.status === "sent" && quote.version === version && link.organization.archived_at === null
        if (!open_for_answers) return yield* new AnswerRefused()
        const id = QuoteId.make(link.document_id)
        yield* Effect.gen(function* () {
          if (accepted) yield* decisions.accept(id, {})
          else yield* decisions.reject(id, { rejection_reason: reason })
        }).pipe(
          onBehalf(link),
          Effect.catchTags({
            QuoteDecided: () => Effect.fail(new AnswerRefused()),
            CustomerDeleted: () => Effect.fail(new AnswerRefused()),
            NumberTaken: () => Effect.fail(new AnswerRefused()),
            NotFound: () => withdrawn
          })
        )
      })

      const revoke = Effect.fn("Portal.revoke")(function* (
        organization_id: OrganizationId,
        document: DocumentKind,
        document_id: number,
        actor: string
      ) {
        const revoked = yield* repo.revoke({ organization_id, document, document_id })
        const data = { document, document_id, links: revoked.length }
        yield* journal.append({ organization_id, actor, action: "document.links_revoked", data })
        return revoked.length
      }, transaction)

      return Portal.of({ view, file, attachment, answer, revoke })
    })
  ).pipe(
    Layer.provide([
      PortalRepo.layer,
      Correspondence.layer,
      Organizations.layer,
      Invoices.layer,
      Attachments.layer,
      InvoicePdf.layer,
      CreditNotePdf.layer,
      Quotes.layer,
      QuotePdf.layer,
      QuoteDecisions.layer
    ])
  )
}

const withdrawn = Effect.fail(new PortalClosed({ reason: "withdrawn" }))

/** What the link's document allows; a document that is not there was withdrawn. */
const through =
  (link: Opened) =>
  <A, E, R>(effect: Effect.Effect<A, E | NotFound, R>) =>
    effect.pipe(
      onBehalf(link),
      Effect.catchIf(isNotFound, () => withdrawn)
    )

const isNotFound = Schema.is(NotFound)

/** Acts as the link, which is nobody's token and has no scope; it appears in the audit chain as `link:7`. */
const onBehalf =
  ({ id, organization }: Opened) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, {
        ...organization,
        // It has a document.
        currency_in_use: true,
        archived: organization.archived_at !== null,
        role: null
      }),
      Effect.provideService(CurrentPrincipal, {
        token_id: TokenId.make(id),
        kind: "organization",
        user_id: null,
        client_id: null,
        scopes: new Set<string>(),
        bound_organization_id: organization.id,
        actor: `link:${id}`
      })
    )
