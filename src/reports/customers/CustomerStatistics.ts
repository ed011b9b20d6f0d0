import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"

const sums = {
  currency: described(CurrencyCode, "Currency of the sums."),
  invoiced: described(Amount, "Sum of the totals of issued invoices."),
  paid: described(Amount, "Payments minus refunds."),
  credited: described(Amount, "Sum of the credit notes."),
  outstanding: described(Amount, "Sum of the balances due."),
  overdue: described(Amount, "The part of `outstanding` that is past its due date.")
}

const facts = {
  invoices_count: described(Schema.Int, "Number of invoices, including drafts but not void ones."),
  quotes_count: described(Schema.Int, "Number of quotes."),
  average_days_to_pay: described(
    Schema.NullOr(Decimal),
    "Days from the issue date to the last payment, over all paid invoices; null if there are none."
  ),
  last_invoice_date: described(Schema.NullOr(Day), "Issue date of the latest invoice; null if there is none."),
  last_payment_date: described(Schema.NullOr(Day), "Day of the latest payment; null if there is none.")
}

/** `sums` has a row for the organization's currency, and one for each currency of invoices without an exchange rate. */
export const CustomerFigures = Schema.Struct({ ...facts, sums: Schema.Array(Schema.Struct(sums)) })

export const CustomerStatistics = Schema.Struct({
  ...sums,
  ...facts,
  unconverted: described(
    Schema.Array(Schema.Struct(sums)),
    "The sums of invoices in other currencies without an exchange rate; the sums above do not include them."
  )
}).annotate({
  identifier: "CustomerStatistics",
  description:
    "Sums and counts of a customer, in the currency of the organization. Each payment and credit note is converted as " +
    "in the customer's statement."
})
export type CustomerStatistics = typeof CustomerStatistics.Type
