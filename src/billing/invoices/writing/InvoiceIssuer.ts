import { Context, Effect, Layer, Option } from "effect"
import { type Day, type Timestamp, yearOf } from "../../../kernel/Calendar.ts"
import type { CustomerId } from "../../../kernel/Ids.ts"
import type { CustomerDeleted } from "../../../customers/CustomerErrors.ts"
import { Customers } from "../../../customers/Customers.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import type { Entry } from "../../../platform/events/AuditLog.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"
import { spanned } from "../../../platform/observability/Spanned.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { DocumentArchiver } from "../../archiving/DocumentArchiver.ts"
import { IssuedDocuments } from "../../archiving/IssuedDocuments.ts"
import { Correspondence } from "../../correspondence/Correspondence.ts"
import { type Numbered, DocumentNumbers, placeInSeries } from "../../numbering/DocumentNumbers.ts"
import { invoiceSeal } from "../InvoiceSeal.ts"
import { type Invoice, type InvoiceFacts, isPaidAtIssue } from "../Invoice.ts"
import { InvoiceLocked, NonChronological } from "../InvoiceErrors.ts"
import type { Taking } from "../InvoicesRepo.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { InvoiceWarnings } from "./InvoiceWarnings.ts"

interface Issued {
  readonly facts: InvoiceFacts
  /** The number assigned at issue; none when the draft already had a number. */
  readonly numbered: Option.Option<Numbered>
  readonly warnings: Pick<Invoice, "warnings">
  readonly sealed: Entry["data"]
}

/** Issues invoices. An issued invoice has a number and a payment reference, and its content cannot change any more. */
export class InvoiceIssuer extends Context.Service<
  InvoiceIssuer,
  {
    /**
     * The caller saves the result in the transaction that locked the draft. With `once_sent`, archiving waits for the
     * end of the send, because the invoice becomes a draft again if no recipient gets it.
     */
    readonly issue: (
      draft: InvoiceFacts,
      at: Timestamp,
      archive?: "now" | "once_sent"
    ) => Effect.Effect<
      Issued,
      InvoiceLocked | NonChronological | NumberTaken | CustomerDeleted | BooksLocked,
      CurrentOrganization
    >
    /**
     * Assigns a draft its permanent number, for organizations that number at creation. Must run in the transaction that
     * writes the draft, before the audit log is locked. The series stays locked until the transaction ends.
     */
    readonly number: (
      draft: InvoiceFacts
    ) => Effect.Effect<
      { readonly facts: InvoiceFacts; readonly place: Entry["data"] },
      NumberTaken,
      CurrentOrganization
    >
    /** Predicts the number that a new draft gets when it is inserted. None when the number cannot be predicted. */
    readonly foresee: (
      draft: InvoiceFacts
    ) => Effect.Effect<
      Option.Option<{ readonly facts: InvoiceFacts; readonly place: Entry["data"]; readonly taking: Taking }>,
      never,
      CurrentOrganization
    >
    /** Records that the foreseen number was used. */
    readonly taken: (taking: Taking) => Effect.Effect<void, never, CurrentOrganization>
    /**
     * Locks the same records as issuing the drafts, in the same order. A transaction that also writes other records
     * calls this before its first write, because the audit log must be locked last.
     */
    readonly hold: (drafts: {
      readonly customer_ids: ReadonlyArray<CustomerId>
      readonly issue_dates: ReadonlyArray<Day>
    }) => Effect.Effect<void, never, CurrentOrganization>
  }
>()("invoicing/billing/invoices/writing/InvoiceIssuer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const numbering = yield* DocumentNumbers
      const correspondence = yield* Correspondence
      const archiving = yield* DocumentArchiver
      const issuedDocuments = yield* IssuedDocuments
      const invoiceWarnings = yield* InvoiceWarnings

      const issue = Effect.fn("InvoiceIssuer.issue")(function* (
        draft: InvoiceFacts,
        at: Timestamp,
        archive: "now" | "once_sent" = "now"
      ) {
        const { id: organization_id, settings } = yield* CurrentOrganization
        if (draft.voided_at !== null) return yield* InvoiceLocked.change({ ...draft, status: "void" })
        yield* requireOpenBooks(draft.issue_date)
        yield* issuedDocuments.requireDate(draft.issue_date)
        yield* customers.keep(draft.customer_id)
        const parties = yield* correspondence.keep("invoice", draft)
        const { non_chronological, number, numbered, payment_reference } = yield* numberOf(draft)
        if (non_chronological && settings.invoice_chronology_enforced) return yield* NonChronological.of()
        if (Option.isSome(numbered)) yield* numbering.requireFree("invoice", number)
        const paid_at = isPaidAtIssue(draft) ? at : null
        const facts = { ...draft, number, payment_reference, issued_at: at, paid_at, updated_at: at }
        const archive_mark = yield* archiving.depositInvoice({ ...facts, number }, archive)
        const place = Option.match(numbered, { onNone: () => ({}), onSome: placeInSeries })
        const sealed = {
          sha256: sha256Hex(yield* invoiceSeal(organization_id, facts, parties)),
          ...archive_mark,
          ...place
        }
        const warnings = yield* invoiceWarnings.onIssue(draft, non_chronological)
        return { facts, numbered, warnings, sealed }
      })

      const numberOf = Effect.fnUntraced(function* ({ issue_date, number, payment_reference }: InvoiceFacts) {
        if (number === null) {
          const numbered = yield* numbering.take("invoice", issue_date)
          return { ...numbered, numbered: Option.some(numbered) }
        }
        const { non_chronological } = yield* numbering.date("invoice", issue_date)
        return { number, payment_reference, non_chronological, numbered: Option.none<Numbered>() }
      })

      const number = Effect.fn("InvoiceIssuer.number")(function* (draft: InvoiceFacts) {
        const numbered = yield* numbering.reserve("invoice", draft.issue_date)
        const { number, payment_reference } = numbered
        yield* numbering.requireFree("invoice", number)
        return { facts: { ...draft, number, payment_reference }, place: placeInSeries(numbered) }
      })

      const foresee = Effect.fnUntraced(function* (draft: InvoiceFacts) {
        const foreseen = yield* numbering.foresee("invoice", draft.issue_date)
        return Option.map(foreseen, (numbered) => {
          const { number, payment_reference, sequence, series } = numbered
          return {
            facts: { ...draft, number, payment_reference },
            place: placeInSeries(numbered),
            taking: { number, sequence, series }
          }
        })
      }, spanned("InvoiceIssuer.foresee"))

      const taken = (taking: Taking) => numbering.taken("invoice", taking)

      const hold: InvoiceIssuer["Service"]["hold"] = Effect.fn("InvoiceIssuer.hold")(function* ({
        customer_ids,
        issue_dates
      }) {
        yield* customers.hold(customer_ids)
        const days = new Map(issue_dates.toSorted().map((day) => [yearOf(day), day]))
        for (const day of days.values()) yield* numbering.hold("invoice", day)
      })

      return InvoiceIssuer.of({ issue, number, foresee, taken, hold })
    })
  ).pipe(
    Layer.provide([Customers.layer, DocumentNumbers.layer, Correspondence.layer, DocumentArchiver.layer]),
    Layer.provide(InvoiceWarnings.layer)
  )
}
