import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

const sums = {
  currency: CurrencyCode,
  /** Sum of the totals of issued invoices. */
  invoiced: Amount,
  /** Payments minus refunds. */
  paid: Amount,
  credited: Amount,
  /** Sum of the balances due; `overdue` is the part past its due date. */
  outstanding: Amount,
  overdue: Amount
}

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
export const CustomerFigures = Schema.Struct({ ...facts, sums: Schema.Array(Schema.Struct(sums)) })

export const CustomerStatistics = Schema.Struct({
  ...sums,
  ...facts,
  /** The same sums for invoices in other currencies without an exchange rate; the sums above do not include them. */
  unconverted: Schema.Array(Schema.Struct(sums))
}).annotate({ identifier: "CustomerStatistics" })
export type CustomerStatistics = typeof CustomerStatistics.Type
