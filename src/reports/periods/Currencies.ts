import type { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"

export const textIn =
  (currency: CurrencyCode) =>
  (amount: BigDecimal.BigDecimal): string =>
    formatAmount(amount, exponentOf(currency))

interface InCurrency {
  readonly currency: CurrencyCode
}

export interface Section<Row> extends InCurrency {
  readonly rows: ReadonlyArray<Row>
}

/**
 * Returns a section for the organization's currency, even without rows, and then one for each other currency of the
 * rows, sorted by code.
 */
export const sectionsOf = <Row extends InCurrency>(
  currency: CurrencyCode,
  rows: ReadonlyArray<Row>
): readonly [Section<Row>, ...ReadonlyArray<Section<Row>>] => {
  const others = [...new Set(rows.map((row) => row.currency))].filter((other) => other !== currency).toSorted()
  const section = (code: CurrencyCode) => ({ currency: code, rows: rows.filter((row) => row.currency === code) })
  return [section(currency), ...others.map(section)]
}
