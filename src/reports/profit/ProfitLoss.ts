import { BigDecimal, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { textIn } from "../periods/Currencies.ts"
import { type SalesSums, totalOf } from "../sales/Sales.ts"
import type { CategoryCosts } from "./CostsRepo.ts"
import { described } from "../../kernel/Described.ts"

/** The category of expenses that gross profit subtracts: the cost of the goods that were sold. */
const cost_of_sales = "cost_of_goods"

const section = {
  currency: described(CurrencyCode, "Currency of the sums."),
  income: described(
    Schema.Struct({
      invoiced: described(Schema.String, "Net revenue of issued invoices."),
      credited: described(Schema.String, "Net amount of credit notes."),
      total: described(Schema.String, "Invoiced minus credited.")
    }),
    "Revenue of the period."
  ),
  expenses: described(
    Schema.Struct({
      by_category: described(
        Schema.Array(
          Schema.Struct({
            category: described(Schema.String, "Category of the expenses."),
            amount: described(Schema.String, "Sum of the expenses without tax.")
          })
        ),
        "Expenses by category."
      ),
      non_deductible_tax: described(Schema.String, "Tax on expenses that cannot be deducted, and is therefore a cost."),
      total: described(Schema.String, "Sum of the expenses and of the tax that cannot be deducted.")
    }),
    "Expenses of the period."
  ),
  gross_profit: described(Schema.String, "Income minus expenses of the category `cost_of_goods`."),
  net_profit: described(Schema.String, "Income minus all expenses.")
}

export const ProfitLoss = Schema.Struct({
  start_date: described(Day, "First day of the period."),
  end_date: described(Day, "Last day of the period."),
  ...section,
  other_currencies: described(
    Schema.Array(Schema.Struct(section)),
    "The same for documents and expenses in other currencies without an exchange rate."
  )
}).annotate({
  identifier: "ProfitLoss",
  description: "Income and expenses of a period, net of tax. Amounts are texts with the decimals of their currency."
})
export type ProfitLoss = typeof ProfitLoss.Type

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
