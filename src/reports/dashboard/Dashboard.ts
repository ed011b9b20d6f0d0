import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { DashboardPeriod, DashboardPeriodInput } from "./DashboardPeriod.ts"

export const dashboardQuery = { period: DashboardPeriodInput }

/** Invoices, quotes and expenses by the dates they bear, as revenue is (contract section 13), not by when they changed. */
const Counts = Schema.Struct({
  invoices_issued: Schema.Int,
  /** Of those issued in the period, the ones that are paid by now, whenever that was: never more than were issued. */
  invoices_paid: Schema.Int,
  /** Of the quotes dated in the period, the ones that were sent and those that were accepted. */
  quotes_sent: Schema.Int,
  quotes_accepted: Schema.Int,
  expenses: Schema.Int
})

/** What customers owe today, in one currency. */
const Owed = Schema.Struct({ currency: CurrencyCode, outstanding: Amount, overdue: Amount })
export type Owed = typeof Owed.Type

/** What the tables say beside sales and costs. */
export const Standing = Schema.Struct({ counts: Counts, owed: Schema.Array(Owed) })

const result = { revenue: Schema.String, expenses: Schema.String, profit: Schema.String }

const section = {
  currency: CurrencyCode,
  /** Net, less credit notes; expenses are net with the tax that cannot be deducted. */
  ...result,
  /** Of today, whatever the period. */
  outstanding: Schema.String,
  overdue: Schema.String,
  /** Tax charged less deductible tax paid. */
  vat_balance: Schema.String
}

/** Contract section 13. Amounts are decimal strings. */
export const Dashboard = Schema.Struct({
  period: DashboardPeriod,
  start_date: Day,
  end_date: Day,
  ...section,
  counts: Counts,
  /** The period before, of the same length. */
  previous: Schema.Struct(result),
  /** By month. */
  series: Schema.Array(Schema.Struct({ period: Schema.String, revenue: Schema.String, expenses: Schema.String })),
  /** What is in other currencies and names no exchange rate, so that it is in none of the above. */
  other_currencies: Schema.Array(Schema.Struct(section))
})
export type Dashboard = typeof Dashboard.Type
