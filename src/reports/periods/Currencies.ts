import type { BigDecimal } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"

/** Writes an amount with the decimals of its currency. */
export const textIn =
  (currency: CurrencyCode) =>
  (amount: BigDecimal.BigDecimal): string =>
    formatAmount(amount, exponentOf(currency))

interface InCurrency {
  readonly currency: CurrencyCode
}

/** What a report says in one currency. */
export interface Section<Row> extends InCurrency {
  readonly rows: ReadonlyArray<Row>
}

/**
 * Rows by currency. Those of the organization's currency come first, even when there are none; the others, of documents
 * that name no exchange rate into it, follow by their codes. No rate is ever guessed.
 */
export const sectionsOf = <Row extends InCurrency>(
  currency: CurrencyCode,
  rows: ReadonlyArray<Row>
): readonly [Section<Row>, ...ReadonlyArray<Section<Row>>] => {
  const others = [...new Set(rows.map((row) => row.currency))].filter((other) => other !== currency).toSorted()
  const section = (code: CurrencyCode) => ({ currency: code, rows: rows.filter((row) => row.currency === code) })
  return [section(currency), ...others.map(section)]
}
