import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

const sums = <S extends Schema.Top>(amount: S) => ({
  currency: CurrencyCode,
  /** Sum of the totals of issued invoices. */
  invoiced: amount,
  /** Payments minus refunds. */
  paid: amount,
  credited: amount,
  /** Sum of the balances due; `overdue` is the part past its due date. */
  outstanding: amount,
  overdue: amount
})

const facts = {
  /** Counts all invoices except void ones, drafts included. */
  invoices_count: Schema.Int,
  quotes_count: Schema.Int,
  /** Days from the issue date to the last payment, over all paid invoices; null when there are none. */
  average_days_to_pay: Schema.NullOr(Decimal),
  last_invoice_date: Schema.NullOr(Day),
  last_payment_date: Schema.NullOr(Day)
}

/** Sums per currency: the organization's, and the currencies of invoices without an exchange rate. */
export const CustomerFigures = Schema.Struct({ ...facts, sums: Schema.Array(Schema.Struct(sums(Amount))) })

/** Amounts are decimal strings. */
export const CustomerStatistics = Schema.Struct({
  ...sums(Schema.String),
  ...facts,
  /** The same sums for invoices in other currencies without an exchange rate; the sums above do not include them. */
  unconverted: Schema.Array(Schema.Struct(sums(Schema.String)))
})
export type CustomerStatistics = typeof CustomerStatistics.Type
