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
  /** The unit ("2026-03-01", "2026-W09", "2026-03", "2026-Q1", "2026") or the customer's id. */
  key: Schema.String,
  /** Name of the customer. */
  name: Schema.optionalKey(Schema.String),
  ...SalesFigures.fields
})

/** A row for each unit of the period, even without sales; or for each customer with sales, by descending revenue. */
const section = { currency: CurrencyCode, rows: Schema.Array(Row), totals: SalesFigures }

/** Amounts are decimal strings, in the organization's currency unless a section names another one. */
export const Revenue = Schema.Struct({
  start_date: Day,
  end_date: Day,
  group_by: Grouping,
  ...section,
  /** The same for documents in other currencies without an exchange rate, which the figures above do not include. */
  other_currencies: Schema.Array(Schema.Struct(section))
}).annotate({ identifier: "Revenue" })
export type Revenue = typeof Revenue.Type

/** The customers with the most revenue of all time; ties are ordered by id. */
const Customer = Schema.Struct({ customer_id: CustomerId, name: Schema.String, ...SalesFigures.fields })
const customers = { currency: CurrencyCode, customers: Schema.Array(Customer) }

export const TopCustomers = Schema.Struct({
  ...customers,
  other_currencies: Schema.Array(Schema.Struct(customers))
}).annotate({ identifier: "TopCustomers" })
export type TopCustomers = typeof TopCustomers.Type
