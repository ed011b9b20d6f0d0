import { Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"

/** Counts an organization's records. */
export const OrganizationStatistics = Schema.Struct({
  customers: Schema.Int,
  /** Each count by status equals the total of the invoice list with that status filter. */
  invoices: Schema.Struct({
    total: Schema.Int,
    draft: Schema.Int,
    sent: Schema.Int,
    overdue: Schema.Int,
    paid: Schema.Int
  }),
  quotes: Schema.Int,
  expenses: Schema.Int,
  /** Open amounts of issued invoices, one sum per currency. */
  outstanding: Schema.Array(Schema.Struct({ currency: CurrencyCode, amount: Amount })),
  /** Number of active members. */
  users: Schema.Int
}).annotate({ identifier: "OrganizationStatistics" })
export type OrganizationStatistics = typeof OrganizationStatistics.Type
