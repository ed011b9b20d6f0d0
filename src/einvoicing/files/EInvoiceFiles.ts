import { Context, Effect, Layer, Option } from "effect"
import { CreditNotePdf } from "../../billing/credit-notes/sending/CreditNotePdf.ts"
import { creditNoteTemplate } from "../../billing/printing/documents/CreditNotePdfDocument.ts"
import { CreditNotes } from "../../billing/credit-notes/writing/CreditNotes.ts"
import { InvoicePdf } from "../../billing/invoices/sending/InvoicePdf.ts"
import { Attachments } from "../../billing/invoices/attachments/Attachments.ts"
import { invoiceTemplate } from "../../billing/printing/documents/InvoicePdfDocument.ts"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import { DocumentPrinter } from "../../billing/printing/DocumentPrinter.ts"
import { Correspondence, type DocumentFile } from "../../billing/correspondence/Correspondence.ts"
import { fileNameOf } from "../../kernel/NumberFormat.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { CreditNoteId, CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ciiDocument } from "../cii/CiiDocument.ts"
import { InvalidDocument } from "../documents/SubmissionErrors.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { einvoiceOf } from "../sources/FromDocument.ts"
import { en16931, frenchBilling, peppolBilling, type Profile } from "../invoice/Profiles.ts"
import { creditNoteSource, invoiceSource } from "../sources/Sources.ts"
import { findingsIn } from "../rules/Rules.ts"
import { ublDocument } from "../ubl/UblDocument.ts"
import { ElectronicAddresses, isFrenchExchange } from "./ElectronicAddresses.ts"

type Named =
  | { readonly kind: "invoice"; readonly id: InvoiceId }
  | { readonly kind: "credit_note"; readonly id: CreditNoteId }

type Unwritable = NotFound | InvalidDocument | StorageUnavailable

/** Writes issued documents as files for other programs: UBL, CII, and a PDF with embedded CII. */
export class EInvoiceFiles extends Context.Service<
  EInvoiceFiles,
  {
    /**
     * Writes UBL by the French rules if the French directory routes to both parties, by Peppol's rules if both have a
     * Peppol address, else by EN 16931 alone.
     */
    readonly ubl: (document: Named) => Effect.Effect<DocumentFile, Unwritable, CurrentOrganization>
    /** Writes CII by the French rules if the French directory routes to both parties, else by EN 16931 alone. */
    readonly cii: (document: Named) => Effect.Effect<DocumentFile, Unwritable, CurrentOrganization>
    /** Writes a PDF as Factur-X 1.0 and ZUGFeRD 2 define it, in the profile EN 16931. */
    readonly facturx: (document: Named) => Effect.Effect<DocumentFile, Unwritable | PdfRefused, CurrentOrganization>
  }
>()("invoicing/einvoicing/files/EInvoiceFiles") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const attachments = yield* Attachments
      const notes = yield* CreditNotes
      const correspondence = yield* Correspondence
      const addresses = yield* ElectronicAddresses
      const invoicePdf = yield* InvoicePdf
      const creditNotePdf = yield* CreditNotePdf
      const { print } = yield* DocumentPrinter

      const sourceOf = Effect.fnUntraced(function* ({ id, kind }: Named, holdsFiles: boolean) {
        if (kind === "invoice") {
          const invoice = yield* invoices.get(id)
          const draft = invoice.issued_at === null
          const parties = yield* correspondence.on("invoice", invoice, draft)
          const files = holdsFiles ? yield* attachments.embedded(invoice) : []
          // The number of a draft is only reserved, so the e-invoice may not state it.
          const numbered = draft ? { ...invoice, number: null } : invoice
          const sheet = invoicePdf.sheet(invoice)
          return { source: invoiceSource(numbered, { files }), parties, of: invoice, sheet }
        }
        const note = yield* notes.get(id)
        const parties = yield* correspondence.on("credit_note", note, note.sent_at === null)
        return {
          source: creditNoteSource(note, yield* todayHere),
          parties,
          of: note,
          sheet: creditNotePdf.sheet(id)
        }
      })

      const drawUp = Effect.fnUntraced(function* (
        named: Named,
        profileFor: (isOnPeppol: boolean) => Profile,
        holdsFiles = true
      ) {
        yield* Effect.annotateCurrentSpan({ [`${named.kind}.id`]: named.id })
        const { currency } = yield* CurrentOrganization
        const { of, parties, sheet, source } = yield* sourceOf(named, holdsFiles)
        const exchange = yield* addresses.between(of.customer_id)
        const isOnPeppol = exchange.sender !== null && exchange.recipient !== null
        const profile = isFrenchExchange(exchange) ? frenchBilling : profileFor(isOnPeppol)
        const drawn = einvoiceOf(source, parties, { profile, ...exchange }, currency)
        return { einvoice: yield* valid(drawn, of.customer_id), sheet }
      })

      const ubl = Effect.fn("EInvoiceFiles.ubl")(function* (named: Named) {
        const { einvoice } = yield* drawUp(named, (isOnPeppol) => (isOnPeppol ? peppolBilling : en16931))
        return fileOf(einvoice, "ubl.xml", ublDocument(einvoice))
      })

      const cii = Effect.fn("EInvoiceFiles.cii")(function* (named: Named) {
        const { einvoice } = yield* drawUp(named, () => en16931)
        return fileOf(einvoice, "cii.xml", ciiDocument(einvoice))
      })

      const facturx = Effect.fn("EInvoiceFiles.facturx")(function* (named: Named) {
        const { einvoice, sheet } = yield* drawUp(named, () => en16931, false)
        const template = named.kind === "invoice" ? invoiceTemplate : creditNoteTemplate
        const xml = Option.some(ciiDocument(einvoice))
        const { id: organization_id } = yield* CurrentOrganization
        const bytes = yield* print(template, yield* sheet, xml, organization_id)
        return { name: fileNameOf(einvoice.number, "pdf"), bytes }
      })

      return EInvoiceFiles.of({ ubl, cii, facturx })
    })
  ).pipe(
    Layer.provide([
      Invoices.layer,
      Attachments.layer,
      CreditNotes.layer,
      Correspondence.layer,
      ElectronicAddresses.layer,
      InvoicePdf.layer,
      DocumentPrinter.layer,
      CreditNotePdf.layer
    ])
  )
}

const fileOf = ({ number }: EInvoice, ending: string, text: string): DocumentFile => ({
  name: fileNameOf(number, ending),
  bytes: new TextEncoder().encode(text)
})

const valid = (einvoice: EInvoice, customer_id: CustomerId): Effect.Effect<EInvoice, InvalidDocument> => {
  const findings = findingsIn(einvoice, customer_id)
  const errors = findings.filter(({ severity }) => severity === "error")
  const warnings = findings.filter(({ severity }) => severity === "warning")
  return errors.length === 0 ? Effect.succeed(einvoice) : Effect.fail(InvalidDocument.of({ errors, warnings }))
}
