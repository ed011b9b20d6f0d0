import type { BigDecimal } from "effect"
import type { CurrencyCode } from "./Currency.ts"

interface Rated {
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
}

/** Returns the exchange rate of a changed record. The rate of the old currency does not apply to a new currency. */
export const changedRate = (stored: Rated, { currency, exchange_rate }: Partial<Rated>): Rated["exchange_rate"] => {
  if (exchange_rate !== undefined) return exchange_rate
  return currency === undefined || currency === stored.currency ? stored.exchange_rate : null
}
