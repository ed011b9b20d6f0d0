import { BigDecimal, Schema } from "effect"
import { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { Decimal } from "../../kernel/Money.ts"
import { Name } from "../../kernel/Text.ts"
import { TaxCategory } from "../lines/Tax.ts"

/** A rate as the organization keeps it; documents hold copies of its name and percentage. */
export const StoredTaxRate = Schema.Struct({
  id: TaxRateId,
  organization_id: OrganizationId,
  name: Schema.String,
  /** Percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory,
  is_default: Schema.Boolean,
  archived: Schema.Boolean
})
export type StoredTaxRate = typeof StoredTaxRate.Type

const percent_max = BigDecimal.fromBigInt(100n)

/** Percent from 0 to 100. */
const Percent = Decimal.check(
  Schema.isBetweenBigDecimal(
    { minimum: BigDecimal.fromBigInt(0n), maximum: percent_max },
    {
      message: "must be a percentage from 0 to 100."
    }
  )
)

export const TaxRateDraft = Schema.Struct({
  name: Name,
  rate: Percent,
  category: TaxCategory,
  is_default: Schema.Boolean
})
export type TaxRateDraft = typeof TaxRateDraft.Type

export const TaxRateChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  rate: Schema.optionalKey(Percent),
  category: Schema.optionalKey(TaxCategory),
  archived: Schema.optionalKey(Schema.Boolean)
})
export type TaxRateChanges = typeof TaxRateChanges.Type
