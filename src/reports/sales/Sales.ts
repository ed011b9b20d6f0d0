import { BigDecimal, Schema } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, zero } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"

const measured = <S extends Schema.Top>(amount: S) => ({
  /**
   * Without tax, less what credit notes dated in the same period took back, as accountants show revenue; tax and gross
   * are, too. So `net` and `credited` add up to what was invoiced.
   */
  net: amount,
  tax: amount,
  /** Net, tax and what rounding put between them and the totals of the documents. */
  gross: amount,
  /** What credit notes took back of `net`. */
  credited: amount,
  /** Issued, whatever was credited of them. */
  invoices: Schema.Int
})

/** What issued documents sum up to, by their own dates. */
export const SalesSums = Schema.Struct(measured(Amount))
export type SalesSums = typeof SalesSums.Type

/** The same as a report shows it: decimal strings. */
export const SalesFigures = Schema.Struct(measured(Schema.String))
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
