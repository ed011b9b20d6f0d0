import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { pageQuery, type PageRequest } from "../../kernel/Envelope.ts"
import { Flag } from "../../kernel/Flag.ts"
import { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { Decimal, fitsExponent, hundred, zero } from "../../kernel/Money.ts"
import { Name, nullable } from "../../kernel/Text.ts"
import { ExemptionCode, TaxCategory } from "../lines/Tax.ts"
import { described } from "../../kernel/Described.ts"

export const TaxRate = Schema.Struct({
  id: TaxRateId,
  name: described(Schema.String, "Name of the rate, as printed on documents.", "BTW 21%"),
  rate: described(Decimal, "Rate in percent, 0 to 100: 21 is 21 %."),
  category: TaxCategory,
  country: described(
    Schema.NullOr(Schema.String),
    "Country of consumption under the EU's One Stop Shop, as ISO 3166-1 code; null for the country of the organization."
  ),
  exemption_code: described(Schema.NullOr(Schema.String), "VATEX code of a rate without tax; null if it has none."),
  is_default: described(Schema.Boolean, "True if lines without a rate get this one."),
  archived: described(Schema.Boolean, "True if new lines may no longer use the rate."),
  created_at: described(Timestamp, "Time of creation."),
  updated_at: described(Timestamp, "Time of the last change.")
}).annotate({
  identifier: "TaxRate",
  description: "A tax rate of an organization. Documents keep copies, so a change affects new lines only."
})

export const StoredTaxRate = Schema.Struct({ ...TaxRate.fields, organization_id: OrganizationId })
export type StoredTaxRate = typeof StoredTaxRate.Type

export const taxRatesQuery = {
  ...pageQuery,
  category: described(Schema.optionalKey(TaxCategory), "Only rates of this tax category."),
  country: described(Schema.optionalKey(CountryCode), "Only rates of this country of consumption, as ISO 3166-1 code."),
  is_default: described(Schema.optionalKey(Flag), "Only the default rates (`true`) or the others (`false`)."),
  archived: described(Schema.optionalKey(Flag), "Only archived rates (`true`) or those in use (`false`).")
}
export type TaxRatesQuery = Schema.Struct.Type<typeof taxRatesQuery> & PageRequest

/** A rate has at most as many decimals as its column. */
const decimals_max = 4

const Percent = Decimal.check(
  Schema.makeFilter((rate) => fitsExponent(rate, decimals_max), {
    message: `may not have more than ${decimals_max} decimal places.`
  }),
  Schema.isBetweenBigDecimal(
    { minimum: zero, maximum: hundred },
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
