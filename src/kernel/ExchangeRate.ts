import { BigDecimal, Schema } from "effect"
import type { CurrencyCode } from "./Currency.ts"
import { amount_limit, Decimal, fitsExponent, zero } from "./Money.ts"

const decimals_max = 12

/** An exchange rate in a request. It may have more decimals than an amount, because 1 VND is 0.00003543 EUR. */
export const ExchangeRate = Decimal.check(
  Schema.makeFilter((rate) => fitsExponent(rate, decimals_max), {
    message: `may not have more than ${decimals_max} decimal places.`
  }),
  Schema.isLessThanBigDecimal(amount_limit, { message: `must be less than ${BigDecimal.format(amount_limit)}.` }),
  Schema.isGreaterThanBigDecimal(zero, { message: "must be greater than 0." })
)

interface Rated {
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
}

/** Returns the exchange rate of a changed record. The rate of the old currency does not apply to a new currency. */
export const changedRate = (stored: Rated, { currency, exchange_rate }: Partial<Rated>): Rated["exchange_rate"] => {
  if (exchange_rate !== undefined) return exchange_rate
  return currency === undefined || currency === stored.currency ? stored.exchange_rate : null
}
