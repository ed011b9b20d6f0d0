import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { now, today as todayIn } from "../../../kernel/Calendar.ts"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { zero } from "../../../kernel/Money.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../../../kernel/Refusal.ts"
import type { PdfUnavailable } from "../../../platform/documents/PdfUnavailable.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import { Journal } from "../../../platform/events/Journal.ts"
import { Archiving } from "../../archiving/Archiving.ts"
import { DocumentMail } from "../../sending/DocumentMail.ts"
import { DocumentSendings } from "../../sending/DocumentSendings.ts"
import { isDelivered } from "../../sending/Send.ts"
import { DeliveryFailed, type NoRecipient, type SendInProgress } from "../../sending/SendErrors.ts"
import { balanceOf, complete as completeInvoice, settled } from "../../invoices/Invoice.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { invoiceEvent } from "../../invoices/InvoiceJournal.ts"
import { InvoicesRepo } from "../../invoices/InvoicesRepo.ts"
import { complete, type CreditNoteFacts, default_type_code } from "../CreditNote.ts"
import type { SendCreditNote, SentCreditNote } from "../CreditNote.ts"
import { AlreadySent } from "../CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "../CreditNoteJournal.ts"
import { CreditNoteNumbering, type NumberedNote } from "./CreditNoteNumbering.ts"
import { CreditNotePdf } from "../CreditNotePdf.ts"
import type { CreditNotePdfDocument } from "../CreditNotePdfDocument.ts"
import { creditNoteSeal } from "../../sealing/CreditNoteSeal.ts"
import { SealedRecordsRepo } from "../../sealing/SealedRecordsRepo.ts"
import { CreditNoteRecipients } from "./CreditNoteRecipients.ts"
import { CreditNotes } from "../CreditNotes.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"

type Refused =
  | NotFound
  | ValidationFailed
  | AlreadySent
  | SendInProgress
  | NumberTaken
  | NoRecipient
  | DeliveryFailed
  | PdfUnavailable

/**
 * The moment a credit note counts. The message names its number, so a short transaction takes the number first; only
 * when somebody got the message does another one mark the note as sent and lower what the invoice is owed. When nobody
 * did, the number goes back, or stays with the draft for its next sending if a later one is in use: either way the
 * note is still a draft and the series has no gap. No lock and no transaction is held while a mail server thinks.
 */
