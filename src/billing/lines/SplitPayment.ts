import { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { percentOf, roundHalfAwayFromZero } from "../../kernel/Money.ts"
import type { TaxGroup } from "./Tax.ts"

/** Matches the codes of split payment; for example, `VATEX-IT-S-22` means split payment at a VAT rate of 22 %. */
const split_code = /^VATEX-IT-S-(\d{1,2})$/

/**
 * The rate of Italian split payment in percent (DPR 633/1972, art. 17-ter): the public customer pays the VAT to the
 * state, so the document charges none. Null for any other code.
 */
export const splitRateOf = (exemption_code: string | null | undefined): BigDecimal.BigDecimal | null => {
  const [, digits] = split_code.exec(exemption_code ?? "") ?? []
  return digits === undefined ? null : BigDecimal.fromStringUnsafe(digits)
}

type Split = Pick<TaxGroup, "exemption_code" | "taxable_amount">

/** Sums the VAT that the customer pays to the state, for each rate. */
export const splitTaxesOf = (
  tax_breakdown: ReadonlyArray<Split>,
  currency: CurrencyCode
): ReadonlyArray<{ readonly rate: BigDecimal.BigDecimal; readonly tax_amount: BigDecimal.BigDecimal }> => {
  const groups = Map.groupBy(tax_breakdown, ({ exemption_code }) => exemption_code)
  return Array.from(groups).flatMap(([code, same]) => {
    const rate = splitRateOf(code)
    if (rate === null) return []
    const taxable = BigDecimal.sumAll(same.map(({ taxable_amount }) => taxable_amount))
    return [{ rate, tax_amount: roundHalfAwayFromZero(percentOf(taxable, rate), exponentOf(currency)) }]
  })
}
