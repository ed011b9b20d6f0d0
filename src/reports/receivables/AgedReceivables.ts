import { BigDecimal, Schema } from "effect"
import { Day, daysBetween } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { textIn } from "../sales/Sales.ts"

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

/** What a customer owes in one currency: the sums of all their invoices. */
const CustomerBalance = Schema.Struct({
  currency: CurrencyCode,
  customer_id: CustomerId,
  name: Schema.String,
  ...bucketed(Amount)
})
type CustomerBalance = typeof CustomerBalance.Type

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
  customers: Schema.Array(CustomerBalance),
  /** The ones longest due, of so many as a report lists. */
  invoices: Schema.Array(OpenInvoice),
  invoices_count: Schema.Int
})

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
  /** Invoices that are in the sums and not listed, because they are too many; the ones longest due are listed. */
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

const sumsIn = (currency: CurrencyCode, balances: ReadonlyArray<CustomerBalance>) => {
  const sum = (bucket: Bucket | "total") =>
    textIn(currency)(BigDecimal.sumAll(balances.map((balance) => balance[bucket])))
  return {
    current: sum("current"),
    "1_30": sum("1_30"),
    "31_60": sum("31_60"),
    "61_90": sum("61_90"),
    over_90: sum("over_90"),
    total: sum("total")
  }
}

/** One currency's part of the report. */
export const agedIn = (
  currency: CurrencyCode,
  as_of: Day,
  balances: ReadonlyArray<CustomerBalance>,
  invoices: ReadonlyMap<CustomerId, ReadonlyArray<OpenInvoice>>
) => ({
  currency,
  totals: sumsIn(currency, balances),
  customers: balances.map((balance) => ({
    customer_id: balance.customer_id,
    name: balance.name,
    ...sumsIn(currency, [balance]),
    invoices: (invoices.get(balance.customer_id) ?? []).map((invoice) => agedOn(as_of, invoice))
  }))
})
