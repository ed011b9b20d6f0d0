import { Clock, Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import type { PdfRefused } from "../../platform/documents/pdf/PdfErrors.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { messageIdHost } from "../../platform/mail/Mailbox.ts"
import { MailUnavailable, MailUnconfirmed } from "../../platform/mail/Mailer.ts"
import { Database } from "../../platform/sql/Database.ts"
import { DocumentMail } from "./DocumentMail.ts"
import { DocumentSendLocks, type SendLease } from "./DocumentSendLocks.ts"
import { sending_seconds } from "./SendLeasesRepo.ts"
import {
  type DocumentMailRow,
  type DocumentSend,
  DocumentSendsRepo,
  type NewMail,
  sending_time_max
} from "./DocumentSendsRepo.ts"
import type { SendBody } from "./Send.ts"
import { type Prepared, type Refuse, type Sendable, sentOf } from "./Sendable.ts"
import { DeliveryFailed, SendInProgress } from "./SendErrors.ts"

type Concluding<Answer, Gone, R> = Pick<Sendable<Answer, unknown, Gone, R>, "finish" | "hold" | "undo">
type Interrupted = Pick<DocumentSend, "organization_id" | "id" | "issued" | "created_at">

/** True if the recipient got the message, may have got it, or may still get it. */
const mayArrive = ({ state }: DocumentMailRow) => state === "accepted" || state === "unknown" || state === "deferred"

/**
 * Sends documents by email. Each operation sends each message once, even if processes crash. The steps of a send
 * (rules/invoices.md, Sending) are:
 *
 * 1. `DocumentSendLocks` grants a lease, so that one send of a document runs at a time, across all processes.
 * 2. A short transaction checks whether the document may be sent, and issues it, because the message states its number.
 *    It also records the send with a pending message to each recipient. From then on, the Message-IDs are fixed.
 * 3. `DocumentMail.deliver` runs outside every transaction. It commits that a message is being sent before the
 *    mail server gets the message, and commits the server's answer afterwards.
 * 4. A short transaction concludes the send:
 *    - If a message was accepted, the document is marked as sent.
 *    - If none was accepted, but one is deferred or its result is unknown, the document keeps its number and is not marked
 *      as sent. `DocumentRetries` repeats deferred messages.
 *    - If all were refused, the document becomes a draft again and returns its number, with four exceptions. If a later
 *      number of its series is in use, an invoice stays issued, and a quote or a credit note becomes a draft that keeps
 *      its number, so that the series has no gap. If `sending_time_max` has passed, an invoice or a quote stays issued.
 *      If the books of its date were locked meanwhile, an invoice stays issued. If a message of an earlier send may
 *      arrive, a credit note becomes a draft that keeps its number.
 *
 * A repeat of the operation continues after a crash: a message that was being sent gets the state `unknown` and is not
 * sent again. If nobody repeats the operation, `DocumentRetries` continues it within two minutes. The next operation
 * concludes a send that is still unfinished, and repeats messages of an interrupted send in the states `accepted` and
 * `unknown` only with `resend`.
 */
export class DocumentSends extends Context.Service<
  DocumentSends,
  {
    readonly send: <Answer, Refused, Gone, R>(
      document: Sendable<Answer, Refused, Gone, R>
    ) => Effect.Effect<Answer, Refused | Gone | PdfRefused | DeliveryFailed | SendInProgress, R | CurrentOrganization>
    /**
     * Concludes a send after a crash, as the interrupted operation would have done. No answer tells which messages were
     * refused, so they are passed to `refuse`. The caller has the lease.
     */
    readonly concludeLater: <Answer, Gone, R>(
      document: Concluding<Answer, Gone, R> & { readonly refuse: Refuse<Gone, R> },
      send: Interrupted,
      lease: SendLease
    ) => Effect.Effect<void, Gone | SendInProgress, R | CurrentOrganization>
  }
>()("invoicing/billing/sending/DocumentSends") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const leases = yield* DocumentSendLocks
      const mail = yield* DocumentMail
      const repo = yield* DocumentSendsRepo
      const config = yield* AppConfig
      const { transaction } = yield* Database
      const { underLatestLock } = yield* AuditLog
      const host = messageIdHost(config)

      const messageId = (lease: SendLease, operation: string, recipient: string) => {
        const { document, document_id, organization_id } = lease
        const key = JSON.stringify([organization_id, document, document_id, operation, recipient])
        return `${document}-${Buffer.from(hashToken(key)).toString("hex").slice(0, 32)}@${host}`
      }

      /** A message that an earlier send may have delivered is not sent again, unless `resend` is true. */
      const planned = Effect.fnUntraced(function* (
        lease: SendLease,
        body: SendBody,
        operation: string,
        { issued, recipients }: Prepared,
        dead: DocumentSend | undefined
      ) {
        // A quote that is issued again was rejected and then changed, so the earlier messages had another offer.
        const isNewOffer = lease.document === "quote" && issued !== null
        const last = new Map((isNewOffer ? [] : yield* repo.lastMails(lease)).map((row) => [row.recipient, row]))
        return recipients.map((recipient): NewMail => {
          const before = last.get(recipient.toLowerCase())
          const isUnknown = before?.state === "unknown"
          const isDone = isUnknown || (before?.state === "accepted" && before.send_id === dead?.id)
          if (before !== undefined && isDone && body.resend !== true) {
            const { code, error, message_id, state } = before
            return { recipient, message_id, state, code, error, inherited: true }
          }
          // A repeated message keeps its Message-ID, so that mail clients show it once.
          const isRepeated = isUnknown || before?.state === "deferred"
          const message_id =
            before !== undefined && isRepeated ? before.message_id : messageId(lease, operation, recipient)
          return { recipient, message_id, state: "pending", code: null, error: null, inherited: false }
        })
      })

      const conclude = Effect.fnUntraced(
        function* <A, G, R>(
          document: Concluding<A, G, R>,
          send: Interrupted,
          lease: SendLease,
          refuse: Refuse<G, R> | null
        ) {
          const mails = yield* repo.mails(send)
          const resumed = refuse !== null
          const sent = sentOf(send, mails, resumed)
          const isDelivered = mails.some(mayArrive)
          const answer = isDelivered ? Option.some(yield* document.finish(sent)) : Option.none()
          const refused = sent.deliveries.filter(({ status }) => status === "refused")
          // The entry about an undone issue must be the last one about its invoice (`require_undone_entry` in SQL).
          const issued = isDelivered ? null : send.issued
          if (refuse !== null && refused.length > 0) {
            if (issued !== null) yield* document.hold(issued)
            yield* refuse(refused)
          }
          const undone = issued === null ? Option.none() : yield* document.undo(issued, yield* isLate(send))
          const kept = Option.getOrNull(undone)
          const finished = yield* repo.finish({ ...lease, id: send.id, kept, resumed })
          if (Option.isNone(finished)) return yield* SendInProgress.of()
          return { answer, deliveries: sent.deliveries, kept }
        },
        transaction,
        underLatestLock
      )

      const doubt = (send: DocumentSend) => {
        const { answer, code } = MailUnconfirmed.of()
        return repo.doubt({ ...send, code, error: answer })
      }

      /** Concludes the send of another operation that a crash left unfinished. */
      const end = Effect.fnUntraced(function* <A, E, G, R>(
        document: Sendable<A, E, G, R>,
        dead: DocumentSend,
        lease: SendLease
      ) {
        const { answer, code } = MailUnavailable.notAttempted()
        yield* doubt(dead)
        yield* repo.giveUp({ ...dead, code, error: answer })
        yield* conclude(document, dead, lease, null)
      })

      const begin = Effect.fnUntraced(function* <A, E, G, R>(
        document: Sendable<A, E, G, R>,
        operation: string,
        lease: SendLease,
        dead: DocumentSend | undefined
      ) {
        if (dead?.finished === false) yield* end(document, dead, lease)
        return yield* transaction(
          Effect.gen(function* () {
            const prepared = yield* document.prepare(dead !== undefined)
            const mails = yield* planned(lease, document.body, operation, prepared, dead)
            const { attach_pdf, message } = document.body
            const text = { message: message ?? null, attach_pdf: attach_pdf ?? true }
            return yield* repo.create({ ...lease, operation, issued: prepared.issued, mails, ...text })
          })
        )
      })

      /** Removes a send that cannot have reached anybody, so that a repeat starts over. */
      const abandon = Effect.fnUntraced(
        function* <A, E, G, R>(document: Sendable<A, E, G, R>, send: DocumentSend) {
          if ((yield* repo.mails(send)).some(mayArrive)) return
          yield* repo.remove(send)
          if (send.issued !== null) yield* document.undo(send.issued, yield* isLate(send))
        },
        transaction,
        underLatestLock
      )

      const repeated = Effect.fnUntraced(function* <A, E, G, R>(document: Sendable<A, E, G, R>, send: DocumentSend) {
        const mails = yield* repo.mails(send)
        const sent = sentOf(send, mails, false)
        if (mails.some(mayArrive)) return yield* document.answer(sent)
        return yield* DeliveryFailed.of(document.kind, sent.deliveries, send.kept)
      })

      const sendUnder = Effect.fnUntraced(function* <A, E, G, R>(
        document: Sendable<A, E, G, R>,
        operation: string,
        lease: SendLease
      ) {
        const found = yield* repo.find({ ...lease, operation })
        const own = found.find((send) => send.operation === operation)
        if (own?.finished === true) return yield* repeated(document, own)
        const send = own ?? (yield* begin(document, operation, lease, found[0]))
        yield* doubt(send)
        const mails = (yield* repo.mails(send)).filter(({ state }) => state === "pending")
        if (mails.length > 0) {
          const mailing = yield* document.mailing(send.issued).pipe(Effect.tapError(() => abandon(document, send)))
          const { message } = document.body
          yield* mail.deliver({ ...mailing, lease, send_id: send.id, mails, message, later: false })
        }
        const { answer, deliveries, kept } = yield* conclude(document, send, lease, null)
        return Option.isSome(answer) ? answer.value : yield* DeliveryFailed.of(document.kind, deliveries, kept)
      })

      const send = Effect.fnUntraced(function* <A, E, G, R>(document: Sendable<A, E, G, R>) {
        const { id: document_id, kind } = document
        const operation = yield* CurrentOperation
        if (operation === undefined) {
          const once = yield* newToken("once")
          return yield* leases.exclusively(document)((lease) => sendUnder(document, once, lease))
        }
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* repo.find({ organization_id, document: kind, document_id, operation })
        const own = found.find((send) => send.operation === operation)
        // A repeat of a finished send only gets the answer again. It needs no lease, which the process may still hold
        // if it crashed right after the send.
        if (own?.finished === true) return yield* repeated(document, own)
        const sending = leases.exclusively(document)((lease) => sendUnder(document, operation, lease))
        if (own === undefined) return yield* sending
        // Only a crashed sender of the same operation can hold the lease, so the lease expires soon.
        return yield* Effect.retry(sending, {
          while: (error) => error instanceof SendInProgress,
          schedule: Schedule.spaced("1 second"),
          times: sending_seconds
        })
      })

      const concludeLater: DocumentSends["Service"]["concludeLater"] = (document, send, lease) =>
        Effect.asVoid(conclude(document, send, lease, document.refuse))

      return DocumentSends.of({ send, concludeLater })
    })
  ).pipe(Layer.provide([DocumentMail.layer, DocumentSendLocks.layer, DocumentSendsRepo.layer]))
}

const isLate = ({ created_at }: Interrupted) =>
  Effect.map(Clock.currentTimeMillis, (now) => now - Date.parse(created_at) > Duration.toMillis(sending_time_max))
