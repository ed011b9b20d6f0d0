import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { now, today as todayIn } from "../../../kernel/Calendar.ts"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { zero } from "../../../kernel/Money.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../../../kernel/Refusal.ts"
import type { PdfRefused } from "../../../platform/documents/PdfErrors.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import { DocumentArchiver } from "../../archiving/DocumentArchiver.ts"
import { DocumentSends, type Sent } from "../../sending/DocumentSends.ts"
import type { Issued } from "../../sending/DocumentSendsRepo.ts"
import type { DeliveryFailed, NoRecipient, SendInProgress } from "../../sending/SendErrors.ts"
import { balanceOf, complete as completeInvoice, settled } from "../../invoices/Invoice.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { invoiceEvent } from "../../invoices/InvoiceAudit.ts"
import { InvoicesRepo } from "../../invoices/InvoicesRepo.ts"
import { complete, type CreditNoteFacts, default_type_code } from "../CreditNote.ts"
import type { SendCreditNote, SentCreditNote } from "../CreditNote.ts"
import { AlreadySent } from "../CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "../CreditNoteAudit.ts"
import { CreditNoteNumbers } from "./CreditNoteNumbers.ts"
import { CreditNotePdf } from "../CreditNotePdf.ts"
import type { CreditNotePrint } from "../CreditNotePdfDocument.ts"
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
  | PdfRefused

/**
 * Sends a credit note, which counts only once a recipient got the message. The message contains the number, so a short
 * transaction assigns the number first; after delivery, another transaction marks the note as sent and lowers the
 * balance of the invoice. If nobody got the message, the number returns to its series, or stays with the draft if a
 * later number is in use: the note is still a draft and the series has no gap. No lock or transaction is held while the
 * mail server responds.
 */
export class CreditNoteSender extends Context.Service<
  CreditNoteSender,
  {
    readonly send: (id: CreditNoteId, body: SendCreditNote) => Effect.Effect<SentCreditNote, Refused, Caller>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteSender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const archiving = yield* DocumentArchiver
      const creditNotes = yield* CreditNotes
      const creditNotePdf = yield* CreditNotePdf
      const invoices = yield* InvoicesRepo
      const auditLog = yield* AuditLog
      const numbering = yield* CreditNoteNumbers
      const recipients = yield* CreditNoteRecipients
      const sends = yield* DocumentSends
      const sealing = yield* SealedRecordsRepo

      const find = Effect.fnUntraced(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      const prepare = Effect.fn("CreditNoteSender.prepare")(function* (
        id: CreditNoteId,
        body: SendCreditNote,
        continues: boolean
      ) {
        const note = yield* find(id)
        const isSent = note.sent_at !== null
        // After a crash the client cannot know that the note was sent, so the first send after a crash is not refused.
        if (isSent && body.resend !== true && !continues) return yield* AlreadySent.of(note)
        const to = yield* recipients.of(note, body)
        if (isSent) return { recipients: to, issued: null }
        yield* creditNotes.requireTypeCode(note.credit_note_type_code ?? default_type_code, note.customer_id)
        const { issue_date, sequence, version } = yield* numbering.take(id)
        return { recipients: to, issued: { version, issue_date, sequence, non_chronological: false } }
      })

      const mailing = Effect.fnUntraced(function* (id: CreditNoteId, body: SendCreditNote, issued: Issued | null) {
        const note = asSent(yield* find(id), issued)
        const { currency, customer_id, number, total } = note
        const pdf = (body.attach_pdf ?? true) ? Option.some(yield* creditNotePdf.renderNumbered(note)) : Option.none()
        const kind = "credit_note" as const
        return { document: { kind, id, number: number ?? "", customer_id, total, currency, date: null }, pdf }
      })

      /** Lowers the balance of the invoice; any excess over the balance is owed to the customer. */
      const markSent = Effect.fn("CreditNoteSender.markSent")(function* (
        { id, invoice_id, issue_date }: CreditNoteFacts,
        printed: CreditNotePrint
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
        const order = yield* archiving.depositCreditNote(facts, printed)
        const note = complete(facts)
        const isPaid = invoice.status === "paid" && before.status !== "paid"
        const { shares, ...parties } = yield* sealing.noteParts(organization_id, id)
        const sha256 = sha256Hex(yield* creditNoteSeal(organization_id, { ...facts, shares }, parties))
        const events = [
          yield* creditNoteEvent("credit_note.sent", note, "draft"),
          ...(isPaid ? [yield* invoiceEvent("invoice.paid", invoice, before.status)] : [])
        ]
        const entry = yield* creditNoteEntry("credit_note.sent", note, events, { sha256, ...order })
        yield* repo.send(organization_id, facts, invoice, entry)
        return note
      })

      const finish = Effect.fn("CreditNoteSender.finish")(function* (
        id: CreditNoteId,
        { deliveries, issued, mailed }: Sent
      ) {
        const stored = yield* find(id)
        if (mailed === 0) return { ...complete(stored), deliveries }
        if (stored.sent_at === null) {
          const note = asSent(stored, issued)
          // The archive gets the same content as the message. The layout is done before any lock is taken.
          return { ...(yield* markSent(note, yield* creditNotePdf.layOut(note))), deliveries }
        }
        yield* auditLog.append(yield* creditNoteEntry("credit_note.resent", stored))
        return { ...complete(stored), deliveries }
      })

      const send = Effect.fn("CreditNoteSender.send")(function* (id: CreditNoteId, body: SendCreditNote) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        yield* creditNotes.get(id)
        return yield* sends.send({
          kind: "credit_note",
          id,
          body,
          prepare: (continues) => prepare(id, body, continues),
          mailing: (issued) => mailing(id, body, issued),
          finish: (sent) => finish(id, sent),
          answer: ({ deliveries }) => Effect.map(find(id), (note) => ({ ...complete(note), deliveries })),
          undo: () => numbering.giveBack(id)
        })
      })

      return CreditNoteSender.of({ send })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      DocumentArchiver.layer,
      CreditNotes.layer,
      CreditNotePdf.layer,
      CreditNoteNumbers.layer,
      CreditNoteRecipients.layer,
      DocumentSends.layer,
      SealedRecordsRepo.layer,
      InvoicesRepo.layer
    ])
  )
}

/** Returns the note as it is printed after sending, with the issue date on which the send began. */
const asSent = (note: CreditNoteFacts, issued: Issued | null): CreditNoteFacts => ({
  ...note,
  issue_date: issued?.issue_date ?? note.issue_date,
  credit_note_type_code: note.credit_note_type_code ?? default_type_code
})
