import { Clock, Context, Deferred, Effect, Fiber, Layer, Result } from "effect"
import type { SentInvoice } from "../billing/invoices/Invoice.ts"
import { Invoices } from "../billing/invoices/writing/Invoices.ts"
import { InvoiceSender } from "../billing/invoices/sending/InvoiceSender.ts"
import { CustomerSubmissions } from "../einvoicing/documents/CustomerSubmissions.ts"
import type { InvoiceId } from "../kernel/Ids.ts"
import { AuditLog } from "../platform/events/AuditLog.ts"
import type { Caller } from "../platform/http/Security.ts"
import { Database } from "../platform/sql/Database.ts"
import type { Outcome, SendInvoices } from "./Batch.ts"
import { type BatchFailed, type BatchTooLarge, NotAttempted } from "./BatchErrors.ts"
import { decodeTarget, idIn, type ItemRefusal, refusedWith, within } from "./BatchItems.ts"
import type { Way } from "./BatchResults.ts"
import { BatchRunner, type Progress } from "./BatchRunner.ts"

/** Time after which a request starts no further mail, because a slow mail server must not hold a request for hours. */
export const request_limit_ms = 300_000
/** Time after which one run of an operation starts no further mail. The time limit of its job is longer. */
const operation_limit_ms = 3_600_000

export class InvoiceBatchSender extends Context.Service<
  InvoiceBatchSender,
  {
    /** Runs to its end even if the client disconnects. */
    readonly sendInvoices: (
      body: SendInvoices,
      progress?: Progress<SentInvoice>
    ) => Effect.Effect<Outcome<SentInvoice>, BatchTooLarge | BatchFailed, Caller>
  }
>()("invoicing/batch/InvoiceBatchSender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const sending = yield* InvoiceSender
      const submissions = yield* CustomerSubmissions
      const runner = yield* BatchRunner
      const { apart } = yield* Database
      const { underLatestLock } = yield* AuditLog
      const scope = yield* Effect.scope

      /**
       * Tries each channel separately, because one may succeed when the other is refused. If the lock date of the books
       * changes meanwhile, only the current channel is repeated, because the mail may already be sent.
       */
      const sendBy = Effect.fnUntraced(function* (id: InvoiceId, body: SendInvoices, numbered: Effect.Effect<void>) {
        const method = body.method ?? "email"
        const channels: Array<Way> = []
        let data: SentInvoice | null = null
        if (method !== "einvoice") {
          const { attach_pdf = null, message = null, resend = null } = body
          const sent = yield* sending
            .send(id, { attach_pdf, message, resend }, numbered)
            .pipe(underLatestLock, Effect.result)
          if (sent._tag === "Success") data = sent.success
          // A missing invoice concerns every channel, so the item as a whole fails.
          else if (sent.failure._tag === "NotFound") return yield* sent.failure
          channels.push({
            channel: "email",
            refused: sent._tag === "Success" ? null : yield* refusedWith(sent.failure),
            ...deliveriesOf(sent)
          })
        }
        if (method !== "email") {
          const submitted = yield* submissions
            .submit(id, body.peppol_recipient ?? null)
            .pipe(underLatestLock, Effect.result)
          if (submitted._tag === "Success") data = { ...(yield* invoices.get(id)), deliveries: data?.deliveries ?? [] }
          else if (submitted.failure._tag === "NotFound") return yield* submitted.failure
          channels.push({
            channel: "einvoice",
            refused: submitted._tag === "Success" ? null : yield* refusedWith(submitted.failure)
          })
        }
        return { data, channels }
      })

      const send = Effect.fnUntraced(function* (body: SendInvoices, progress?: Progress<SentInvoice>) {
        const started = yield* Clock.currentTimeMillis
        const limit_ms = progress === undefined ? request_limit_ms : operation_limit_ms
        const inOrder = numbering()
        const items = body.invoice_ids.map((element, index) => {
          const send = inOrder((numbered) =>
            Effect.gen(function* () {
              const { id } = yield* decodeTarget({ id: element })
              if ((yield* Clock.currentTimeMillis) - started > limit_ms) return yield* NotAttempted.of()
              return yield* sendBy(id, body, numbered)
            })
          )
          return { id: idIn({ id: element }), external_id: null, run: within(`invoice_ids.${index}`, send, "id") }
        })
        return yield* runner.run(items, { http_status: 200, transaction: "none" }, progress)
      })

      const sendInvoices = Effect.fn("InvoiceBatchSender.sendInvoices")(function* (
        body: SendInvoices,
        progress?: Progress<SentInvoice>
      ) {
        // An interruption ends only this wait. The batch continues, because it does not depend on its request.
        return yield* Fiber.join(yield* send(body, progress).pipe(apart, Effect.forkIn(scope)))
      })

      return InvoiceBatchSender.of({ sendInvoices })
    })
  ).pipe(Layer.provide([BatchRunner.layer, Invoices.layer, InvoiceSender.layer]))
}

/** Returns the deliveries to each recipient; none if the attempt failed before the recipients were known. */
const deliveriesOf = (sent: Result.Result<SentInvoice, ItemRefusal>): Pick<Way, "deliveries"> => {
  if (Result.isSuccess(sent)) return { deliveries: sent.success.deliveries }
  return sent.failure._tag === "DeliveryFailed" ? { deliveries: sent.failure.deliveries } : {}
}

/**
 * Numbers the invoices in the order of the request, because dates may have to ascend with the numbers. Only mails are
 * sent concurrently: each invoice waits until the previous one has a number or has failed.
 */
const numbering = () => {
  let before: Effect.Effect<void> = Effect.void
  return <A, E, R>(send: (numbered: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const own = Deferred.makeUnsafe<void>()
      const turn = before
      const numbered = Effect.asVoid(Deferred.succeed(own, undefined))
      before = Deferred.await(own)
      return Effect.ensuring(Effect.andThen(turn, send(numbered)), numbered)
    })
}
