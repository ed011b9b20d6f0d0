import { BigDecimal } from "effect"
import { netOf } from "../../billing/lines/GrossLine.ts"
import type { TaxRate } from "../../billing/lines/Tax.ts"
import type { ExpenseFacts } from "../../expenses/Expense.ts"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { allocate } from "../../kernel/Money.ts"

/** Computes the tax that a tax-inclusive amount contains, with one row for each rate. */
export const taxOfGross = (
  money: { readonly currency: CurrencyCode; readonly gross: BigDecimal.BigDecimal },
  rates: ReadonlyArray<Pick<TaxRate, "rate">>
): ExpenseFacts["tax_rates"] => {
  if (rates.length === 0) return []
  const taxable_amount = netOf(money, rates)
  const tax = BigDecimal.subtract(money.gross, taxable_amount)
  const parts = allocate(
    tax,
    rates.map(({ rate }) => rate),
    exponentOf(money.currency)
  )
  return rates.flatMap(({ rate }, index) => {
    const tax_amount = parts[index]
    return tax_amount === undefined ? [] : [{ rate, taxable_amount, tax_amount }]
  })
}
