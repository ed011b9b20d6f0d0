import { Context, Effect, Layer, Option, Result } from "effect"
import { PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import type { CurrentOrganization } from "../../../platform/http/Security.ts"
import { MailUnavailable, MailUnconfirmed } from "../../../platform/mail/Mailer.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { DocumentMail } from "../DocumentMail.ts"
import { DocumentSendLocks, type SendLease } from "../DocumentSendLocks.ts"
import { DocumentSends } from "../DocumentSends.ts"
import { type Refuse, type Sendable, sentOf } from "../Sendable.ts"
import { deliveryOf, type DocumentMailRow, DocumentSendsRepo } from "../DocumentSendsRepo.ts"
import { SendInProgress } from "../SendErrors.ts"
import { MailRetriesRepo, type RetriedSend, unsendable } from "./MailRetriesRepo.ts"

interface Retryable<Gone, R> extends Pick<
  Sendable<unknown, unknown, Gone, R>,
  "kind" | "id" | "mailing" | "finish" | "hold" | "undo"
> {
  readonly refuse: Refuse<Gone, R>
}

/**
 * Repeats the deferred messages of a finished send, in the way in which `DocumentSends` sends them: an attempt is
 * recorded before the mail server gets the message, and its result afterwards. The document then shows the result: the
 * first message that the mail server accepts marks it as sent. A document stays issued if all its messages are refused
 * in the end, because its number was answered long ago.
 *
 * A send that a crash interrupted is continued and concluded instead, so that its messages and its document do not wait
 * for a client that may never repeat its request.
 */
export class DocumentRetries extends Context.Service<
  DocumentRetries,
  {
    readonly retry: <Gone, R>(
      document: Retryable<Gone, R>,
      send: RetriedSend
    ) => Effect.Effect<void, SendInProgress | PdfUnavailable, R | CurrentOrganization>
  }
>()("invoicing/billing/sending/retries/DocumentRetries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const leases = yield* DocumentSendLocks
      const mail = yield* DocumentMail
      const firstSends = yield* DocumentSends
      const sends = yield* DocumentSendsRepo
      const repo = yield* MailRetriesRepo
      const { transaction } = yield* Database
      const { underLatestLock } = yield* AuditLog

      const deliver = Effect.fnUntraced(function* <Gone, R>(
        document: Retryable<Gone, R>,
        send: RetriedSend,
        lease: SendLease,
        mails: ReadonlyArray<DocumentMailRow>
      ) {
        if (mails.length === 0) return
        const mailing = yield* Effect.result(document.mailing(send.issued))
        if (Result.isSuccess(mailing)) {
          return yield* mail.deliver({
            ...mailing.success,
            lease,
            send_id: send.id,
            mails,
            message: send.message,
            later: true
          })
        }
        // A message that was never sent does not have attempts that could pass, so its job is repeated instead.
        if (mailing.failure instanceof PdfUnavailable && !send.finished) return yield* mailing.failure
        yield* mail.fail({ lease, send_id: send.id, mails }, failureOf(mailing.failure))
      })

      const conclude = Effect.fnUntraced(
        function* <Gone, R>(document: Retryable<Gone, R>, send: RetriedSend, lease: SendLease) {
          const mails = yield* sends.mails(send)
          const settled = mails.filter(({ retry_at, state }) => retry_at !== null && state !== "deferred")
          const mailed = settled.filter(({ state }) => state === "accepted").length
          const refused = settled.filter(({ state }) => state === "refused").map(deliveryOf)
          // The first conclusion of the send has already dealt with the issue of the document.
          if (mailed > 0 && !send.replaced)
            yield* unlessGone(document.finish({ ...sentOf({ issued: null }, mails, true), mailed }))
          if (refused.length > 0) yield* unlessGone(document.refuse(refused))
          const held = yield* repo.conclude({ ...lease, send_id: send.id })
          if (Option.isNone(held)) return yield* SendInProgress.of()
        },
        transaction,
        underLatestLock
      )

      const repeat = Effect.fnUntraced(function* <Gone, R>(
        document: Retryable<Gone, R>,
        send: RetriedSend,
        lease: SendLease
      ) {
        const { id: send_id, organization_id } = send
        yield* deliver(document, send, lease, yield* repo.dueMails({ organization_id, send_id }))
        yield* conclude(document, send, lease)
      })

      /** Continues an interrupted send as a repeat of its operation would, but never a day after it began. */
      const resume = Effect.fnUntraced(function* <Gone, R>(
        document: Retryable<Gone, R>,
        send: RetriedSend,
        lease: SendLease
      ) {
        const mails = (yield* sends.mails(send)).filter(({ state }) => state === "pending")
        if (send.expired) yield* mail.fail({ lease, send_id: send.id, mails }, MailUnavailable.notAttempted())
        else yield* deliver(document, send, lease, mails)
        const concluded = yield* Effect.result(firstSends.concludeLater(document, send, lease))
        if (Result.isSuccess(concluded)) return
        if (concluded.failure instanceof SendInProgress) return yield* concluded.failure
        // Any other failure means that the document was deleted meanwhile.
        yield* sends.remove(send)
      })

      const retry: DocumentRetries["Service"]["retry"] = Effect.fn("DocumentRetries.retry")(function* (document, send) {
        yield* Effect.annotateCurrentSpan({ [`${document.kind}.id`]: document.id })
        const attempt = Effect.fnUntraced(function* (lease: SendLease) {
          const { id: send_id, organization_id } = send
          // The client may have repeated its request before this job got the lease.
          const found = yield* repo.find({ organization_id, send_id })
          if (Option.isNone(found)) return
          const { answer, code } = MailUnconfirmed.of()
          yield* sends.doubt({ ...send, code, error: answer })
          yield* found.value.finished ? repeat(document, found.value, lease) : resume(document, found.value, lease)
        })
        yield* leases.exclusively(document)(attempt)
      })

      return DocumentRetries.of({ retry })
    })
  ).pipe(
    Layer.provide([
      DocumentMail.layer,
      DocumentSendLocks.layer,
      DocumentSends.layer,
      DocumentSendsRepo.layer,
      MailRetriesRepo.layer
    ])
  )
}

/** Only a PDF that could not be made in time is tried again; any other refusal concerns the document for good. */
const failureOf = (refused: unknown) =>
  refused instanceof PdfUnavailable ? MailUnavailable.notAttempted() : unsendable

/** A document that was deleted meanwhile shows no results. */
const unlessGone = <A, E, R>(record: Effect.Effect<A, E, R>) =>
  record.pipe(Effect.catch((gone) => Effect.logInfo("the result of a message is not recorded", gone)))
