import { Context, Effect, Layer, Option, Struct } from "effect"
import { addDaysAtMost, type Day, daysBetween, now, timeOf } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import { changesTo, isUnchanged } from "../../../kernel/Changes.ts"
import { copiedClientData, isClientDataOnly } from "../../../kernel/ClientData.ts"
import type { InvoiceId } from "../../../kernel/Ids.ts"
import { type Deletion, type Listing, mapRecords } from "../../../kernel/Listing.ts"
import { withRepeated } from "../../lines/Adjusting.ts"
import { requirePrepaid, withPrepaid } from "../../lines/Pricing.ts"
import { type BegunCopy, DocumentLines } from "../../lines/DocumentLines.ts"
import type { GrossLine } from "../../lines/GrossLine.ts"
import type { LineItemInput } from "../../lines/LineItem.ts"
import { type NotFound, orNotFound, type PreconditionFailed, type ValidationFailed } from "../../../kernel/Refusal.ts"
import type { CustomerDeleted } from "../../../customers/CustomerErrors.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import type { Entry } from "../../../platform/events/AuditLog.ts"
import { onePerKey } from "../../../platform/jobs/OnePerKey.ts"
import { requireVersion } from "../../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { complete, completeSummary, isOpen, warned } from "../Invoice.ts"
import type { Invoice, InvoiceFacts, InvoicesQuery, InvoiceSummary, MarkSent } from "../Invoice.ts"
import { spanned } from "../../../platform/observability/Spanned.ts"
import { AttachmentsRepo } from "../attachments/AttachmentsRepo.ts"
import { BilledExpenses } from "./BilledExpenses.ts"
import { requireEmbeddable } from "./Embedding.ts"
import { blank, changedFacts, duplicated, fixed_fields, mayChange, newDetails, sentBack } from "./InvoiceDraft.ts"
import type { Changes, Copied, InvoiceChanges, InvoiceDraft } from "./InvoiceDraft.ts"
import { InvoiceLocked, type NonChronological, requireBilledCurrency } from "../InvoiceErrors.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { invoiceEntry, invoiceEvent, statusEvent, sentEvents } from "../InvoiceAudit.ts"
import { ConvertedQuotes } from "../../conversions/ConvertedQuotes.ts"
import { InvoiceListRepo } from "../InvoiceListRepo.ts"
import { InvoicesRepo, type Taking } from "../InvoicesRepo.ts"
import { InvoiceIssuer } from "./InvoiceIssuer.ts"
import { InvoiceWarnings } from "./InvoiceWarnings.ts"

type NotCreated = ValidationFailed | NumberTaken | BooksLocked
type NotIssued = NotFound | InvoiceLocked | NonChronological | NumberTaken | CustomerDeleted | BooksLocked

/** Maximum number of organizations that number drafts at the same time. Requests of one organization take turns. */
const numbering_organizations_max = 1_000

