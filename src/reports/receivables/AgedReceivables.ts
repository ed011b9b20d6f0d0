import { BigDecimal, Schema } from "effect"
import { Day, daysBetween } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import { Amount, zero } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"

/** By days past the due date. */
export const buckets = ["current", "1_30", "31_60", "61_90", "over_90"] as const
const Bucket = Schema.Literals(buckets)
type Bucket = typeof Bucket.Type

const bucketed = <S extends Schema.Top>(amount: S) => ({
  current: amount,
  "1_30": amount,
  "31_60": amount,
  "61_90": amount,
  over_90: amount,
  total: amount
})

/** What all customers owe in one currency, and how many they are. */
const Total = Schema.Struct({ currency: CurrencyCode, customers: Schema.Int, ...bucketed(Amount) })
type Total = typeof Total.Type

/** What a customer owes in one currency: the sums of all their invoices. */
const CustomerBalance = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  name: Schema.String,
  ...bucketed(Amount)
})

/** One invoice of them. */
const OpenInvoice = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  id: InvoiceId,
  number: Schema.String,
  due_date: Day,
  balance: Amount
})
type OpenInvoice = typeof OpenInvoice.Type

/** What the tables say about a day. */
export const Balances = Schema.Struct({
  totals: Schema.Array(Total),
  /** The ones who owe most, of so many as a report lists. */
  customers: Schema.Array(CustomerBalance),
  /** Theirs that are longest due, of so many as a report lists. */
  invoices: Schema.Array(OpenInvoice),
  invoices_count: Schema.Int
})
type Balances = typeof Balances.Type

const AgedInvoice = Schema.Struct({
  id: InvoiceId,
  number: Schema.String,
  due_date: Day,
  /** 0 until the due date has passed, and for a balance in the customer's favour. */
  days_overdue: Schema.Int,
  /** Negative is owed to the customer. */
  balance_due: Schema.String,
  bucket: Bucket
})

const section = {
  currency: CurrencyCode,
  totals: Schema.Struct(bucketed(Schema.String)),
  customers: Schema.Array(
    Schema.Struct({
      customer_id: CustomerId,
      name: Schema.String,
      ...bucketed(Schema.String),
      invoices: Schema.Array(AgedInvoice)
    })
  )
}

export const agedReceivablesQuery = { as_of: Schema.optionalKey(Day) }

/** Contract section 13. Balances of that day, from what had happened by then; amounts are decimal strings. */
export const AgedReceivables = Schema.Struct({
  as_of: Day,
  buckets: Schema.Array(Bucket),
  ...section,
  /** The same of invoices in other currencies without an exchange rate. */
  other_currencies: Schema.Array(Schema.Struct(section)),
  /** Customers in the totals who are not listed, because they are too many; the ones who owe most are listed. */
  omitted_customers: Schema.Int,
  /** Invoices in the sums that are not listed, because they are too many; the ones longest due are listed. */
  omitted_invoices: Schema.Int
})
export type AgedReceivables = typeof AgedReceivables.Type

/** Upper bounds of days past due; what is in the customer's favour is not overdue, however old. */
const bucketOf = (days: number): Bucket => {
  if (days <= 0) return "current"
  if (days <= 30) return "1_30"
  if (days <= 60) return "31_60"
  return days <= 90 ? "61_90" : "over_90"
}

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

/** One currency's part of the report. */
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