export class CreditNoteSending extends Context.Service<
  CreditNoteSending,
  {
    readonly send: (id: CreditNoteId, body: SendCreditNote) => Effect.Effect<SentCreditNote, Refused, Caller>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteSending") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const archiving = yield* Archiving
      const creditNotes = yield* CreditNotes
      const creditNotePdf = yield* CreditNotePdf
      const invoices = yield* InvoicesRepo
      const journal = yield* Journal
      const mail = yield* DocumentMail
      const numbering = yield* CreditNoteNumbering
      const recipients = yield* CreditNoteRecipients
      const sealing = yield* SealedRecordsRepo
      const sendings = yield* DocumentSendings
      const { transaction } = yield* Database

      const deliver = Effect.fnUntraced(function* (
        note: NumberedNote,
        body: SendCreditNote,
        to: ReadonlyArray<string>
      ) {
        const { currency, customer_id, id, number, total } = note
        const pdf = (body.attach_pdf ?? true) ? Option.some(yield* creditNotePdf.renderNumbered(note)) : Option.none()
        const document = { kind: "credit_note" as const, id, number, customer_id, total, currency, date: null }
        return yield* mail.deliver({ document, recipients: to, message: body.message, pdf })
      })

      /** Lowers the balance first; what it cannot take up is owed to the customer. */
      const markSent = Effect.fn("CreditNoteSending.markSent")(function* (
        { id, invoice_id, issue_date }: CreditNoteFacts,
        printed: CreditNotePdfDocument
      ) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const today = yield* todayIn(timezone)
        const found = yield* orNotFound(invoices.lock({ organization_id, id: invoice_id }))
        const draft = yield* orNotFound(repo.lock({ organization_id, id }))
        const at = yield* now
        const before = completeInvoice(found, today)
        const amount_credited = BigDecimal.sum(before.amount_credited, draft.total)
        const invoice = completeInvoice(settled({ ...found, amount_credited }, at), today)
        const facts = {
          ...draft,
          issue_date,
          credit_note_type_code: draft.credit_note_type_code ?? default_type_code,
          refundable_amount: BigDecimal.max(zero, BigDecimal.subtract(draft.total, balanceOf(before))),
          sent_at: at,
          updated_at: at,
          version: draft.version + 1
        }
        yield* archiving.depositCreditNote(facts, printed)
        const note = complete(facts)
        const isPaid = invoice.status === "paid" && before.status !== "paid"
        const { shares, ...parties } = yield* sealing.noteParts(organization_id, id)
        const sha256 = sha256Hex(yield* creditNoteSeal(organization_id, { ...facts, shares }, parties))
        const events = [
          yield* creditNoteEvent("credit_note.sent", note, "draft"),
          ...(isPaid ? [yield* invoiceEvent("invoice.paid", invoice, before.status)] : [])
        ]
        const entry = yield* creditNoteEntry("credit_note.sent", note, events, { sha256 })
        yield* repo.send(organization_id, facts, invoice, entry)
        return note
      }, transaction)

      const sendDraft = Effect.fnUntraced(function* (
        draft: CreditNoteFacts,
        body: SendCreditNote,
        to: ReadonlyArray<string>
      ) {
        const { id } = draft
        const code = draft.credit_note_type_code ?? default_type_code
        yield* creditNotes.requireTypeCode(code, draft.customer_id)
        const numbered = { ...(yield* numbering.take(id)), credit_note_type_code: code }
        const deliveries = yield* deliver(numbered, body, to).pipe(Effect.tapError(() => numbering.giveBack(id)))
        if (!deliveries.some(isDelivered)) {
          const kept = yield* numbering.giveBack(id)
          return yield* DeliveryFailed.of("credit note", deliveries, kept)
        }
        // What is archived is what was just sent, and is laid out before anything is locked.
        return { ...(yield* markSent(numbered, yield* creditNotePdf.layOut(numbered))), deliveries }
      })

      const resend = Effect.fnUntraced(function* (note: NumberedNote, body: SendCreditNote, to: ReadonlyArray<string>) {
        const deliveries = yield* deliver(note, body, to)
        if (!deliveries.some(isDelivered)) return yield* DeliveryFailed.of("credit note", deliveries)
        yield* journal.append(yield* creditNoteEntry("credit_note.resent", note))
        return { ...complete(note), deliveries }
      })

      const sendNow = Effect.fnUntraced(function* (id: CreditNoteId, body: SendCreditNote) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* orNotFound(repo.find({ organization_id, id }))
        if (note.sent_at !== null && body.resend !== true) return yield* AlreadySent.of(note)
        const to = yield* recipients.of(note, body)
        if (note.sent_at === null || note.number === null) return yield* sendDraft(note, body, to)
        return yield* resend({ ...note, number: note.number }, body, to)
      })

      const send = Effect.fn("CreditNoteSending.send")(function* (id: CreditNoteId, body: SendCreditNote) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        yield* creditNotes.get(id)
        return yield* sendings.exclusively({ kind: "credit_note", id })(sendNow(id, body))
      })

      return CreditNoteSending.of({ send })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      Archiving.layer,
      CreditNotes.layer,
      CreditNotePdf.layer,
      CreditNoteNumbering.layer,
      CreditNoteRecipients.layer,
      DocumentMail.layer,
      DocumentSendings.layer,
      SealedRecordsRepo.layer,
      InvoicesRepo.layer
    ])
  )
}
