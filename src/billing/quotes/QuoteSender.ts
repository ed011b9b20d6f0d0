import { Context, Effect, Layer, Option } from "effect"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { now } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import type { PdfRefused, PdfUnavailable } from "../../platform/documents/pdf/PdfErrors.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { DocumentMail } from "../sending/DocumentMail.ts"
import { DocumentSends } from "../sending/DocumentSends.ts"
import type { Sent } from "../sending/Sendable.ts"
import type { Issued } from "../sending/DocumentSendsRepo.ts"
import { DocumentRetries } from "../sending/retries/DocumentRetries.ts"
import type { RetriedSend } from "../sending/retries/MailRetriesRepo.ts"
import { type SendBody, withDeliveries } from "../sending/Send.ts"
import type { DeliveryFailed, KeptNumber, NoRecipient, SendInProgress } from "../sending/SendErrors.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { DocumentNumbers } from "../numbering/DocumentNumbers.ts"
import { complete, type Quote, type QuoteFacts, type QuoteStatus, type SentQuote } from "./Quote.ts"
import { QuoteDecided, QuoteLocked } from "./QuoteErrors.ts"
import { QuoteIssuer } from "./QuoteIssuer.ts"
import { quoteEntry, quoteEvent } from "./QuoteAudit.ts"
import { QuotePdf } from "./QuotePdf.ts"
import { QuotesRepo } from "./QuotesRepo.ts"

/** Sends a quote as `DocumentSends` describes. A draft is issued; a rejected or converted quote is refused. */
export class QuoteSender extends Context.Service<
  QuoteSender,
  {
    readonly send: (
      id: QuoteId,
      body: SendBody
    ) => Effect.Effect<
      SentQuote,
      | NotFound
      | QuoteDecided
      | NoRecipient
      | DeliveryFailed
      | SendInProgress
      | NumberTaken
      | CustomerDeleted
      | PdfRefused,
      Caller
    >
    /** Repeats the deferred messages of a send, or continues a send that a crash interrupted. */
    readonly retry: (id: QuoteId, send: RetriedSend) => Effect.Effect<void, SendInProgress | PdfUnavailable, Caller>
    /** Marks a draft as sent by other means than an email of this service. */
    readonly markSent: (
      id: QuoteId
    ) => Effect.Effect<Quote, NotFound | QuoteLocked | NumberTaken | CustomerDeleted, Caller>
  }
