import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { period, Unit } from "../periods/Period.ts"
import { SalesFigures } from "./Sales.ts"

const Grouping = Schema.Literals([...Unit.literals, "customer"])

export const revenueQuery = {
  ...period,
  group_by: Schema.optionalKey(Grouping.annotate({ message: `must be one of: ${Grouping.literals.join(", ")}.` }))
}
export type RevenueQuery = Schema.Struct.Type<typeof revenueQuery>

const Row = Schema.Struct({
  /** "2026-03-01", "2026-W09", "2026-03", "2026-Q1", "2026", or the id of the customer. */
  key: Schema.String,
  /** Of the customer. */
  name: Schema.optionalKey(Schema.String),
  ...SalesFigures.fields
})

/** Each unit of the period, without sales too; or each customer with some, the best first. */
const section = { currency: CurrencyCode, rows: Schema.Array(Row), totals: SalesFigures }

/** Contract section 13. Amounts are decimal strings, in the organization's currency where nothing else is said. */
export const Revenue = Schema.Struct({
  start_date: Day,
  end_date: Day,
  group_by: Grouping,
  ...section,
  /** The same of documents in other currencies without an exchange rate, which are in none of the above. */
  other_currencies: Schema.Array(Schema.Struct(section))
})
export type Revenue = typeof Revenue.Type

/** The customers who brought the most revenue ever since, ties by id. */
const Customer = Schema.Struct({ customer_id: CustomerId, name: Schema.String, ...SalesFigures.fields })
const customers = { currency: CurrencyCode, customers: Schema.Array(Customer) }

/** Contract section 13. */
export const TopCustomers = Schema.Struct({
  ...customers,
  other_currencies: Schema.Array(Schema.Struct(customers))
})
export type TopCustomers = typeof TopCustomers.Type
