import { Context, type Effect } from "effect"
import type { ExpenseId, InvoiceId } from "../../../kernel/Ids.ts"
import type { Caller, CurrentOrganization } from "../../../platform/http/Security.ts"

/** An expense that an invoice bills or is linked to, with its version before the invoice changes. */
interface HeldExpense {
  readonly id: ExpenseId
  readonly version: number
}

/**
 * Port to the expenses that invoices bill or are linked to. When an invoice loses the line of an expense, or is deleted
 * or voided, a trigger releases the expense in the statement that changes the invoice.
 */
export class BilledExpenses extends Context.Service<
  BilledExpenses,
  {
    /** Locks the expenses of the invoices. Must run before the transaction's first audit entry. */
    readonly hold: (
      invoice_ids: ReadonlyArray<InvoiceId>
    ) => Effect.Effect<ReadonlyArray<HeldExpense>, never, CurrentOrganization>
    /** Writes the audit entry and the event of each held expense that was released since. */
    readonly recordReleases: (held: ReadonlyArray<HeldExpense>) => Effect.Effect<void, never, Caller>
    /** Releases what a wholly credited invoice bills, so that another invoice can bill it. Links to the invoice stay. */
    readonly release: (invoice_id: InvoiceId) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/billing/invoices/writing/BilledExpenses") {}
