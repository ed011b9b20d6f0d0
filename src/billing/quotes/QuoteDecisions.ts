import { Context, Effect, Layer } from "effect"
import { addDaysAtMost, dayAt, now, timeOf } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { QuoteId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../../kernel/Refusal.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { Invoices } from "../invoices/writing/Invoices.ts"
import { complete } from "./Quote.ts"
import type { MarkAccepted, MarkRejected, Quote, QuoteFacts, QuoteStatus } from "./Quote.ts"
import { AlreadyConverted, QuoteDecided } from "./QuoteErrors.ts"
import { Correspondence } from "../correspondence/Correspondence.ts"
import { QuoteIssuer } from "./QuoteIssuer.ts"
import { quoteEntry, quoteEvent } from "./QuoteAudit.ts"
import { QuotesRepo } from "./QuotesRepo.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"

/** Records the decisions on a quote: accepting, rejecting or converting to an invoice (rules/quotes.md, States). */
export class QuoteDecisions extends Context.Service<
  QuoteDecisions,
  {
    /** Accepting an accepted quote changes nothing; accepting a quote after its last day returns a warning. */
    readonly accept: (
      id: QuoteId,
      body: MarkAccepted
    ) => Effect.Effect<Quote, NotFound | QuoteDecided | NumberTaken | CustomerDeleted, Caller>
    readonly reject: (id: QuoteId, body: MarkRejected) => Effect.Effect<Quote, NotFound | QuoteDecided, Caller>
    /** Creates a draft invoice with the lines and rates of the quote, today's date and the default payment terms. */
    readonly convert: (
      id: QuoteId
    ) => Effect.Effect<
      Invoice,
      NotFound | QuoteDecided | AlreadyConverted | NumberTaken | CustomerDeleted | ValidationFailed | BooksLocked,
      Caller
    >
  }
>()("invoicing/billing/quotes/QuoteDecisions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* QuotesRepo
      const issuing = yield* QuoteIssuer
      const correspondence = yield* Correspondence
      const invoices = yield* Invoices
      const { transaction } = yield* Database

      /** The row stays locked until commit, so the second of two concurrent decisions sees the first. */
      const lock = Effect.fnUntraced(function* (id: QuoteId) {
        yield* Effect.annotateCurrentSpan({ "quote.id": id })
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const found = yield* orNotFound(repo.lock({ organization_id, id }))
        return { stored: found, timezone, before: complete(found, yield* todayHere) }
      })

      const issued = (stored: QuoteFacts) =>
        stored.status === "draft" ? Effect.map(issuing.issue(stored), ({ facts }) => facts) : Effect.succeed(stored)

      const save = Effect.fnUntraced(function* (
        changed: QuoteFacts,
        before: QuoteStatus,
        action: "quote.accepted" | "quote.rejected"
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const facts = { ...changed, version: changed.version + 1 }
        const quote = complete(facts, yield* todayHere)
        const event = yield* quoteEvent(action, quote, before)
        yield* repo.save(organization_id, facts, yield* quoteEntry(action, quote, [event]))
        return quote
      })

      const accept = Effect.fn("QuoteDecisions.accept")(function* (id: QuoteId, body: MarkAccepted) {
        const { before, stored, timezone } = yield* lock(id)
        if (before.status === "accepted") return before
        if (before.status === "rejected" || before.status === "converted") {
          return yield* QuoteDecided.of("accepted", before)
        }
        const facts = yield* issued(stored)
        const updated_at = yield* now
        const accepted_at = timeOf(body.accepted_at ?? updated_at, timezone)
        const accepted = { ...facts, status: "accepted" as const, accepted_at, updated_at }
        const quote = yield* save(accepted, before.status, "quote.accepted")
        const isLate = dayAt(Date.parse(accepted_at), timezone) > facts.valid_until
        return isLate ? { ...quote, warnings: ["expired" as const] } : quote
      }, transaction)

      // A rejected draft gets no number, because it was never sent to a customer.
      const reject = Effect.fn("QuoteDecisions.reject")(function* (id: QuoteId, body: MarkRejected) {
        const { before, stored, timezone } = yield* lock(id)
        if (before.status === "rejected") return before
        if (before.status === "accepted" || before.status === "converted") {
          return yield* QuoteDecided.of("rejected", before)
        }
        // The document shows its customer as of the rejection, also if an earlier offer was made to another customer.
        if (stored.status === "draft") yield* correspondence.keep("quote", stored)
        const updated_at = yield* now
        const rejected = {
          ...stored,
          status: "rejected" as const,
          rejected_at: timeOf(body.rejected_at ?? updated_at, timezone),
          rejection_reason: body.rejection_reason ?? null,
          updated_at
        }
        return yield* save(rejected, before.status, "quote.rejected")
      }, transaction)

      const convert = Effect.fn("QuoteDecisions.convert")(function* (id: QuoteId) {
        const { id: organization_id, settings } = yield* CurrentOrganization
        const { before, stored } = yield* lock(id)
        if (stored.invoice_id !== null) return yield* AlreadyConverted.of(stored.invoice_id)
        if (before.status === "rejected") return yield* QuoteDecided.of("converted", before)
        const facts = yield* issued(stored)
        const issue_date = yield* todayHere
        const due_date = addDaysAtMost(issue_date, settings.default_payment_terms_days)
        const invoice = yield* invoices.createFrom({ ...facts, issue_date, due_date, quote_id: id })
        const converted_at = yield* now
        const converted = {
          ...facts,
          status: "converted" as const,
          converted_from: stored.status,
          invoice_id: invoice.id,
          converted_at,
          updated_at: converted_at,
          version: facts.version + 1
        }
        const event = yield* quoteEvent("quote.updated", complete(converted, issue_date), before.status)
        yield* repo.convert(organization_id, converted, yield* quoteEntry("quote.converted", converted, [event]))
        return invoice
      }, transaction)

      return QuoteDecisions.of({ accept, reject, convert })
    })
  ).pipe(Layer.provide([QuotesRepo.layer, QuoteIssuer.layer, Correspondence.layer, Invoices.layer]))
}
