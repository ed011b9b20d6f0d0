import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { period, Unit } from "../periods/Period.ts"
import { SalesFigures } from "./Sales.ts"
import { described } from "../../kernel/Described.ts"

const Grouping = Schema.Literals([...Unit.literals, "customer"])

export const revenueQuery = {
  ...period,
  group_by: described(
    Schema.optionalKey(Grouping.annotate({ message: `must be one of: ${Grouping.literals.join(", ")}.` })),
    "Unit of time, or `customer`. Default: `month`."
  )
}
export type RevenueQuery = Schema.Struct.Type<typeof revenueQuery>

const Row = Schema.Struct({
  key: described(
    Schema.String,
    "The unit, such as `2026-03-01`, `2026-W09`, `2026-03`, `2026-Q1` or `2026`; or the id of the customer."
  ),
  name: described(Schema.optionalKey(Schema.String), "Name of the customer, if grouped by customer."),
  ...SalesFigures.fields
})

const section = {
  currency: described(CurrencyCode, "Currency of the sums."),
  rows: described(
    Schema.Array(Row),
    "A row for each unit, even without sales; or for each customer with sales, by descending revenue."
  ),
  totals: described(SalesFigures, "Sums over all rows.")
}

export const Revenue = Schema.Struct({
  start_date: described(Day, "First day of the period."),
  end_date: described(Day, "Last day of the period."),
  group_by: described(Grouping, "The requested grouping."),
  ...section,
  other_currencies: described(
    Schema.Array(Schema.Struct(section)),
    "The same for documents in other currencies without an exchange rate; the figures above do not include them."
  )
}).annotate({
  identifier: "Revenue",
  description: "Net sales of a period. Amounts are texts with the decimals of their currency."
})
export type Revenue = typeof Revenue.Type

const Customer = Schema.Struct({
  customer_id: CustomerId,
  name: described(Schema.String, "Name of the customer."),
  ...SalesFigures.fields
})
const customers = {
  currency: described(CurrencyCode, "Currency of the sums."),
  customers: described(Schema.Array(Customer), "The customers with the most revenue, the largest first.")
}

/** Customers with the same revenue are ordered by id. */
export const TopCustomers = Schema.Struct({
  ...customers,
  other_currencies: described(
    Schema.Array(Schema.Struct(customers)),
    "The same for documents in other currencies without an exchange rate."
  )
}).annotate({ identifier: "TopCustomers", description: "The customers with the most revenue of all time." })
export type TopCustomers = typeof TopCustomers.Type
