import { BigDecimal, Effect } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { CustomerId, TaxRateId } from "../../kernel/Ids.ts"
import { roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { LineItemInput } from "./LineItem.ts"
import type { TaxRate } from "./Tax.ts"
import type { Totals } from "./Totals.ts"

/** What rounding explains: more than so many of the currency's smallest coins is another price. */
const rounding_units_max = 2n
const hundred = BigDecimal.fromBigInt(100n)

/** A line of which is known what it costs with its taxes, as money that has come in. */
export interface GrossLine {
  readonly customer_id: CustomerId
  readonly currency: CurrencyCode
  readonly description: string
  /** None: the organization's defaults. */
  readonly tax_rate_ids: ReadonlyArray<TaxRateId>
  readonly gross: BigDecimal.BigDecimal
}

/** The line as a client would send it. */
export const lineInput = (
  { description, tax_rate_ids }: Pick<GrossLine, "description" | "tax_rate_ids">,
  unit_price: BigDecimal.BigDecimal
): LineItemInput => ({
  description,
  quantity: BigDecimal.fromBigInt(1n),
  unit: "C62",
  unit_price,
  discount: zero,
  discount_type: "percent",
  tax_exempt: false,
  tax_rate_ids: [...tax_rate_ids],
  tax_exemption_reason: null
})

/** The net amount that comes nearest to the gross one. */
export const netOf = (
  { currency, gross }: Pick<GrossLine, "currency" | "gross">,
  rates: ReadonlyArray<Pick<TaxRate, "rate">>
): BigDecimal.BigDecimal => {
  const share = BigDecimal.sumAll([hundred, ...rates.map(({ rate }) => rate)])
  return roundHalfAwayFromZero(
    BigDecimal.divideUnsafe(BigDecimal.multiply(gross, hundred), share),
    exponentOf(currency)
  )
}

/**
 * Makes the totals come to the gross amount. Of all amounts at 21 % a sixth has no net amount in whole cents (100.00 is
 * 82.64 + 17.35 or 82.65 + 17.36), so the cent in between is the rounding adjustment; EN 16931 BR-CO-16.
 */
export const comingTo = (totals: Totals, { currency, gross }: Pick<GrossLine, "currency" | "gross">) => {
  const rounding_adjustment = BigDecimal.subtract(gross, totals.total)
  const most = BigDecimal.make(rounding_units_max, exponentOf(currency))
  if (BigDecimal.isGreaterThan(BigDecimal.abs(rounding_adjustment), most)) {
    const message = "The tax_rate_ids field names too many rates for an amount that includes them."
    return Effect.fail(ValidationFailed.of({ tax_rate_ids: [message] }))
  }
  return Effect.succeed({ ...totals, rounding_adjustment, total: gross })
}
