import { Schema } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

/**
 * UNCL 5305 codes of EN 16931 (BT-118): S standard or reduced rate, Z zero rated, E exempt, AE reverse charge,
 * K intra-community supply, G export, O not subject to tax, L Canary Islands IGIC, M Ceuta and Melilla IPSI.
 */
export const TaxCategory = Schema.Literals(["S", "Z", "E", "AE", "K", "G", "O", "L", "M"])
export type TaxCategory = typeof TaxCategory.Type

/** A code of the VATEX list (CEF), by its form: the list grows twice a year. */
export const ExemptionCode = Schema.String.check(
  Schema.isPattern(/^VATEX-[A-Z]{2}-[A-Z0-9-]{1,30}$/, { message: "must be a VATEX code, such as VATEX-EU-132." })
)

const fields = {
  name: Schema.String,
  /** Percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory,
  /** The country of consumption under the EU's One Stop Shop; absent: the organization's own country. */
  country: Schema.optionalKey(Schema.String),
  /** The VATEX code of a rate that bears no tax, where one was given. */
  exemption_code: Schema.optionalKey(Schema.String)
}

/** A rate of the organization as a document keeps it: later changes of the rate do not reach the document. */
export const TaxRate = Schema.Struct({ id: TaxRateId, ...fields })
export type TaxRate = typeof TaxRate.Type

/** One rate applied to one line. */
export const TaxLine = Schema.Struct({ ...TaxRate.fields, taxable_amount: Amount, tax_amount: Amount })
export type TaxLine = typeof TaxLine.Type

/** One row of a document's `tax_breakdown`, of one rate; lines without a rate have `tax_rate_id` null. */
export const TaxGroup = Schema.Struct({
  tax_rate_id: Schema.NullOr(TaxRateId),
  ...fields,
  taxable_amount: Amount,
  tax_amount: Amount
})
export type TaxGroup = typeof TaxGroup.Type
