import { BigDecimal, Schema } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, zero, AmountText } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"
import { described } from "../../kernel/Described.ts"

const measured = <S extends Schema.Top>(amount: S) => ({
  net: described(amount, "Net revenue minus credit notes dated in the same period."),
  tax: described(amount, "Tax, minus the tax of these credit notes."),
  gross: described(
    amount,
    "Totals of the documents: net plus tax plus the rounding differences of the totals and of their conversion."
  ),
  credited: described(amount, "The part of the net revenue that was credited; `net` plus `credited` was invoiced."),
  invoices: described(Schema.Int, "Number of issued invoices, including credited ones.")
})

/** Sums of the amounts of issued documents. Each document counts on its own date. */
export const SalesSums = Schema.Struct(measured(Amount))
export type SalesSums = typeof SalesSums.Type

export const SalesFigures = Schema.Struct(measured(AmountText)).annotate({
  identifier: "SalesFigures",
  description: "Sales of a row. Amounts are texts with the decimals of their currency."
})
export type SalesFigures = typeof SalesFigures.Type

const none: SalesSums = { net: zero, tax: zero, gross: zero, credited: zero, invoices: 0 }

export const totalOf = (parts: ReadonlyArray<SalesSums>): SalesSums =>
  parts.reduce(
    (sum, part) => ({
      net: BigDecimal.sum(sum.net, part.net),
      tax: BigDecimal.sum(sum.tax, part.tax),
      gross: BigDecimal.sum(sum.gross, part.gross),
      credited: BigDecimal.sum(sum.credited, part.credited),
      invoices: sum.invoices + part.invoices
    }),
    none
  )

export const figuresIn = (currency: CurrencyCode, { credited, gross, invoices, net, tax }: SalesSums): SalesFigures => {
  const text = textIn(currency)
  return { net: text(net), tax: text(tax), gross: text(gross), credited: text(credited), invoices }
}
