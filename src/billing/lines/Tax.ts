import { Schema } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

/**
 * UNCL 5305 codes of EN 16931 (BT-118): S standard or reduced rate, Z zero rated, E exempt, AE reverse charge,
 * K intra-community supply, G export, O not subject to tax, L Canary Islands IGIC, M Ceuta and Melilla IPSI.
 */
export const TaxCategory = Schema.Literals(["S", "Z", "E", "AE", "K", "G", "O", "L", "M"]).annotate({
  identifier: "TaxCategory"
})
export type TaxCategory = typeof TaxCategory.Type

/** A code of the VATEX list (CEF). Only the form is checked, because the list grows twice a year. */
export const ExemptionCode = Schema.String.check(
  Schema.isPattern(/^VATEX-[A-Z]{2}-[A-Z0-9-]{1,30}$/, { message: "must be a VATEX code, such as VATEX-EU-132." })
)

const fields = {
  name: Schema.String,
  /** The rate in percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory,
  /** The country of consumption under the EU's One Stop Shop; absent for the organization's own country. */
  country: Schema.optionalKey(Schema.String),
  /** The VATEX code of a rate without tax, if one was given. */
  exemption_code: Schema.optionalKey(Schema.String)
}

/** A document's copy of a tax rate: later changes of the rate do not affect the document. */
export const TaxRate = Schema.Struct({ id: TaxRateId, ...fields })
export type TaxRate = typeof TaxRate.Type

/** The application of one rate to one line. */
export const TaxLine = Schema.Struct({ ...TaxRate.fields, taxable_amount: Amount, tax_amount: Amount }).annotate({
  identifier: "TaxLine"
})
export type TaxLine = typeof TaxLine.Type

/** A row of a document's `tax_breakdown`, for one rate. `tax_rate_id` is null for lines without a rate. */
export const TaxGroup = Schema.Struct({
  tax_rate_id: Schema.NullOr(TaxRateId),
  ...fields,
  taxable_amount: Amount,
  tax_amount: Amount
}).annotate({ identifier: "TaxGroup" })
export type TaxGroup = typeof TaxGroup.Type
