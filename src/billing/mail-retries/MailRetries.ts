import { Context, Effect, Layer, Option } from "effect"
import { CreditNoteId, InvoiceId, QuoteId } from "../../kernel/Ids.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { PdfUnavailable } from "../../platform/documents/pdf/PdfErrors.ts"
import { batch_max, eachBatch } from "../../platform/jobs/InBatches.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { CreditNoteSender } from "../credit-notes/sending/CreditNoteSender.ts"
import { InvoiceSender } from "../invoices/sending/InvoiceSender.ts"
import { QuoteSender } from "../quotes/QuoteSender.ts"
import type { SendInProgress } from "../sending/SendErrors.ts"
import { type DueSend, MailRetriesRepo, type RetriedSend, type SendKey } from "../sending/retries/MailRetriesRepo.ts"
import { MailRetryQueue } from "./MailRetryQueue.ts"

/**
 * Repeats messages that the mail server refused for now, such as a server with greylisting, and continues sends that a
 * crash interrupted.
 */
export class MailRetries extends Context.Service<
  MailRetries,
  {
    /**
     * Enqueues a job for each send with a due attempt, and for each interrupted send. If the job dies, the send gets
     * another job every hour. The due time is kept with the messages, so a crash loses no attempt.
     */
    readonly enqueueDue: Effect.Effect<void>
    readonly retry: (key: SendKey) => Effect.Effect<void, SendInProgress | PdfUnavailable>
  }
>()("invoicing/billing/mail-retries/MailRetries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* MailRetriesRepo
      const jobs = yield* Jobs
      const organizations = yield* Organizations
      const invoices = yield* InvoiceSender
      const quotes = yield* QuoteSender
      const creditNotes = yield* CreditNoteSender

      const enqueue = ({ due_at, organization_id, overdue_hours, send_id }: DueSend) =>
        jobs.offer(
          MailRetryQueue,
          { organization_id, send_id },
          { id: `${send_id}-${due_at}-${overdue_hours}`, organization_id }
        )
      const enqueueDue = eachBatch(batch_max, repo.due, (found) =>
        Effect.forEach(found, enqueue, { discard: true })
      ).pipe(Effect.asVoid, Effect.withSpan("MailRetries.enqueueDue"))

      const retryOf = (send: RetriedSend) => {
        const { document, document_id } = send
        if (document === "invoice") return invoices.retry(InvoiceId.make(document_id), send)
        if (document === "quote") return quotes.retry(QuoteId.make(document_id), send)
        return creditNotes.retry(CreditNoteId.make(document_id), send)
      }

      const retry = Effect.fn("MailRetries.retry")(function* (key: SendKey) {
        const send = yield* repo.find(key)
        if (Option.isNone(send)) return
        const organization = yield* Effect.orDie(organizations.get(key.organization_id))
        yield* asSystem(organization)(retryOf(send.value))
      })

      return MailRetries.of({ enqueueDue, retry })
    })
  ).pipe(
    Layer.provide([MailRetriesRepo.layer, Organizations.layer]),
    Layer.provide([InvoiceSender.layer, QuoteSender.layer, CreditNoteSender.layer])
  )
}
