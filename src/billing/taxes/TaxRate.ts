import { BigDecimal, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { pageQuery, type PageRequest } from "../../kernel/Envelope.ts"
import { Flag } from "../../kernel/Flag.ts"
import { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { Decimal } from "../../kernel/Money.ts"
import { Name, nullable } from "../../kernel/Text.ts"
import { ExemptionCode, TaxCategory } from "../lines/Tax.ts"

/** The representation of a tax rate in every response; documents hold copies of a rate's values. */
export const TaxRate = Schema.Struct({
  id: TaxRateId,
  name: Schema.String,
  /** The rate in percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory,
  /** The country of consumption under the EU's One Stop Shop; null for the organization's own country. */
  country: Schema.NullOr(Schema.String),
  /** The VATEX code of a rate without tax. */
  exemption_code: Schema.NullOr(Schema.String),
  /** A line that names no rate gets the default rates. */
  is_default: Schema.Boolean,
  /** New lines may not name an archived rate. */
  archived: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "TaxRate" })

export const StoredTaxRate = Schema.Struct({ ...TaxRate.fields, organization_id: OrganizationId })
export type StoredTaxRate = typeof StoredTaxRate.Type

/** The query parameters of the tax rate list. */
export const taxRatesQuery = {
  ...pageQuery,
  category: Schema.optionalKey(TaxCategory),
  country: Schema.optionalKey(CountryCode),
  is_default: Schema.optionalKey(Flag),
  archived: Schema.optionalKey(Flag)
}
export type TaxRatesQuery = Schema.Struct.Type<typeof taxRatesQuery> & PageRequest

const percent_max = BigDecimal.fromBigInt(100n)

/** A percentage from 0 to 100. */
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
