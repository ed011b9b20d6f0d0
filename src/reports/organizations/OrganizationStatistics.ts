import { Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"

export const OrganizationStatistics = Schema.Struct({
  customers: described(Schema.Int, "Number of customers."),
  invoices: described(
    Schema.Struct({
      total: described(Schema.Int, "Number of invoices, without void ones."),
      draft: described(Schema.Int, "Number of drafts."),
      sent: described(Schema.Int, "Number of invoices with the status `sent`."),
      overdue: described(Schema.Int, "Number of overdue invoices."),
      paid: described(Schema.Int, "Number of paid invoices.")
    }),
    "Numbers of invoices by status; each equals the total of the list with that filter."
  ),
  quotes: described(Schema.Int, "Number of quotes."),
  expenses: described(Schema.Int, "Number of expenses."),
  outstanding: described(
    Schema.Array(
      Schema.Struct({
        currency: described(CurrencyCode, "Currency of the sum."),
        amount: described(Amount, "Sum of the open amounts.")
      })
    ),
    "Sums of the open amounts of issued invoices, one for each currency."
  ),
  users: described(Schema.Int, "Number of active members.")
}).annotate({ identifier: "OrganizationStatistics", description: "Numbers of records of an organization." })
export type OrganizationStatistics = typeof OrganizationStatistics.Type
