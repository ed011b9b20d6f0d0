import { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { roundHalfAwayFromZero } from "../../kernel/Money.ts"
import type { TaxGroup } from "./Tax.ts"

/** The fields that determine where and under which heading a tax is declared. */
type Declared = Pick<TaxGroup, "country" | "category" | "rate">

export const isDeclaredAlike = (left: Declared, right: Declared): boolean =>
  left.country === right.country && left.category === right.category && BigDecimal.equals(left.rate, right.rate)

/** Groups rows by country, category and percentage, because VAT is rounded and converted once per group. */
export const vatGroups = <Row extends Declared>(
  rows: ReadonlyArray<Row>
): ReadonlyArray<readonly [Row, ...ReadonlyArray<Row>]> => {
  const groups: Array<[Row, ...Array<Row>]> = []
  for (const row of rows) {
    const group = groups.find(([first]) => isDeclaredAlike(first, row))
    if (group === undefined) groups.push([row])
    else group.push(row)
  }
  return groups
}

/**
 * Computes the tax in the currency of the books (EN 16931 BT-111). The VAT report rounds the same groups in SQL, so its
 * tax is the same to the cent.
 */
export const convertedTax = (
  tax_breakdown: ReadonlyArray<TaxGroup>,
  exchange_rate: BigDecimal.BigDecimal,
  currency: CurrencyCode
): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(
    vatGroups(tax_breakdown).map((group) => {
      const tax = BigDecimal.sumAll(group.map(({ tax_amount }) => tax_amount))
      return roundHalfAwayFromZero(BigDecimal.multiply(tax, exchange_rate), exponentOf(currency))
    })
  )
