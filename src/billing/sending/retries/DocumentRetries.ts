import { Context, Effect, Layer, Option, Result } from "effect"
import { PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import type { CurrentOrganization } from "../../../platform/http/Security.ts"
import { MailRefused, MailUnavailable, MailUnconfirmed } from "../../../platform/mail/Mailer.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { DocumentMail } from "../DocumentMail.ts"
import { DocumentSendLocks, type SendLease } from "../DocumentSendLocks.ts"
import { type Sendable, sentOf } from "../DocumentSends.ts"
import { DocumentSendsRepo } from "../DocumentSendsRepo.ts"
import { SendInProgress } from "../SendErrors.ts"
import { MailRetriesRepo, type RetriedSend } from "./MailRetriesRepo.ts"

interface Retryable<Gone, R> extends Pick<Sendable<unknown, unknown, Gone, R>, "kind" | "id" | "mailing" | "finish"> {
  /** Records that the mail server finally refused messages. Runs in the transaction that concludes the attempt. */
  readonly refuse: (messages: number) => Effect.Effect<void, Gone, R>
}

/**
 * Repeats the deferred messages of a finished send, in the way in which `DocumentSends` sends them: an attempt is
 * recorded before the mail server gets the message, and its result afterwards. The document then shows the result: the
 * first message that the mail server accepts marks it as sent. A document stays issued if all its messages are refused
 * in the end, because its number was answered long ago.
 */
export class DocumentRetries extends Context.Service<
  DocumentRetries,
  {
    readonly retry: <Gone, R>(
      document: Retryable<Gone, R>,
      send: RetriedSend
    ) => Effect.Effect<void, SendInProgress, R | CurrentOrganization>
  }
>()("invoicing/billing/sending/retries/DocumentRetries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const leases = yield* DocumentSendLocks
      const mail = yield* DocumentMail
      const sends = yield* DocumentSendsRepo
      const repo = yield* MailRetriesRepo
      const { transaction } = yield* Database
      const { underLatestLock } = yield* AuditLog

      const deliver = Effect.fnUntraced(function* <Gone, R>(
        document: Retryable<Gone, R>,
        send: RetriedSend,
        lease: SendLease
      ) {
        const { id: send_id, issued, message, organization_id } = send
        const mails = yield* repo.dueMails({ organization_id, send_id })
        if (mails.length === 0) return
        const mailing = yield* Effect.result(document.mailing(issued))
        yield* Result.isSuccess(mailing)
          ? mail.deliver({ ...mailing.success, lease, send_id, mails, message })
          : mail.fail({ lease, send_id, mails }, failureOf(mailing.failure))
      })

      const conclude = Effect.fnUntraced(
        function* <Gone, R>(document: Retryable<Gone, R>, send: RetriedSend, lease: SendLease) {
          const mails = yield* sends.mails(send)
          const settled = mails.filter(({ retry_at, state }) => retry_at !== null && state !== "deferred")
          const mailed = settled.filter(({ state }) => state === "accepted").length
          const refused = settled.filter(({ state }) => state === "refused").length
          if (mailed > 0) yield* unlessGone(document.finish({ ...sentOf(send, mails), mailed }))
          if (refused > 0) yield* unlessGone(document.refuse(refused))
          const held = yield* repo.conclude({ ...lease, send_id: send.id })
          if (Option.isNone(held)) return yield* SendInProgress.of()
        },
        transaction,
        underLatestLock
      )

      const retry: DocumentRetries["Service"]["retry"] = Effect.fn("DocumentRetries.retry")(function* (document, send) {
        yield* Effect.annotateCurrentSpan({ [`${document.kind}.id`]: document.id })
        const attempt = Effect.fnUntraced(function* (lease: SendLease) {
          const { answer, code } = MailUnconfirmed.of()
          yield* sends.doubt({ ...send, code, error: answer })
          yield* deliver(document, send, lease)
          yield* conclude(document, send, lease)
        })
        yield* leases.exclusively(document)(attempt)
      })

      return DocumentRetries.of({ retry })
    })
  ).pipe(Layer.provide([DocumentMail.layer, DocumentSendLocks.layer, DocumentSendsRepo.layer, MailRetriesRepo.layer]))
}

/** Only a PDF that could not be made in time is tried again; any other refusal concerns the document for good. */
const failureOf = (refused: unknown) =>
  refused instanceof PdfUnavailable
    ? MailUnavailable.notAttempted()
    : new MailRefused({ code: "not_attempted", answer: "The document can no longer be sent." })

/** A document that was deleted meanwhile shows no results. */
const unlessGone = <A, E, R>(record: Effect.Effect<A, E, R>) =>
  record.pipe(Effect.catch((gone) => Effect.logInfo("the result of a message is not recorded", gone)))
