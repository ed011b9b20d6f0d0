import { BigDecimal, Schema } from "effect"
import { Day, daysBetween } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import { Amount, zero } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"
import { described } from "../../kernel/Described.ts"

/** The buckets of a receivables report, by the number of days past the due date. */
export const buckets = ["current", "1_30", "31_60", "61_90", "over_90"] as const
const Bucket = Schema.Literals(buckets)
type Bucket = typeof Bucket.Type

const bucketed = <S extends Schema.Top>(amount: S) => ({
  current: described(amount, "Balances that are not yet due."),
  "1_30": described(amount, "Balances that are 1 to 30 days overdue."),
  "31_60": described(amount, "Balances that are 31 to 60 days overdue."),
  "61_90": described(amount, "Balances that are 61 to 90 days overdue."),
  over_90: described(amount, "Balances that are more than 90 days overdue."),
  total: described(amount, "Sum of all balances.")
})

/** The sum that all customers owe in one currency, and the number of these customers. */
const Total = Schema.Struct({ currency: CurrencyCode, customers: Schema.Int, ...bucketed(Amount) })
type Total = typeof Total.Type

const CustomerBalance = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  name: Schema.String,
  ...bucketed(Amount)
})

const OpenInvoice = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  id: InvoiceId,
  number: Schema.String,
  due_date: Day,
  balance: Amount
})
type OpenInvoice = typeof OpenInvoice.Type

export const Balances = Schema.Struct({
  totals: Schema.Array(Total),
  /** The customers with the highest balances, up to the limit of a report. */
  customers: Schema.Array(CustomerBalance),
  /** The invoices of these customers with the earliest due dates, up to the limit of a report. */
  invoices: Schema.Array(OpenInvoice),
  invoices_count: Schema.Int
})
type Balances = typeof Balances.Type

const AgedInvoice = Schema.Struct({
  id: InvoiceId,
  number: described(Schema.String, "Number of the invoice."),
  due_date: described(Day, "Last day to pay."),
  days_overdue: described(
    Schema.Int,
    "Days since the due date; 0 before it, and for a balance in the customer's favour."
  ),
  balance_due: described(Schema.String, "Balance of the invoice; negative if the organization owes the customer."),
  bucket: described(Bucket, "Age class of the balance.")
})

const section = {
  currency: described(CurrencyCode, "Currency of the sums."),
  totals: described(Schema.Struct(bucketed(Schema.String)), "Sums over all customers."),
  customers: described(
    Schema.Array(
      Schema.Struct({
        customer_id: CustomerId,
        name: described(Schema.String, "Name of the customer."),
        ...bucketed(Schema.String),
        invoices: described(Schema.Array(AgedInvoice), "Open invoices of the customer, the earliest due date first.")
      })
    ),
    "The customers with the highest balances, in the order of their names."
  )
}

export const agedReceivablesQuery = {
  as_of: described(
    Schema.optionalKey(Day),
    "Day at whose end the invoices, payments, refunds and credit notes are counted. Default: today."
  )
}

/**
 * The balances at the end of a day, from the payments, refunds and credit notes until then. Their age is that of the
 * present due date, because no earlier due date is kept.
 */
export const AgedReceivables = Schema.Struct({
  as_of: described(
    Day,
    "Day of the balances: payments, refunds and credit notes with a later date do not count. Default: today in the time " +
      "zone of the organization."
  ),
  buckets: described(Schema.Array(Bucket), "Names of the age classes, in order."),
  ...section,
  other_currencies: described(
    Schema.Array(Schema.Struct(section)),
    "The same for invoices in other currencies without an exchange rate."
  ),
  omitted_customers: described(
    Schema.Int,
    "Customers in the totals that are not listed, because the list has a limit."
  ),
  omitted_invoices: described(Schema.Int, "Invoices in the sums that are not listed, because the list has a limit.")
}).annotate({
  identifier: "AgedReceivables",
  description: "What customers owe, by age. Amounts are texts with the decimals of their currency."
})
export type AgedReceivables = typeof AgedReceivables.Type

const bucketOf = (days: number): Bucket => {
  if (days <= 0) return "current"
  if (days <= 30) return "1_30"
  if (days <= 60) return "31_60"
  return days <= 90 ? "61_90" : "over_90"
}

/** A balance in the customer's favour counts as not overdue. */
const agedOn = (as_of: Day, { balance, due_date, id, number, currency }: OpenInvoice) => {
  const days_overdue = BigDecimal.isNegative(balance) ? 0 : Math.max(0, daysBetween(due_date, as_of))
  return { id, number, due_date, days_overdue, balance_due: textIn(currency)(balance), bucket: bucketOf(days_overdue) }
}

const sumsIn = (currency: CurrencyCode, sums: Omit<Total, "currency" | "customers">) => {
  const text = textIn(currency)
  return {
    current: text(sums.current),
    "1_30": text(sums["1_30"]),
    "31_60": text(sums["31_60"]),
    "61_90": text(sums["61_90"]),
    over_90: text(sums.over_90),
    total: text(sums.total)
  }
}

const nothing = { current: zero, "1_30": zero, "31_60": zero, "61_90": zero, over_90: zero, total: zero }

export const agedIn = (currency: CurrencyCode, as_of: Day, { customers, invoices, totals }: Balances) => {
  const owing = Map.groupBy(
    invoices.filter((invoice) => invoice.currency === currency),
    (invoice) => invoice.customer_id
  )
  return {
    currency,
    totals: sumsIn(currency, totals.find((total) => total.currency === currency) ?? nothing),
    customers: customers
      .filter((balance) => balance.currency === currency)
      .map((balance) => ({
        customer_id: balance.customer_id,
        name: balance.name,
        ...sumsIn(currency, balance),
        invoices: (owing.get(balance.customer_id) ?? []).map((invoice) => agedOn(as_of, invoice))
      }))
  }
}
