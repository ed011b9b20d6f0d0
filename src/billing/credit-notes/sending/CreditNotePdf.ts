import { Context, Effect, Layer, Option } from "effect"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { fileNameOf } from "../../../kernel/NumberFormat.ts"
import { type NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import type { PdfRefused } from "../../../platform/documents/pdf/PdfErrors.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { clearanceModelOf, ClearanceStamps } from "../../printing/ClearanceStamps.ts"
import { Correspondence, type DocumentFile } from "../../correspondence/Correspondence.ts"
import type { Correspondents } from "../../correspondence/Correspondents.ts"
import { DocumentPrinter } from "../../printing/DocumentPrinter.ts"
import { EmbeddedInvoice } from "../../printing/EmbeddedInvoice.ts"
import { complete, type CreditNoteFacts } from "../CreditNote.ts"
import {
  creditNotePdf,
  type CreditNotePdfDocument,
  type CreditNotePrint,
  creditNoteTemplate
} from "../../printing/documents/CreditNotePdfDocument.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"

/** Renders a credit note as PDF/A-3, with any e-invoice embedded. The same note always gives the same bytes. */
export class CreditNotePdf extends Context.Service<
  CreditNotePdf,
  {
    readonly render: (id: CreditNoteId) => Effect.Effect<DocumentFile, NotFound | PdfRefused, CurrentOrganization>
    readonly sheet: (id: CreditNoteId) => Effect.Effect<CreditNotePdfDocument, NotFound, CurrentOrganization>
    /** Returns the content of a note about to be sent, for the archive. */
    readonly layOut: (note: CreditNoteFacts) => Effect.Effect<CreditNotePrint, never, CurrentOrganization>
    /** Renders a note with the number that it already has for a send in progress. */
    readonly renderNumbered: (note: CreditNoteFacts) => Effect.Effect<DocumentFile, PdfRefused, CurrentOrganization>
  }
>()("invoicing/billing/credit-notes/sending/CreditNotePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const correspondence = yield* Correspondence
      const stamps = yield* ClearanceStamps
      const embedded = yield* EmbeddedInvoice
      const { print } = yield* DocumentPrinter

      const partiesOf = (note: CreditNoteFacts) => correspondence.on("credit_note", note, note.number === null)

      const sheetOf = Effect.fnUntraced(function* (note: CreditNoteFacts, parties: Correspondents) {
        const organization = yield* CurrentOrganization
        const model = Option.getOrNull(clearanceModelOf(organization.country))
        const record = Option.getOrNull(yield* stamps.find({ kind: "credit_note", id: note.id }))
        const verifiable = { ...note, kind: "credit_note", issued_at: note.sent_at } as const
        return creditNotePdf({
          note: { ...note, draft_reference: referenceOf(note) },
          clearance: model === null ? null : { model, stamp: record?.stamp ?? null },
          sandbox: record?.sandbox === true,
          tax_qr: Option.getOrNull(yield* stamps.qr(verifiable, parties)),
          ...parties
        })
      })

      const layOut = Effect.fnUntraced(function* (note: CreditNoteFacts) {
        const parties = yield* partiesOf(note)
        // A note that is being sent is still a draft in responses, so its number and date are added here.
        const document = { ...complete(note), number: note.number, issue_date: note.issue_date }
        const xml = yield* embedded.xml({ kind: "credit_note", document, parties })
        return { ...(yield* sheetOf(note, parties)), xml: Option.getOrNull(xml) }
      })

      const renderNumbered = Effect.fnUntraced(function* (note: CreditNoteFacts) {
        const { id: organization_id } = yield* CurrentOrganization
        const { xml, ...sheet } = yield* layOut(note)
        const bytes = yield* print(creditNoteTemplate, sheet, Option.fromNullOr(xml), organization_id)
        return { name: fileNameOf(note.number ?? referenceOf(note), "pdf"), bytes }
      })

      const find = Effect.fnUntraced(function* (id: CreditNoteId) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* orNotFound(repo.find({ organization_id, id }))
        return note.sent_at === null ? { ...note, number: null, issue_date: null } : note
      })

      const render = Effect.fn("CreditNotePdf.render")((id: CreditNoteId) => Effect.flatMap(find(id), renderNumbered))
      const sheet = Effect.fn("CreditNotePdf.sheet")((id: CreditNoteId) =>
        Effect.gen(function* () {
          const note = yield* find(id)
          return yield* sheetOf(note, yield* partiesOf(note))
        })
      )

      return CreditNotePdf.of({ render, sheet, layOut, renderNumbered })
    })
  ).pipe(Layer.provide([CreditNotesRepo.layer, Correspondence.layer, DocumentPrinter.layer]))
}

const referenceOf = ({ id }: CreditNoteFacts) => `DRAFT-${id}`
