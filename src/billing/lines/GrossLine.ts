import { BigDecimal, Effect } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import type { CustomerId, TaxRateId } from "../../kernel/Ids.ts"
import { hundred, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { ExemptionCategory, LineItemInput } from "./LineItem.ts"
import type { TaxRate } from "./Tax.ts"
import type { Totals } from "./Totals.ts"

/** Maximum rounding adjustment, in the smallest units of the currency. Rounding alone never causes a higher one. */
const rounding_units_max = 2n

/** A line whose tax-inclusive amount is known, e.g. from a bank receipt. */
export interface GrossLine {
  readonly customer_id: CustomerId
  readonly currency: CurrencyCode
  readonly description: string
  /** An empty list means the organization's default rates, unless the line is exempt. */
  readonly tax_rate_ids: ReadonlyArray<TaxRateId>
  readonly tax_exempt: boolean
  readonly tax_exemption_reason: ExemptionCategory | null
  readonly gross: BigDecimal.BigDecimal
}

export const lineInput = (
  {
    description,
    tax_exempt,
    tax_exemption_reason,
    tax_rate_ids
  }: Omit<GrossLine, "customer_id" | "currency" | "gross">,
  unit_price: BigDecimal.BigDecimal
): LineItemInput => ({
  description,
  quantity: BigDecimal.fromBigInt(1n),
  unit: "C62",
  unit_price,
  discount: zero,
  discount_type: "percent",
  tax_exempt,
  tax_rate_ids: [...tax_rate_ids],
  tax_exemption_reason
})

/** Returns the net amount whose gross amount is nearest to the given one. */
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
 * Adjusts the totals to the gross amount. At 21 %, one in six gross amounts has no net amount in whole cents (100.00
 * lies between 82.64 + 17.35 and 82.65 + 17.36). The missing cent becomes the rounding adjustment (EN 16931 BR-CO-16).
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
