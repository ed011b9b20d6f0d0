import { Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"

/** How much an organization keeps; contract section 3. */
export const OrganizationStatistics = Schema.Struct({
  customers: Schema.Int,
  /** Each count by status equals the total of the invoice list filtered by it. */
  invoices: Schema.Struct({
    total: Schema.Int,
    draft: Schema.Int,
    sent: Schema.Int,
    overdue: Schema.Int,
    paid: Schema.Int
  }),
  quotes: Schema.Int,
  expenses: Schema.Int,
  /** What customers still owe on issued invoices, one sum per currency. */
  outstanding: Schema.Array(Schema.Struct({ currency: CurrencyCode, amount: Amount })),
  /** Active members. */
  users: Schema.Int
})
export type OrganizationStatistics = typeof OrganizationStatistics.Type
