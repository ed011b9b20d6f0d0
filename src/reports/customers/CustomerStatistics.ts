import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

const sums = {
  currency: CurrencyCode,
  /** Totals of issued invoices. */
  invoiced: Amount,
  /** Received less given back. */
  paid: Amount,
  credited: Amount,
  /** Balances due; `overdue` is the part of it past its due date. */
  outstanding: Amount,
  overdue: Amount
}

const facts = {
  /** All that the invoice list has, drafts included. */
  invoices_count: Schema.Int,
  quotes_count: Schema.Int,
  /** From the issue date to the last payment of invoices that are paid; null before there is one. */
  average_days_to_pay: Schema.NullOr(Decimal),
  last_invoice_date: Schema.NullOr(Day),
  last_payment_date: Schema.NullOr(Day)
}

/** Sums per currency: the organization's, and those of invoices that name no exchange rate into it. */
export const CustomerFigures = Schema.Struct({ ...facts, sums: Schema.Array(Schema.Struct(sums)) })

/** What the organization's currency holds; contract section 4. */
export const CustomerStatistics = Schema.Struct({
  ...sums,
  ...facts,
  /** The same sums of invoices in other currencies without an exchange rate, which are in none of the above. */
  unconverted: Schema.Array(Schema.Struct(sums))
})
export type CustomerStatistics = typeof CustomerStatistics.Type