>()("invoicing/billing/quotes/QuoteSender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* QuotesRepo
      const issuing = yield* QuoteIssuer
      const numbering = yield* DocumentNumbers
      const mail = yield* DocumentMail
      const sends = yield* DocumentSends
      const retries = yield* DocumentRetries
      const quotePdf = yield* QuotePdf
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: QuoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      const save = Effect.fnUntraced(function* (
        changed: QuoteFacts,
        action: "quote.issued" | "quote.sent" | "quote.issue_undone",
        before: QuoteStatus
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const facts = { ...changed, version: changed.version + 1 }
        const quote = complete(facts, yield* todayHere)
        const event = yield* quoteEvent(action === "quote.sent" ? action : "quote.updated", quote, before)
        yield* repo.save(organization_id, facts, yield* quoteEntry(action, quote, [event]))
        return facts
      })

      const prepare = Effect.fn("QuoteSender.prepare")(function* (id: QuoteId, { recipients: asked }: SendBody) {
        const stored = yield* lock(id)
        yield* requireOffer(stored)
        // The recipients are read after the quote was locked, because until then a draft's customer may change.
        const recipients = yield* mail.recipients(asked, stored.customer_id)
        if (stored.status !== "draft") return { recipients, issued: null }
        const { facts, numbered } = yield* issuing.issue(stored)
        const { issue_date, version } = yield* save(
          { ...facts, status: "sent", updated_at: yield* now },
          "quote.issued",
          stored.status
        )
        const sequence = Option.match(numbered, { onNone: () => null, onSome: ({ sequence }) => sequence })
        return { recipients, issued: { version, issue_date, sequence, non_chronological: false } }
      })

      const mailing = Effect.fnUntraced(function* (id: QuoteId, body: Pick<SendBody, "attach_pdf">) {
        const { id: organization_id } = yield* CurrentOrganization
        const stored = yield* orNotFound(repo.find({ organization_id, id }))
        // The quote may have been converted, or rejected and then changed, before a retry or after a crash.
        yield* requireOffer(stored)
        if (stored.status === "draft") return yield* QuoteDecided.reopened(stored)
        const { currency, customer_id, number, status, total, valid_until } = stored
        const pdf = body.attach_pdf === false ? Option.none() : Option.some(yield* quotePdf.render(id))
        const document = { kind: "quote" as const, id, number: number ?? "", customer_id, total, currency }
        // The mail states the acceptance deadline only while the quote can still be accepted.
        const date = status === "sent" ? valid_until : null
        return { document: { ...document, balance_due: null, settled: null, date }, pdf }
      })

      const answer = Effect.fnUntraced(function* (stored: QuoteFacts, { deliveries }: Sent) {
        return { ...complete(stored, yield* todayHere), deliveries }
      })

      /** Keeps the time of the first send; later sends are recorded in the audit chain only. */
      const finish = Effect.fn("QuoteSender.finish")(function* (id: QuoteId, sent: Sent) {
        const stored = yield* lock(id)
        // A draft replaces the quote that was mailed, because that quote was rejected and changed meanwhile.
        if (sent.mailed === 0 || stored.status === "draft") return yield* answer(stored, sent)
        if (stored.sent_at === null) {
          const at = yield* now
          // The event about the issue was published when the request was answered, so a later message finds the quote
          // issued.
          const isIssue = sent.issued !== null && !sent.resumed
          const before = isIssue ? "draft" : complete(stored, yield* todayHere).status
          return yield* answer(yield* save({ ...stored, sent_at: at, updated_at: at }, "quote.sent", before), sent)
        }
        const answered = yield* answer(stored, sent)
        const entry = yield* quoteEntry("quote.resent", answered)
        yield* auditLog.append({ ...entry, data: { ...entry.data, recipients: sent.mailed } })
        return answered
      })

      const hold = Effect.fn("QuoteSender.hold")(function* (id: QuoteId, { issue_date }: Issued) {
        yield* lock(id)
        yield* numbering.hold("quote", issue_date)
      })

      /**
       * Makes the quote a draft again, unless it has changed meanwhile or `sending_time_max` has passed. If a later
       * number of its series is in use, the quote keeps its number, and the number is returned.
       */
      const undo = Effect.fn("QuoteSender.undo")(function* (
        id: QuoteId,
        { issue_date, sequence, version }: Issued,
        isExpired: boolean
      ) {
        const stored = yield* lock(id)
        const { status } = complete(stored, yield* todayHere)
        if (isExpired || stored.version !== version) return keptNumber(stored.number, status)
        const numbered = sequence === null || stored.number === null ? null : { number: stored.number, sequence }
        const back = numbered !== null && (yield* numbering.giveBack("quote", issue_date, numbered))
        const number = back ? null : stored.number
        yield* save({ ...stored, status: "draft", number, updated_at: yield* now }, "quote.issue_undone", status)
        return keptNumber(number, "draft")
      })

      const sendable = (id: QuoteId, body: Pick<SendBody, "attach_pdf">) => ({
        kind: "quote" as const,
        id,
        mailing: () => mailing(id, body),
        finish: (sent: Sent) => finish(id, sent),
        hold: (issued: Issued) => hold(id, issued),
        undo: (issued: Issued, isExpired: boolean) => undo(id, issued, isExpired)
      })

      const send = Effect.fn("QuoteSender.send")(function* (id: QuoteId, body: SendBody) {
        yield* Effect.annotateCurrentSpan({ "quote.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* sends.send({
          ...sendable(id, body),
          body,
          prepare: () => prepare(id, body),
          answer: (sent) =>
            Effect.flatMap(orNotFound(repo.find({ organization_id, id })), (stored) => answer(stored, sent))
        })
      })

      const refuse = Effect.fn("QuoteSender.refuse")(function* (id: QuoteId, deliveries: SentQuote["deliveries"]) {
        const quote = complete(yield* lock(id), yield* todayHere)
        const event = withDeliveries(yield* quoteEvent("quote.mail_refused", quote), deliveries)
        const entry = yield* quoteEntry("quote.mail_refused", quote, [event])
        yield* auditLog.append({ ...entry, data: { ...entry.data, recipients: deliveries.length } })
      })

      const retry = Effect.fn("QuoteSender.retry")((id: QuoteId, send: RetriedSend) =>
        retries.retry({ ...sendable(id, send), refuse: (deliveries) => refuse(id, deliveries) }, send)
      )

      const markSent = Effect.fn("QuoteSender.markSent")(function* (id: QuoteId) {
        const stored = yield* lock(id)
        if (stored.status !== "draft") return yield* QuoteLocked.change(stored)
        const { facts } = yield* issuing.issue(stored)
        const at = yield* now
        const sent = yield* save({ ...facts, status: "sent", sent_at: at, updated_at: at }, "quote.sent", stored.status)
        return complete(sent, yield* todayHere)
      }, transaction)

      return QuoteSender.of({ send, retry, markSent })
    })
  ).pipe(
    Layer.provide([QuotesRepo.layer, QuoteIssuer.layer, DocumentNumbers.layer]),
    Layer.provide([DocumentMail.layer, DocumentSends.layer, DocumentRetries.layer, QuotePdf.layer])
  )
}

/** A rejected quote is no longer an offer, and an invoice has taken the place of a converted one. */
const requireOffer = (stored: QuoteFacts) =>
  stored.status === "rejected" || stored.status === "converted"
    ? Effect.fail(QuoteDecided.of("sent", stored))
    : Effect.void

const keptNumber = (number: string | null, status: QuoteStatus): Option.Option<KeptNumber> =>
  Option.map(Option.fromNullOr(number), (number) => ({ number, status }))
