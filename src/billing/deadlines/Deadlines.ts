import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Day, dayAt, today } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Database } from "../../platform/sql/Database.ts"
import { complete, statusOf } from "../invoices/Invoice.ts"
import { invoiceEvent } from "../invoices/InvoiceAudit.ts"
import { type Days, DeadlinesRepo, type DueInvoice, type ExpiredQuote, type Page } from "./DeadlinesRepo.ts"

/** A deadline is announced after 00:05 in the time zone of the organization (rules/invoices.md, Overdue). */
const after_midnight_ms = Duration.toMillis("5 minutes")
/** Maximum number of documents per read, which is low because each invoice is read with its lines. */
const page_rows_max = 50
/** Maximum number of reads per run, which is enough for 500,000 documents. The next run announces the rest. */
const pages_max = 10_000

const actor = "system"
const beginning = { deadline: Day.make("1900-01-01"), id: 0 }

/**
 * Records passed deadlines in the audit chain: once per document and deadline, across all processes. A due date that
 * was moved is announced again; an invoice that was paid and reopened is not. Each effect returns the number of
 * documents that it announced.
 */
export class Deadlines extends Context.Service<
  Deadlines,
  {
    /** Publishes the event `invoice.overdue` on the day after the due date. */
    readonly announceOverdue: Effect.Effect<number>
    /** Appends the entry `quote.expired` on the day after the last day of validity. Webhooks have no such event. */
    readonly announceExpired: Effect.Effect<number>
  }
>()("invoicing/billing/deadlines/Deadlines") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DeadlinesRepo
      const { transaction } = yield* Database

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

      /**
       * All documents of an organization share one transaction, because each commit waits for the disk. Rows are locked
       * before the audit log, as everywhere. After a failure, each document has a transaction of its own.
       */
      const together =
        <Document extends Past>(hold: Hold, announce: (document: Document) => Effect.Effect<boolean>) =>
        (organization_id: OrganizationId, documents: ReadonlyArray<Document>) => {
          const ids = documents.map(({ id }) => id)
          const each = Effect.forEach(documents, announce)
          const alone = (document: Document) => Effect.catchDefect(announce(document), unannounced(document))
          return transaction(Effect.andThen(hold(organization_id, ids), each)).pipe(
            Effect.catchDefect(() => Effect.forEach(documents, alone)),
            Effect.map((done) => done.filter(Boolean).length)
          )
        }

      const announceInvoices = together(repo.holdInvoices, announceInvoice)
      const announceQuotes = together(repo.holdQuotes, announceQuote)
      return Deadlines.of({
        announceOverdue: Effect.withSpan(
          Effect.flatMap(days(), (at) => announceAll(at, repo.invoices, announceInvoices)),
          "Deadlines.announceOverdue"
        ),
        announceExpired: Effect.withSpan(
          Effect.flatMap(days(), (at) => announceAll(at, repo.quotes, announceQuotes)),
          "Deadlines.announceExpired"
        )
      })
    })
  ).pipe(Layer.provide(DeadlinesRepo.layer))
}

interface Past {
  readonly id: number
  readonly organization_id: OrganizationId
  readonly deadline: Day
}

type Hold = (organization_id: OrganizationId, ids: ReadonlyArray<number>) => Effect.Effect<void>

const unannounced =
  ({ id }: Past) =>
  (defect: unknown) =>
    Effect.as(Effect.logError(`the deadline of document ${id} could not be announced`, defect), false)

/** Tries each due document once, so that a document whose announcement fails does not block the others. */
const announceAll = Effect.fnUntraced(function* <Document extends Past>(
  days: Days,
  read: (page: Page) => Effect.Effect<ReadonlyArray<Document>>,
  announce: (organization_id: OrganizationId, documents: ReadonlyArray<Document>) => Effect.Effect<number>
) {
  const latest = days.reduce((latest, { day }) => (day > latest ? day : latest), beginning.deadline)
  let announced = 0
  let after: Page["after"] = beginning
  for (let page = 0; page < pages_max; page++) {
    const documents = yield* read({
      days,
      latest,
      after: { deadline: after.deadline, id: after.id },
      limit: page_rows_max
    })
    for (const [organization_id, owned] of Map.groupBy(documents, ({ organization_id }) => organization_id)) {
      announced += yield* announce(organization_id, owned)
    }
    const last = documents.at(-1)
    if (last === undefined || documents.length < page_rows_max) break
    after = last
  }
  return announced
})
