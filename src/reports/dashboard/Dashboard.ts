import { Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount } from "../../kernel/Money.ts"
import { DashboardPeriod, DashboardPeriodInput } from "./DashboardPeriod.ts"
import { described } from "../../kernel/Described.ts"

export const dashboardQuery = { period: described(DashboardPeriodInput, "Time that the dashboard covers.") }

/** Invoices, quotes and expenses count in the period of their own date, as in the revenue report. */
const Counts = Schema.Struct({
  invoices_issued: described(Schema.Int, "Number of invoices issued in the period."),
  invoices_paid: described(Schema.Int, "Number of these invoices that are paid by now."),
  quotes_sent: described(Schema.Int, "Number of quotes dated in the period that were sent."),
  quotes_accepted: described(
    Schema.Int,
    "Number of quotes dated in the period that were accepted, including those that were not sent."
  ),
  expenses: described(Schema.Int, "Number of expenses dated in the period.")
})

const Owed = Schema.Struct({ currency: CurrencyCode, outstanding: Amount, overdue: Amount })
export type Owed = typeof Owed.Type

/** The figures of a dashboard that are neither sales nor costs. */
export const Standing = Schema.Struct({ counts: Counts, owed: Schema.Array(Owed) })

const result = {
  revenue: described(Schema.String, "Net revenue minus credit notes."),
  expenses: described(Schema.String, "Net expenses plus tax that cannot be deducted."),
  profit: described(Schema.String, "Revenue minus expenses.")
}

const section = {
  currency: described(CurrencyCode, "Currency of the figures."),
  ...result,
  outstanding: described(
    Schema.String,
    "Sum of `balance_due` of all invoices, whatever the period. Payments with a later date than today already count; " +
      "in aged receivables they do not. Aged receivables deduct the unused credit of customers, which this sum does not."
  ),
  overdue: described(Schema.String, "The part of `outstanding` that is past its due date."),
  vat_balance: described(Schema.String, "Tax charged minus deductible tax paid in the period.")
}

export const Dashboard = Schema.Struct({
  period: described(DashboardPeriod, "The requested period."),
  start_date: described(Day, "First day of the period."),
  end_date: described(Day, "Last day of the period."),
  ...section,
  counts: described(Counts, "Numbers of documents in the period."),
  previous: described(Schema.Struct(result), "Results of the preceding period of the same length."),
  series: described(
    Schema.Array(
      Schema.Struct({
        period: described(Schema.String, "The month, such as `2026-03`."),
        ...Struct.pick(result, ["revenue", "expenses"])
      })
    ),
    "One entry for each month."
  ),
  other_currencies: described(
    Schema.Array(Schema.Struct(section)),
    "Figures of documents in other currencies without an exchange rate; the figures above do not include them."
  )
}).annotate({
  identifier: "Dashboard",
  description: "Key figures of a period. Amounts are texts with the decimals of their currency."
})
export type Dashboard = typeof Dashboard.Type
