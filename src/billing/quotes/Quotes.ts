import { Context, Effect, Layer, Struct } from "effect"
import { addDaysAtMost, daysBetween, now } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import { changesTo, isUnchanged } from "../../kernel/Changes.ts"
import { clientDataOf, copiedClientData, isClientDataOnly } from "../../kernel/ClientData.ts"
import { QuoteId } from "../../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../../kernel/Listing.ts"
import { zero } from "../../kernel/Money.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Begun, DocumentLines } from "../lines/DocumentLines.ts"
import { unchangedAdjustment } from "../lines/Adjustment.ts"
import { unchangedLine } from "../lines/LineItem.ts"
import { withRepeated } from "../lines/Adjusting.ts"
import { requirePrepaid, withPrepaid } from "../lines/Pricing.ts"
import { requireYearOfNumber } from "../numbering/NumberYear.ts"
import { DocumentLinksRepo } from "../sending/DocumentLinksRepo.ts"
import { DocumentSendLocks } from "../sending/DocumentSendLocks.ts"
import { MailRetriesRepo } from "../sending/retries/MailRetriesRepo.ts"
import type { SendInProgress } from "../sending/SendErrors.ts"
import { quoteDetails, requireOneDelivery, withoutDelivery } from "../details/Details.ts"
import {
  complete,
  completeSummary,
  fixed_fields,
  type Quote,
  type QuoteChanges,
  type QuoteDraft,
  type QuoteFacts,
  type QuotesQuery,
  type QuoteSummary
} from "./Quote.ts"
import { QuoteLocked } from "./QuoteErrors.ts"
import { quoteEntry, quoteEvent } from "./QuoteAudit.ts"
import { QuotesRepo } from "./QuotesRepo.ts"

type Removed = Pick<Quote, "id">

