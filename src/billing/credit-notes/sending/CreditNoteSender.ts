import { Context, Effect, Layer, Option } from "effect"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { NotFound, orNotFound, type ValidationFailed } from "../../../kernel/Refusal.ts"
import type { PdfRefused, PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import { DocumentSends } from "../../sending/DocumentSends.ts"
import type { Sent } from "../../sending/Sendable.ts"
import type { Issued } from "../../sending/DocumentSendsRepo.ts"
import { withDeliveries } from "../../sending/Send.ts"
import { UnsettledSendsRepo } from "../../sending/UnsettledSendsRepo.ts"
import { DocumentRetries } from "../../sending/retries/DocumentRetries.ts"
import type { RetriedSend } from "../../sending/retries/MailRetriesRepo.ts"
import type { DeliveryFailed, NoRecipient, SendInProgress } from "../../sending/SendErrors.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { complete, default_type_code } from "../CreditNote.ts"
import type { CreditNoteFacts, SendCreditNote, SentCreditNote } from "../CreditNote.ts"
import { AlreadySent } from "../CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "../CreditNoteAudit.ts"
import { CreditNoteIssuer } from "./CreditNoteIssuer.ts"
import { CreditNoteNumbers } from "./CreditNoteNumbers.ts"
import { CreditNotePdf } from "./CreditNotePdf.ts"
import { CreditNoteRecipients } from "./CreditNoteRecipients.ts"
import { CreditNotes } from "../writing/CreditNotes.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"

type Refused =
  | NotFound
  | ValidationFailed
  | AlreadySent
  | SendInProgress
  | NumberTaken
  | BooksLocked
  | NoRecipient
  | DeliveryFailed
  | PdfRefused

/**
 * Sends a credit note. The message contains the number, so one transaction assigns the number first; after delivery,
 * another marks the note as sent and lowers the balance of the invoice. If nobody got the message, the note stays a
 * draft, and the number returns to its series, unless a later number is in use or an earlier message with the number may
 * arrive. No lock or transaction is held while the mail server responds.
 */
export class CreditNoteSender extends Context.Service<
  CreditNoteSender,
  {
    readonly send: (id: CreditNoteId, body: SendCreditNote) => Effect.Effect<SentCreditNote, Refused, Caller>
    /** Repeats the deferred messages of a send, or continues a send that a crash interrupted. */
    readonly retry: (
      id: CreditNoteId,
      send: RetriedSend
    ) => Effect.Effect<void, SendInProgress | PdfUnavailable, Caller>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteSender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const issuer = yield* CreditNoteIssuer
      const creditNotes = yield* CreditNotes
      const creditNotePdf = yield* CreditNotePdf
      const auditLog = yield* AuditLog
      const numbering = yield* CreditNoteNumbers
      const recipients = yield* CreditNoteRecipients
      const sends = yield* DocumentSends
      const unsettled = yield* UnsettledSendsRepo
      const retries = yield* DocumentRetries

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

      const mailing = Effect.fnUntraced(function* (
        id: CreditNoteId,
        body: Pick<SendCreditNote, "attach_pdf">,
        issued: Issued | null
      ) {
        const note = asSent(yield* find(id), issued)
        if (note.number === null) return yield* NotFound.of()
        // The books may have been locked since the note got its date: before a retry, or after a crash.
        if (note.sent_at === null) yield* requireOpenBooks(note.issue_date)
        const { currency, customer_id, number, total } = note
        const pdf = (body.attach_pdf ?? true) ? Option.some(yield* creditNotePdf.renderNumbered(note)) : Option.none()
        const kind = "credit_note" as const
        const document = { kind, id, number, customer_id, total, currency }
        return { document: { ...document, balance_due: null, settled: null, date: null }, pdf }
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
          return { ...(yield* issuer.markSent(note, yield* creditNotePdf.layOut(note))), deliveries }
        }
        yield* auditLog.append(yield* creditNoteEntry("credit_note.resent", stored))
        return { ...complete(stored), deliveries }
      })

      /**
       * The draft keeps its number while a message of an earlier send, which states the number, may reach a recipient.
       * The time does not matter, because neither the archive nor an authority gets a note before a message was
       * accepted.
       */
      const undo = Effect.fn("CreditNoteSender.undo")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, document: "credit_note" as const, document_id: id }
        const { may_arrive } = yield* unsettled.find(key)
        if (!may_arrive) return yield* numbering.giveBack(id)
        const { number } = yield* find(id)
        return Option.map(Option.fromNullOr(number), (number) => ({ number, status: "draft" }))
      })

      const sendable = (id: CreditNoteId, body: Pick<SendCreditNote, "attach_pdf">) => ({
        kind: "credit_note" as const,
        id,
        mailing: (issued: Issued | null) => mailing(id, body, issued),
        hold: () => numbering.hold(id),
        undo: () => undo(id)
      })

      const send = Effect.fn("CreditNoteSender.send")(function* (id: CreditNoteId, body: SendCreditNote) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        yield* creditNotes.get(id)
        return yield* sends.send({
          ...sendable(id, body),
          body,
          prepare: (continues) => prepare(id, body, continues),
          finish: (sent) => finish(id, sent),
          answer: ({ deliveries }) => Effect.map(find(id), (note) => ({ ...complete(note), deliveries }))
        })
      })

      const refuse = Effect.fn("CreditNoteSender.refuse")(function* (
        id: CreditNoteId,
        deliveries: SentCreditNote["deliveries"]
      ) {
        const note = complete(yield* find(id))
        const event = withDeliveries(yield* creditNoteEvent("credit_note.mail_refused", note), deliveries)
        const recipients = deliveries.length
        yield* auditLog.append(yield* creditNoteEntry("credit_note.mail_refused", note, [event], { recipients }))
      })

      const retry = Effect.fn("CreditNoteSender.retry")((id: CreditNoteId, send: RetriedSend) => {
        const { issued } = send
        return retries.retry(
          {
            ...sendable(id, send),
            // A repeat of deferred messages concludes without `issued`, but these messages state the day of their send.
            finish: (sent) => finish(id, { ...sent, issued }),
            refuse: (deliveries) => refuse(id, deliveries)
          },
          send
        )
      })

      return CreditNoteSender.of({ send, retry })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      CreditNoteIssuer.layer,
      CreditNotes.layer,
      CreditNotePdf.layer,
      CreditNoteNumbers.layer,
      CreditNoteRecipients.layer,
      DocumentSends.layer,
      UnsettledSendsRepo.layer,
      DocumentRetries.layer
    ])
  )
}

/** A draft is dated by the send in progress. A sent note keeps its date, even if an earlier send is repeated. */
const asSent = (note: CreditNoteFacts, issued: Issued | null): CreditNoteFacts => ({
  ...note,
  issue_date: note.sent_at === null ? (issued?.issue_date ?? note.issue_date) : note.issue_date,
  credit_note_type_code: note.credit_note_type_code ?? default_type_code
})
