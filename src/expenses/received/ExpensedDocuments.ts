import { Context, type Effect } from "effect"
import type { ExpenseId } from "../../kernel/Ids.ts"
import type { Caller, CurrentOrganization } from "../../platform/http/Security.ts"

/** Port to the received e-invoices from which expenses were made. */
export class ExpensedDocuments extends Context.Service<
  ExpensedDocuments,
  {
    /** Locks the documents of the expenses. Must run before the transaction's first audit entry. */
    readonly hold: (ids: ReadonlyArray<ExpenseId>) => Effect.Effect<void, never, CurrentOrganization>
    /** Lets the document of an expense that is being deleted become another expense. */
    readonly release: (id: ExpenseId) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/expenses/received/ExpensedDocuments") {}
