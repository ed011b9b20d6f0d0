import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Day, dayAt, today } from "../../kernel/Calendar.ts"
import { complete, statusOf } from "../invoices/Invoice.ts"
import { invoiceEvent } from "../invoices/InvoiceJournal.ts"
import { type Days, DeadlinesRepo, type DueInvoice, type ExpiredQuote, type Page } from "./DeadlinesRepo.ts"

/** Contract section 15: announced from 00:05 of the organization's day on. */
const after_midnight_ms = Duration.toMillis("5 minutes")
/** An invoice comes with its lines. */
const page_rows_max = 50
/** 500,000 documents per run; the rest waits for the next one. */
const pages_max = 10_000

const actor = "system"
const beginning = { deadline: Day.make("1900-01-01"), id: 0 }

/**
 * Says in the journal of each organization that a deadline has passed there: once per document and deadline, whatever
 * the number of processes. A due date that is moved is announced again when it, too, has passed; an invoice that was
 * paid and is open again is not. Both answer how many they announced.
 */
export class Deadlines extends Context.Service<
  Deadlines,
  {
    /** Event `invoice.overdue`, on the day after the due date. */
    readonly announceOverdue: Effect.Effect<number>
    /** Audit entry `quote.expired`, on the day after the last valid one; the catalog has no event for it. */
    readonly announceExpired: Effect.Effect<number>
  }
>()("invoicing/billing/deadlines/Deadlines") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DeadlinesRepo

      const days = Effect.fnUntraced(function* () {
        const past_midnight = (yield* Clock.currentTimeMillis) - after_midnight_ms
        const zones = yield* repo.zones()
        return zones.map(({ timezone }) => ({ timezone, day: dayAt(past_midnight, timezone) }))
      })

      const announceInvoice = Effect.fnUntraced(function* ({
        deadline,
        organization_id,
        timezone,
        ...facts
      }: DueInvoice) {
        const invoice = complete(facts, yield* today(timezone))
        const event = yield* invoiceEvent("invoice.overdue", invoice, statusOf(facts, deadline))
        const data = { invoice_id: invoice.id, number: invoice.number, due_date: deadline }
        const entry = { organization_id, actor, action: "invoice.overdue", data, events: [event] }
        return yield* repo.announceInvoice({ ...facts, organization_id }, entry)
      })

      const announceQuote = (quote: ExpiredQuote) => {
        const { deadline, id: quote_id, number, organization_id } = quote
        const data = { quote_id, number, valid_until: deadline }
        return repo.announceQuote(quote, { organization_id, actor, action: "quote.expired", data })
      }

      return Deadlines.of({
        announceOverdue: Effect.withSpan(
          Effect.flatMap(days(), (at) => announceAll(at, repo.invoices, announceInvoice)),
          "Deadlines.announceOverdue"
        ),
        announceExpired: Effect.withSpan(
          Effect.flatMap(days(), (at) => announceAll(at, repo.quotes, announceQuote)),
          "Deadlines.announceExpired"
        )
      })
    })
  ).pipe(Layer.provide(DeadlinesRepo.layer))
}

interface Past {
  readonly id: number
  readonly deadline: Day
}

/** Walks once through what is due, so that a document that cannot be announced keeps no other one waiting. */
const announceAll = Effect.fnUntraced(function* <Document extends Past>(
  days: Days,
  read: (page: Page) => Effect.Effect<ReadonlyArray<Document>>,
  announce: (document: Document) => Effect.Effect<boolean>
) {
  const latest = days.reduce((latest, { day }) => (day > latest ? day : latest), beginning.deadline)
  let announced = 0
  let after: Past = beginning
  for (let page = 0; page < pages_max; page++) {
    const documents = yield* read({
      days,
      latest,
      after: { deadline: after.deadline, id: after.id },
      limit: page_rows_max
    })
    for (const document of documents) {
      const done = yield* announce(document).pipe(
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError(`the deadline of document ${document.id} could not be announced`, defect), false)
        )
      )
      if (done) announced++
    }
    const last = documents.at(-1)
    if (last === undefined || documents.length < page_rows_max) break
    after = last
  }
  return announced
})
