import { Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"

/** Counts an organization's records. */
export const OrganizationStatistics = Schema.Struct({
  customers: described(Schema.Int, "Number of customers."),
  /** Each count by status equals the total of the invoice list with that status filter. */
  invoices: Schema.Struct({
    total: described(Schema.Int, "Number of invoices."),
    draft: described(Schema.Int, "Number of drafts."),
    sent: described(Schema.Int, "Number of invoices with the status `sent`."),
    overdue: described(Schema.Int, "Number of overdue invoices."),
    paid: described(Schema.Int, "Number of paid invoices.")
  }),
  quotes: described(Schema.Int, "Number of quotes."),
  expenses: described(Schema.Int, "Number of expenses."),
  outstanding: described(
    Schema.Array(Schema.Struct({ currency: CurrencyCode, amount: Amount })),
    "Sums of the open amounts of issued invoices, one for each currency."
  ),
  users: described(Schema.Int, "Number of active members.")
}).annotate({ identifier: "OrganizationStatistics", description: "Numbers of records of an organization." })
export type OrganizationStatistics = typeof OrganizationStatistics.Type