/** Manages the quotes of the current organization; `QuoteDecisions` records the customers' decisions. */
export class Quotes extends Context.Service<
  Quotes,
  {
    readonly list: (query: QuotesQuery) => Effect.Effect<Listing<QuoteSummary | Deletion>, never, CurrentOrganization>
    readonly get: (id: QuoteId) => Effect.Effect<Quote, NotFound, CurrentOrganization>
    readonly create: (draft: QuoteDraft) => Effect.Effect<Quote, ValidationFailed, Caller>
    /**
     * A field equal to the stored one does not count as a change. A change of a rejected quote makes it a draft again,
     * with its number. A change of `external_id` or `metadata` is possible in every status and does not do so.
     */
    readonly update: (
      id: QuoteId,
      changes: QuoteChanges
    ) => Effect.Effect<Quote, NotFound | PreconditionFailed | QuoteLocked | SendInProgress | ValidationFailed, Caller>
    readonly remove: (
      id: QuoteId
    ) => Effect.Effect<Removed, NotFound | PreconditionFailed | QuoteLocked | Forbidden, Caller>
    /** Locks quotes. Must run before a transaction writes, because a write locks the audit log, the last lock. */
    readonly hold: (ids: ReadonlyArray<QuoteId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly duplicate: (id: QuoteId) => Effect.Effect<Quote, NotFound | ValidationFailed, Caller>
  }
>()("invoicing/billing/quotes/Quotes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* QuotesRepo
      const lines = yield* DocumentLines
      const organizations = yield* Organizations
      const links = yield* DocumentLinksRepo
      const retries = yield* MailRetriesRepo
      const sendings = yield* DocumentSendLocks
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: QuoteId) {
        yield* Effect.annotateCurrentSpan({ "quote.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(found.version)
        return found
      })

      const list = Effect.fn("Quotes.list")(function* (query: QuotesQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        const today = yield* todayHere
        return mapRecords(yield* repo.list(organization_id, query, today), (facts) => completeSummary(facts, today))
      })

      const get = Effect.fn("Quotes.get")(function* (id: QuoteId) {
        yield* Effect.annotateCurrentSpan({ "quote.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return complete(yield* orNotFound(repo.find({ organization_id, id })), yield* todayHere)
      })

      /** Saves a new draft; the organization's first document locks its currency in the same transaction. */
      const insert = Effect.fnUntraced(function* (facts: QuoteFacts) {
        const { currency_in_use, id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const quote = complete(facts, yield* todayHere)
        const entry = yield* quoteEntry("quote.created", quote, [yield* quoteEvent("quote.created", quote)])
        const write = repo.insert(id, facts, user_id, entry)
        if (currency_in_use) yield* write
        else yield* transaction(Effect.andThen(organizations.markCurrencyInUse(id), write))
        return quote
      })

      const create = Effect.fn("Quotes.create")(function* (draft: QuoteDraft) {
        const details = yield* requireOneDelivery(quoteDetails.change({}, draft))
        return yield* insert(yield* blank({ ...draft, details }, yield* lines.begin("quotes", draft)))
      })

      const duplicate = Effect.fn("Quotes.duplicate")(function* (id: QuoteId) {
        const original = yield* get(id)
        const issue_date = yield* todayHere
        const valid_until = addDaysAtMost(issue_date, daysBetween(original.issue_date, original.valid_until))
        const begun = yield* lines.duplicate("quotes", original)
        const copied = {
          ...original,
          ...copiedClientData(original),
          details: withoutDelivery(original.details),
          prepaid_amount: zero,
          issue_date,
          valid_until
        }
        const copy = yield* insert(yield* blank(copied, begun))
        return begun.has_archived_rates ? { ...copy, warnings: ["tax_rate_archived" as const] } : copy
      })

      /**
       * Revokes the links to a quote, and gives up its unsent messages. They belong to the offer that was rejected; the
       * draft that replaces it may be for another customer.
       */
      const recall = Effect.fnUntraced(function* (id: QuoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, document: "quote" as const, document_id: id }
        yield* links.revoke(key)
        yield* retries.giveUp(key)
      })

      const update = Effect.fn("Quotes.update")(function* (id: QuoteId, sent: QuoteChanges) {
        const { id: organization_id } = yield* CurrentOrganization
        const stored = yield* lock(id)
        const today = yield* todayHere
        const before = complete(stored, today)
        const current = {
          ...before,
          items: before.items.map(unchangedLine),
          discounts: before.discounts.map(unchangedAdjustment),
          charges: before.charges.map(unchangedAdjustment)
        }
        const isOpen = before.status === "draft" || before.status === "rejected"
        const changes = yield* changesTo(current, withPrepaid(sent), fixed_fields).pipe(
          Effect.mapError((refused) => (isOpen ? refused : QuoteLocked.change(before)))
        )
        const isKept = isClientDataOnly(changes)
        if (!isOpen && !isKept) return yield* QuoteLocked.change(before)
        if (isOpen && isUnchanged(changes)) return before
        const rest = Struct.omit(changes, ["charges", "discounts", "items", "prepaid_amount"])
        const details = yield* requireOneDelivery(quoteDetails.change(stored.details, changes))
        const prepaid = changes.prepaid_amount === undefined ? stored.prepaid_amount : (changes.prepaid_amount ?? zero)
        const changed = { ...stored, ...rest, ...clientDataOf(changes, stored), details, prepaid_amount: prepaid }
        if (changed.valid_until < changed.issue_date) {
          return yield* ValidationFailed.of({
            valid_until: ["The valid_until field must not be before the issue date."]
          })
        }
        yield* requireYearOfNumber(stored, changed, "create another quote instead")
        // A rejected quote shows its customer as of the offer; the draft that it becomes shows the customer as of
        // today.
        const isReopened = before.status === "rejected" && !isKept
        const customer_id = changes.customer_id ?? (isReopened ? stored.customer_id : undefined)
        const pricing = withRepeated(changes, sent)
        const facts = {
          ...changed,
          ...(yield* lines.change("quotes", stored, customer_id === undefined ? pricing : { ...pricing, customer_id })),
          ...(isKept ? {} : undecided),
          updated_at: yield* now,
          version: stored.version + 1
        }
        yield* requirePrepaid(facts.prepaid_amount, facts.total, facts.currency)
        if (isReopened) yield* sendings.unlessSending({ kind: "quote", id })(recall(id))
        const quote = complete(facts, today)
        const event = yield* quoteEvent("quote.updated", quote, before.status)
        yield* repo.change(organization_id, facts, yield* quoteEntry("quote.updated", quote, [event]))
        return quote
      }, transaction)

      const remove = Effect.fn("Quotes.remove")(function* (id: QuoteId) {
        const { id: organization_id, role } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const stored = yield* lock(id)
        const quote = complete(stored, yield* todayHere)
        if (quote.status === "accepted" || quote.status === "converted") return yield* QuoteLocked.removal(quote)
        // A member may delete only the drafts that they created (rules/authentication.md, Roles).
        const ownDraft = quote.status === "draft" && stored.created_by === user_id
        if (role === "member" && !ownDraft) return yield* Forbidden.of("quotes.delete")
        const event = yield* quoteEvent("quote.deleted", quote)
        yield* repo.remove(organization_id, id, yield* quoteEntry("quote.deleted", quote, [event]))
        return { id }
      }, transaction)

      const hold = Effect.fn("Quotes.hold")(function* (ids: ReadonlyArray<QuoteId>) {
        yield* repo.hold((yield* CurrentOrganization).id, ids)
      })

      return Quotes.of({ list, get, create, update, remove, hold, duplicate })
    })
  ).pipe(
    Layer.provide([QuotesRepo.layer, DocumentLines.layer, Organizations.layer]),
    Layer.provide([DocumentLinksRepo.layer, DocumentSendLocks.layer, MailRetriesRepo.layer])
  )
}

const undecided = {
  status: "draft" as const,
  sent_at: null,
  accepted_at: null,
  rejected_at: null,
  rejection_reason: null,
  converted_at: null,
  invoice_id: null
}

type Outset = Omit<QuoteDraft, keyof typeof quoteDetails.input | "items" | "discounts" | "charges"> &
  Pick<QuoteFacts, "details">

const blank = Effect.fnUntraced(function* (draft: Outset, { customer, id, totals }: Begun) {
  const created_at = yield* now
  const prepaid_amount = draft.prepaid_amount ?? zero
  yield* requirePrepaid(prepaid_amount, totals.total, draft.currency)
  const facts: QuoteFacts = {
    id: QuoteId.make(id),
    number: null,
    customer_id: draft.customer_id,
    customer,
    issue_date: draft.issue_date,
    valid_until: draft.valid_until,
    currency: draft.currency,
    ...totals,
    prepaid_amount,
    notes: draft.notes ?? null,
    terms: draft.terms ?? null,
    details: draft.details,
    ...clientDataOf(draft),
    ...undecided,
    created_at,
    updated_at: created_at,
    version: 1
  }
  return facts
})
