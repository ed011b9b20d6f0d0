import { BigDecimal, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { textIn } from "../periods/Currencies.ts"
import { type SalesSums, totalOf } from "../sales/Sales.ts"
import type { CategoryCosts } from "./CostsRepo.ts"

/** Category of expenses that are the cost of goods sold, which gross profit subtracts. */
const cost_of_sales = "cost_of_goods"

const section = {
  currency: CurrencyCode,
  income: Schema.Struct({
    invoiced: Schema.String,
    credited: Schema.String,
    /** Invoiced minus credited. */
    total: Schema.String
  }),
  expenses: Schema.Struct({
    by_category: Schema.Array(Schema.Struct({ category: Schema.String, amount: Schema.String })),
    /** Non-deductible tax is a cost. */
    non_deductible_tax: Schema.String,
    total: Schema.String
  }),
  /** Income minus expenses of the category cost_of_goods. */
  gross_profit: Schema.String,
  net_profit: Schema.String
}

/** All amounts are net of tax, and decimal strings. */
export const ProfitLoss = Schema.Struct({
  start_date: Day,
  end_date: Day,
  ...section,
  /** The same for documents in other currencies without an exchange rate, and for expenses in other currencies. */
  other_currencies: Schema.Array(Schema.Struct(section))
}).annotate({ identifier: "ProfitLoss" })
export type ProfitLoss = typeof ProfitLoss.Type

/** Builds the part of the report for one currency. */
export const profitIn = (
  currency: CurrencyCode,
  sales: ReadonlyArray<SalesSums>,
  costs: ReadonlyArray<CategoryCosts>
) => {
  const text = textIn(currency)
  const { credited, net } = totalOf(sales)
  const non_deductible_tax = BigDecimal.sumAll(costs.map((cost) => cost.non_deductible_tax))
  const spent = BigDecimal.sum(BigDecimal.sumAll(costs.map((cost) => cost.net)), non_deductible_tax)
  const ofSales = costs.filter(({ category }) => category === cost_of_sales)
  return {
    currency,
    income: { invoiced: text(BigDecimal.sum(net, credited)), credited: text(credited), total: text(net) },
    expenses: {
      by_category: costs.map((cost) => ({ category: cost.category, amount: text(cost.net) })),
      non_deductible_tax: text(non_deductible_tax),
      total: text(spent)
    },
    gross_profit: text(BigDecimal.subtract(net, BigDecimal.sumAll(ofSales.map((cost) => cost.net)))),
    net_profit: text(BigDecimal.subtract(net, spent))
  }
}
