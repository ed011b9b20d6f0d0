import { Context, Effect, Layer } from "effect"
import { type Day, type Timestamp, yearOf } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { Customers } from "../../customers/Customers.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Archiving } from "../archiving/Archiving.ts"
import { Correspondence } from "../printing/Correspondence.ts"
import { Numbering } from "../numbering/Numbering.ts"
import type { Invoice, InvoiceFacts } from "./Invoice.ts"
import { NonChronological } from "./InvoiceErrors.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"

export interface Issued {
  readonly facts: InvoiceFacts
  /** Place of its number in the series. */
  readonly sequence: number
  readonly warnings: Pick<Invoice, "warnings">
}

/** The moment an invoice leaves draft: it gets its number and its payment reference, and stays as it is from then on. */
export class InvoiceIssuing extends Context.Service<
  InvoiceIssuing,
  {
    /**
     * Facts of the invoice issued `at`, to be saved by the caller in the transaction that locked its draft. `once_sent`
     * leaves it to the caller to have it archived, since a sending that reaches nobody undoes the issue.
     */
    readonly issue: (
      draft: InvoiceFacts,
      at: Timestamp,
      archive?: "now" | "once_sent"
    ) => Effect.Effect<Issued, NonChronological | NumberTaken | CustomerDeleted, CurrentOrganization>
    /**
     * Locks what issuing drafts is going to lock, in the same order: the journal comes after it, so this is for a
     * transaction that writes other records before it issues.
     */
    readonly hold: (drafts: {
      readonly customer_ids: ReadonlyArray<CustomerId>
      readonly issue_dates: ReadonlyArray<Day>
    }) => Effect.Effect<void, never, CurrentOrganization>
  }
>()("invoicing/billing/invoices/InvoiceIssuing") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const numbering = yield* Numbering
      const correspondence = yield* Correspondence
      const archiving = yield* Archiving

      const issue = Effect.fn("InvoiceIssuing.issue")(function* (
        draft: InvoiceFacts,
        at: Timestamp,
        archive: "now" | "once_sent" = "now"
      ) {
        const { settings } = yield* CurrentOrganization
        yield* customers.markDocumented(draft.customer_id)
        yield* correspondence.keep("invoice", draft)
        const { non_chronological, number, payment_reference, sequence } = yield* numbering.take(
          "invoice",
          draft.issue_date
        )
        if (non_chronological && settings.invoice_chronology_enforced) return yield* NonChronological.of()
        yield* numbering.requireFree("invoice", number)
        const facts = { ...draft, number, payment_reference, issued_at: at, updated_at: at }
        yield* archiving.depositInvoice({ ...facts, number }, archive)
        return {
          facts,
          sequence,
          warnings: non_chronological ? { warnings: ["non_chronological" as const] } : {}
        }
      })

      const hold: InvoiceIssuing["Service"]["hold"] = Effect.fn("InvoiceIssuing.hold")(function* ({
        customer_ids,
        issue_dates
      }) {
        yield* customers.hold(customer_ids)
        const days = new Map(issue_dates.toSorted().map((day) => [yearOf(day), day]))
        for (const day of days.values()) yield* numbering.hold("invoice", day)
      })

      return InvoiceIssuing.of({ issue, hold })
    })
  ).pipe(Layer.provide([Customers.layer, Numbering.layer, Correspondence.layer, Archiving.layer]))
}