export class Invoices extends Context.Service<
  Invoices,
  {
    readonly list: (
      query: InvoicesQuery
    ) => Effect.Effect<Listing<InvoiceSummary | Deletion>, never, CurrentOrganization>
    readonly get: (id: InvoiceId) => Effect.Effect<Invoice, NotFound, CurrentOrganization>
    readonly create: (draft: InvoiceDraft) => Effect.Effect<Invoice, NotCreated, Caller>
    /** A field equal to the stored one does not count as a change, so even a locked invoice accepts it. */
    readonly update: (
      id: InvoiceId,
      changes: InvoiceChanges
    ) => Effect.Effect<Invoice, NotFound | PreconditionFailed | InvoiceLocked | ValidationFailed | BooksLocked, Caller>
    /** Appends a line to a draft; the other lines keep their ids and rates. */
    readonly addItem: (
      id: InvoiceId,
      item: LineItemInput
    ) => Effect.Effect<Invoice, NotFound | InvoiceLocked | ValidationFailed | BooksLocked, Caller>
    /** Locks invoices until commit. Must run before the transaction's first audit entry, which locks the audit log. */
    readonly hold: (ids: ReadonlyArray<InvoiceId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly duplicate: (id: InvoiceId) => Effect.Effect<Invoice, NotFound | NotCreated, Caller>
    /** Creates a draft with the exact lines and rates of another document, including archived rates. */
    readonly createFrom: (original: Copied) => Effect.Effect<Invoice, NotCreated, Caller>
    /** Issues a draft in the caller's transaction, without sending it. An issued invoice stays unchanged. */
    readonly issue: (id: InvoiceId) => Effect.Effect<Invoice, NotIssued, Caller>
    /** Creates a draft of one line for an amount that is already paid, due on its issue date. */
    readonly createGross: (line: GrossLine, issue_date: Day) => Effect.Effect<Invoice, NotCreated, Caller>
    readonly markSent: (id: InvoiceId, body: MarkSent) => Effect.Effect<Invoice, NotIssued, Caller>
  }
>()("invoicing/billing/invoices/writing/Invoices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvoicesRepo
      const lists = yield* InvoiceListRepo
      const lines = yield* DocumentLines
      const organizations = yield* Organizations
      const issuing = yield* InvoiceIssuer
      const attachments = yield* AttachmentsRepo
      const converted = yield* ConvertedQuotes
      const billedExpenses = yield* BilledExpenses
      const warnings = yield* InvoiceWarnings
      const { optimistic, transaction } = yield* Database
      const inTurn = onePerKey(numbering_organizations_max)

      const lock = Effect.fnUntraced(function* (id: InvoiceId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      const list = Effect.fnUntraced(function* (query: InvoicesQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        const today = yield* todayHere
        return mapRecords(yield* lists.list(organization_id, query, today), (facts) => completeSummary(facts, today))
      }, spanned("Invoices.list"))

      const get = Effect.fnUntraced(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return complete(yield* orNotFound(repo.find({ organization_id, id })), yield* todayHere)
      }, spanned("Invoices.get"))

      const insert = Effect.fnUntraced(function* (facts: InvoiceFacts) {
        const { currency_in_use, id, settings } = yield* CurrentOrganization
        yield* requireOpenBooks(facts.issue_date)
        if (!currency_in_use) return yield* insertLocking(facts)
        if (settings.invoice_number_on === "issue") return (yield* write(facts)).invoice
        return yield* optimistic(
          (locking) => (locking ? Effect.asSome(insertLocking(facts)) : insertTaking(facts)),
          inTurn(String(id))
        )
      }, warnings.onDraft)

      const write = Effect.fnUntraced(function* (facts: InvoiceFacts, place?: Entry["data"], taking?: Taking) {
        const organization = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const invoice: Invoice = complete(facts, yield* todayHere)
        const event = yield* invoiceEvent("invoice.created", invoice)
        const entry = yield* invoiceEntry("invoice.created", invoice, [event], place)
        return { invoice, written: yield* repo.insert(organization.id, facts, user_id, entry, taking) }
      })

      /** Saves a draft with the next number, unless another request takes that number meanwhile. */
      const insertTaking = Effect.fnUntraced(function* (draft: InvoiceFacts) {
        const foreseen = yield* issuing.foresee(draft)
        if (Option.isNone(foreseen)) return Option.none()
        const { facts, place, taking } = foreseen.value
        const { invoice, written } = yield* write(facts, place, taking)
        if (!written) return Option.none()
        yield* issuing.taken(taking)
        return Option.some(invoice)
      })

      /** Saves a new draft, with a number if drafts have one. Also marks the organization's currency as used. */
      const insertLocking = Effect.fnUntraced(function* (facts: InvoiceFacts) {
        const { currency_in_use, id, settings } = yield* CurrentOrganization
        if (!currency_in_use) yield* organizations.markCurrencyInUse(id)
        if (settings.invoice_number_on === "issue") return (yield* write(facts)).invoice
        const { facts: numbered, place } = yield* issuing.number(facts)
        return (yield* write(numbered, place)).invoice
      }, transaction)

      const create = Effect.fnUntraced(function* (draft: InvoiceDraft) {
        const details = yield* newDetails(draft)
        return yield* insert(yield* blank({ ...draft, details }, yield* lines.begin("invoices", draft)))
      }, spanned("Invoices.create"))

      const insertCopy = Effect.fnUntraced(function* (original: Copied, begun: BegunCopy) {
        const facts = yield* blank({ ...original, ...copiedClientData(original) }, begun)
        const copy = yield* insert({ ...facts, quote_id: original.quote_id ?? null })
        return begun.has_archived_rates ? { ...copy, ...warned(...(copy.warnings ?? []), "tax_rate_archived") } : copy
      })

      const duplicate = Effect.fn("Invoices.duplicate")(function* (id: InvoiceId) {
        const original = yield* get(id)
        const issue_date = yield* todayHere
        const due_date = addDaysAtMost(issue_date, daysBetween(original.issue_date, original.due_date))
        const begun = yield* lines.duplicate("invoices", original)
        const copied = { ...original, ...duplicated(original), issue_date, due_date, quote_id: null }
        return yield* insertCopy(copied, begun)
      })

      const createFrom = Effect.fn("Invoices.createFrom")(function* (original: Copied) {
        return yield* insertCopy(original, yield* lines.copy("invoices", original))
      })

      const createGross = Effect.fn("Invoices.createGross")(function* (line: GrossLine, issue_date: Day) {
        const { currency, customer_id } = line
        const draft = { customer_id, currency, issue_date, due_date: issue_date, details: {} }
        return yield* insert(yield* blank(draft, yield* lines.beginGross(line)))
      })

      const update = Effect.fn("Invoices.update")(
        function* (id: InvoiceId, sent: InvoiceChanges) {
          yield* Effect.annotateCurrentSpan({ "invoice.id": id })
          const stored = yield* lock(id)
          yield* requireVersion(stored.version)
          const today = yield* todayHere
          const before = complete(stored, today)
          const changes = yield* changesTo(sentBack(before), withPrepaid(sent), fixed_fields)
          if (isUnchanged(changes)) return before
          if (!mayChange(before, changes)) return yield* InvoiceLocked.change(before)
          if (!isClientDataOnly(changes)) yield* requireOpenBooks(before.issue_date, changes.issue_date ?? null)
          // A change of the currency removes the exchange rate unless the client sends one, so a sent rate counts even if
          // it equals the stored one.
          const facts = yield* changed(before, {
            ...withRepeated(changes, sent),
            ...Struct.pick(sent, ["exchange_rate"])
          })
          const expenses = changes.items === undefined ? [] : yield* billedExpenses.hold([id])
          return yield* Effect.tap(save(before, facts), billedExpenses.recordReleases(expenses))
        },
        transaction,
        warnings.onDraft
      )

      const addItem = Effect.fn("Invoices.addItem")(
        function* (id: InvoiceId, item: LineItemInput) {
          yield* Effect.annotateCurrentSpan({ "invoice.id": id })
          const before = complete(yield* lock(id), yield* todayHere)
          if (before.status !== "draft") return yield* InvoiceLocked.change(before)
          yield* requireOpenBooks(before.issue_date)
          return yield* save(before, { ...before, ...(yield* lines.append("invoices", before, item)) })
        },
        transaction,
        warnings.onDraft
      )

      const save = Effect.fnUntraced(function* (before: Invoice, facts: InvoiceFacts) {
        yield* requirePrepaid(facts.prepaid_amount, facts.total, facts.currency)
        const { id } = yield* CurrentOrganization
        const next = { ...facts, version: before.version + 1, updated_at: yield* now }
        const invoice = complete(next, yield* todayHere)
        const event = yield* invoiceEvent("invoice.updated", invoice, before.status)
        yield* repo.change(id, invoice, yield* invoiceEntry("invoice.updated", invoice, [event]))
        return invoice
      })

      const changed = Effect.fnUntraced(function* (stored: InvoiceFacts, changes: Changes) {
        const facts = yield* changedFacts(stored, changes)
        const { id: organization_id } = yield* CurrentOrganization
        if (changes.embedded_attachment_ids !== undefined) {
          const attached = yield* attachments.all({ organization_id, invoice_id: stored.id })
          yield* requireEmbeddable(facts.details, attached)
        }
        const invoice = { ...facts, ...(yield* lines.change("invoices", stored, changes)) }
        const billed = changes.currency === undefined ? [] : yield* repo.billedLines({ organization_id, id: stored.id })
        return yield* Effect.as(requireBilledCurrency(invoice, billed), invoice)
      })

      const hold = Effect.fn("Invoices.hold")(function* (ids: ReadonlyArray<InvoiceId>) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* Effect.andThen(repo.hold(organization_id, ids), converted.hold(ids))
      })

      const issue = Effect.fn("Invoices.issue")(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const organization = yield* CurrentOrganization
        const today = yield* todayHere
        const stored = yield* lock(id)
        if (stored.issued_at !== null) return complete(stored, today)
        const { facts, sealed, warnings } = yield* issuing.issue(stored, yield* now)
        const invoice = { ...complete({ ...facts, version: stored.version + 1 }, today), ...warnings }
        const event = yield* statusEvent(invoice, "draft")
        yield* repo.save(organization.id, invoice, yield* invoiceEntry("invoice.issued", invoice, [event], sealed))
        return invoice
      }, transaction)

      const markSent = Effect.fn("Invoices.markSent")(function* (id: InvoiceId, body: MarkSent) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const today = yield* todayHere
        const stored = yield* lock(id)
        const before = complete(stored, today)
        if (before.status !== "draft" && !isOpen(before)) return yield* InvoiceLocked.change(before)
        if (before.sent_at !== null) return before
        const at = yield* now
        const { facts, sealed, warnings } =
          before.status === "draft" ? yield* issuing.issue(stored, at) : { facts: stored, sealed: {}, warnings: {} }
        const sent_at = timeOf(body.sent_at ?? at, timezone)
        const sent = { sent_at, sent_method: body.sent_method ?? ("manual" as const) }
        const saved = { ...facts, ...sent, updated_at: at, version: stored.version + 1 }
        const invoice = { ...complete(saved, today), ...warnings }
        const events = yield* sentEvents(invoice, before.status)
        const action = before.status === "draft" ? "invoice.issued" : "invoice.sent"
        yield* repo.save(organization_id, invoice, yield* invoiceEntry(action, invoice, events, sealed))
        return invoice
      }, transaction)

      const changes = { create, update, addItem, duplicate, createFrom, createGross, issue, markSent }
      return Invoices.of({ list, get, hold, ...changes })
    })
  ).pipe(
    Layer.provide([InvoicesRepo.layer, InvoiceListRepo.layer, DocumentLines.layer]),
    Layer.provide([Organizations.layer, InvoiceIssuer.layer, AttachmentsRepo.layer]),
    Layer.provide([ConvertedQuotes.layer, InvoiceWarnings.layer])
  )
}
