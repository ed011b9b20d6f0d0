import { Context, Effect, Layer, Option } from "effect"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { now, today as todayIn } from "../../kernel/Calendar.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import type { PdfRefused } from "../../platform/documents/PdfErrors.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { DocumentMail } from "../sending/DocumentMail.ts"
import { DocumentSendings } from "../sending/DocumentSendings.ts"
import { type Delivery, isDelivered, type SendBody } from "../sending/Send.ts"
import { DeliveryFailed, type KeptNumber, type NoRecipient, type SendInProgress } from "../sending/SendErrors.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { Numbering } from "../numbering/Numbering.ts"
import { complete, type Quote, type QuoteFacts, type QuoteStatus, type SentQuote } from "./Quote.ts"
import { QuoteDecided, QuoteLocked } from "./QuoteErrors.ts"
import { type Issued, QuoteIssuing } from "./QuoteIssuing.ts"
import { quoteEntry } from "./QuoteJournal.ts"
import { QuotePdf } from "./QuotePdf.ts"
import { QuotesRepo } from "./QuotesRepo.ts"

/** The quote as it goes to the recipients, and how it got there. */
interface Ready {
  readonly facts: QuoteFacts
  readonly recipients: ReadonlyArray<string>
  /** Set when this send issued it: what has to be undone when nobody gets it. */
  readonly issued: Option.Option<Issued>
}

/**
 * Sends a quote by email, in the order that `DocumentMail` describes. A draft is issued by it; any other is sent once
 * more as it is, except a rejected one, which has to be changed first.
 */
export class QuoteSending extends Context.Service<
  QuoteSending,
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
    /** A draft that was brought to the customer by other means than a mail of ours. */
    readonly markSent: (
      id: QuoteId
    ) => Effect.Effect<Quote, NotFound | QuoteLocked | NumberTaken | CustomerDeleted, Caller>
  }
>()("invoicing/billing/quotes/QuoteSending") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* QuotesRepo
      const issuing = yield* QuoteIssuing
      const numbering = yield* Numbering
      const mail = yield* DocumentMail
      const sendings = yield* DocumentSendings
      const quotePdf = yield* QuotePdf
      const journal = yield* Journal
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: QuoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      /** Writes the next version of a quote, which says itself when it changed. */
      const save = Effect.fnUntraced(function* (changed: QuoteFacts, action: string) {
        const { id: organization_id } = yield* CurrentOrganization
        const facts = { ...changed, version: changed.version + 1 }
        yield* repo.save(organization_id, facts, yield* quoteEntry(action, facts))
        return facts
      })

      const prepare = Effect.fn("QuoteSending.prepare")(function* (id: QuoteId, { recipients: asked }: SendBody) {
        const stored = yield* lock(id)
        if (stored.status === "rejected") return yield* QuoteDecided.of("sent", stored)
        // Under the lock: a draft's customer may change until here.
        const recipients = yield* mail.recipients(asked, stored.customer_id)
        if (stored.status !== "draft") return { facts: stored, recipients, issued: Option.none() } satisfies Ready
        const issued = yield* issuing.issue(stored)
        const facts = yield* save({ ...issued.facts, status: "sent", updated_at: yield* now }, "quote.issued")
        return { facts, recipients, issued: Option.some(issued) } satisfies Ready
      }, transaction)

      const deliver = Effect.fnUntraced(function* ({ facts, recipients }: Ready, body: SendBody) {
        const { currency, customer_id, id, number, status, total, valid_until } = facts
        const pdf = body.attach_pdf === false ? Option.none() : Option.some(yield* quotePdf.render(id))
        const document = { kind: "quote" as const, id, number: number ?? "", customer_id, total, currency }
        // Until when to accept it; nothing is left to accept of any other.
        const date = status === "sent" ? valid_until : null
        return yield* mail.deliver({ document: { ...document, date }, recipients, message: body.message, pdf })
      })

      /** Keeps the first time it was sent; a further one is in the audit chain only. */
      const finish = Effect.fn("QuoteSending.finish")(function* (id: QuoteId, deliveries: ReadonlyArray<Delivery>) {
        const { timezone } = yield* CurrentOrganization
        const today = yield* todayIn(timezone)
        const stored = yield* lock(id)
        if (stored.sent_at === null) {
          const at = yield* now
          const facts = yield* save({ ...stored, sent_at: at, updated_at: at }, "quote.sent")
          return { ...complete(facts, today), deliveries }
        }
        const quote = complete(stored, today)
        const entry = yield* quoteEntry("quote.resent", quote)
        const data = { ...entry.data, recipients: deliveries.filter(isDelivered).length }
        yield* journal.append({ ...entry, data })
        return { ...quote, deliveries }
      }, transaction)

      /**
       * Makes the quote a draft again, unless something happened to it meanwhile. It keeps a number that cannot be given
       * back, because a later one of its series is in use; that is the number that comes back.
       */
      const undo = Effect.fn("QuoteSending.undo")(function* ({ facts, issued }: Ready) {
        if (Option.isNone(issued)) return Option.none()
        const stored = yield* lock(facts.id)
        const { timezone } = yield* CurrentOrganization
        const { status } = complete(stored, yield* todayIn(timezone))
        if (stored.version !== facts.version) return keptNumber(stored.number, status)
        const back = yield* Option.match(issued.value.numbered, {
          onNone: () => Effect.succeed(false),
          onSome: (numbered) => numbering.giveBack("quote", facts.issue_date, numbered)
        })
        const number = back ? null : stored.number
        yield* save({ ...stored, status: "draft", number, updated_at: yield* now }, "quote.issue_undone")
        return keptNumber(number, "draft")
      }, transaction)

      const send = Effect.fn("QuoteSending.send")(function* (id: QuoteId, body: SendBody) {
        yield* Effect.annotateCurrentSpan({ "quote.id": id })
        return yield* sendings.exclusively({ kind: "quote", id })(
          Effect.gen(function* () {
            const ready = yield* prepare(id, body)
            const deliveries = yield* deliver(ready, body).pipe(Effect.tapError(() => undo(ready)))
            if (deliveries.some(isDelivered)) return yield* finish(id, deliveries)
            return yield* DeliveryFailed.of("quote", deliveries, yield* undo(ready))
          })
        )
      })

      const markSent = Effect.fn("QuoteSending.markSent")(function* (id: QuoteId) {
        const { timezone } = yield* CurrentOrganization
        const stored = yield* lock(id)
        if (stored.status !== "draft") return yield* QuoteLocked.change(stored)
        const { facts } = yield* issuing.issue(stored)
        const at = yield* now
        const sent = yield* save({ ...facts, status: "sent", sent_at: at, updated_at: at }, "quote.sent")
        return complete(sent, yield* todayIn(timezone))
      }, transaction)

      return QuoteSending.of({ send, markSent })
    })
  ).pipe(
    Layer.provide([QuotesRepo.layer, QuoteIssuing.layer, Numbering.layer]),
    Layer.provide([DocumentMail.layer, DocumentSendings.layer, QuotePdf.layer])
  )
}

const keptNumber = (number: string | null, status: QuoteStatus): Option.Option<KeptNumber> =>
  Option.map(Option.fromNullOr(number), (number) => ({ number, status }))
