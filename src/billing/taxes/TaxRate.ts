import { BigDecimal, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { pageQuery, type PageRequest } from "../../kernel/Envelope.ts"
import { Flag } from "../../kernel/Flag.ts"
import { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { Decimal } from "../../kernel/Money.ts"
import { Name, nullable } from "../../kernel/Text.ts"
import { ExemptionCode, TaxCategory } from "../lines/Tax.ts"

/** A rate that lines may name, as every endpoint answers it; documents hold copies of what it says. */
export const TaxRate = Schema.Struct({
  id: TaxRateId,
  name: Schema.String,
  /** Percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory,
  /** The country of consumption under the EU's One Stop Shop; null: the organization's own country. */
  country: Schema.NullOr(Schema.String),
  /** The VATEX code of a rate that bears no tax. */
  exemption_code: Schema.NullOr(Schema.String),
  /** Every line that names no rate bears the default ones. */
  is_default: Schema.Boolean,
  /** New lines may not name it. */
  archived: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp
})

export const StoredTaxRate = Schema.Struct({ ...TaxRate.fields, organization_id: OrganizationId })
export type StoredTaxRate = typeof StoredTaxRate.Type

/** What a list is asked for. */
export const taxRatesQuery = {
  ...pageQuery,
  category: Schema.optionalKey(TaxCategory),
  country: Schema.optionalKey(CountryCode),
  is_default: Schema.optionalKey(Flag),
  archived: Schema.optionalKey(Flag)
}
export type TaxRatesQuery = Schema.Struct.Type<typeof taxRatesQuery> & PageRequest

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

const optional = { country: nullable(CountryCode), exemption_code: nullable(ExemptionCode) }

export const TaxRateDraft = Schema.Struct({
  name: Name,
  rate: Percent,
  category: TaxCategory,
  ...optional,
  is_default: Schema.Boolean
})
export type TaxRateDraft = typeof TaxRateDraft.Type

export const TaxRateChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  rate: Schema.optionalKey(Percent),
  category: Schema.optionalKey(TaxCategory),
  ...optional,
  archived: Schema.optionalKey(Schema.Boolean)
})
export type TaxRateChanges = typeof TaxRateChanges.Type
