import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

const sums = <S extends Schema.Top>(amount: S) => ({
  currency: CurrencyCode,
  /** Totals of issued invoices. */
  invoiced: amount,
  /** Received less given back. */
  paid: amount,
  credited: amount,
  /** Balances due; `overdue` is the part of it past its due date. */
  outstanding: amount,
  overdue: amount
})

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
export const CustomerFigures = Schema.Struct({ ...facts, sums: Schema.Array(Schema.Struct(sums(Amount))) })

/** Amounts are decimal strings; contract section 4. */
export const CustomerStatistics = Schema.Struct({
  ...sums(Schema.String),
  ...facts,
  /** The same sums of invoices in other currencies without an exchange rate, which are in none of the above. */
  unconverted: Schema.Array(Schema.Struct(sums(Schema.String)))
})
export type CustomerStatistics = typeof CustomerStatistics.Type
