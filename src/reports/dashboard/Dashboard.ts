import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { DashboardPeriod, DashboardPeriodInput } from "./DashboardPeriod.ts"

export const dashboardQuery = { period: DashboardPeriodInput }

/** Invoices, quotes and expenses count in the period of their own date, as in the revenue report. */
const Counts = Schema.Struct({
  invoices_issued: Schema.Int,
  /** Invoices issued in the period that are paid by now; their number never exceeds `invoices_issued`. */
  invoices_paid: Schema.Int,
  /** Quotes dated in the period that were sent, or accepted, at any time. */
  quotes_sent: Schema.Int,
  quotes_accepted: Schema.Int,
  expenses: Schema.Int
})

/** Amounts that customers owe today in one currency. */
const Owed = Schema.Struct({ currency: CurrencyCode, outstanding: Amount, overdue: Amount })
export type Owed = typeof Owed.Type

/** The figures of a dashboard besides sales and costs. */
export const Standing = Schema.Struct({ counts: Counts, owed: Schema.Array(Owed) })

const result = { revenue: Schema.String, expenses: Schema.String, profit: Schema.String }

const section = {
  currency: CurrencyCode,
  /** Revenue is net and less credit notes; expenses are net plus non-deductible tax. */
  ...result,
  /** The amounts owed today, whatever the period. */
  outstanding: Schema.String,
  overdue: Schema.String,
  /** Tax charged minus deductible tax paid. */
  vat_balance: Schema.String
}

/** Amounts are decimal strings. */
export const Dashboard = Schema.Struct({
  period: DashboardPeriod,
  start_date: Day,
  end_date: Day,
  ...section,
  counts: Counts,
  /** Results of the preceding period of the same length. */
  previous: Schema.Struct(result),
  /** One entry for each month. */
  series: Schema.Array(Schema.Struct({ period: Schema.String, revenue: Schema.String, expenses: Schema.String })),
  /** Figures in other currencies without an exchange rate, which the figures above do not include. */
  other_currencies: Schema.Array(Schema.Struct(section))
}).annotate({ identifier: "Dashboard" })
export type Dashboard = typeof Dashboard.Type
