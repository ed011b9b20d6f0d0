import { BigDecimal, Schema } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, zero, AmountText } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"

const measured = <S extends Schema.Top>(amount: S) => ({
  /**
   * Net revenue minus credit notes dated in the same period, as is usual in accounting; tax and gross are reduced
   * likewise. So `net` plus `credited` is what was invoiced.
   */
  net: amount,
  tax: amount,
  /** Net plus tax plus the rounding differences in the documents' totals. */
  gross: amount,
  /** The part of `net` that credit notes subtracted. */
  credited: amount,
  /** Number of issued invoices, credited ones included. */
  invoices: Schema.Int
})

/** Sums over issued documents by their own dates. */
export const SalesSums = Schema.Struct(measured(Amount))
export type SalesSums = typeof SalesSums.Type

/** The same sums in a report, as decimal strings. */
export const SalesFigures = Schema.Struct(measured(AmountText)).annotate({ identifier: "SalesFigures" })
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
