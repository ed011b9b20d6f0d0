import { Schema } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"

/**
 * UNCL 5305 codes of EN 16931 (BT-118): S standard or reduced rate, Z zero rated, E exempt, AE reverse charge,
 * K intra-community supply, G export, O not subject to tax, L Canary Islands IGIC, M Ceuta and Melilla IPSI.
 */
export const TaxCategory = Schema.Literals(["S", "Z", "E", "AE", "K", "G", "O", "L", "M"])
export type TaxCategory = typeof TaxCategory.Type

/** A rate of the organization as a document keeps it: later changes of the rate do not reach the document. */
export const TaxRate = Schema.Struct({
  id: TaxRateId,
  name: Schema.String,
  /** Percent: 21 is 21 %. */
  rate: Decimal,
  category: TaxCategory
})
export type TaxRate = typeof TaxRate.Type

/** One rate applied to one line. */
export const TaxLine = Schema.Struct({ ...TaxRate.fields, taxable_amount: Amount, tax_amount: Amount })
export type TaxLine = typeof TaxLine.Type

/** One row of a document's `tax_breakdown` (EN 16931 BG-23); lines without a rate have `tax_rate_id` null. */
export const TaxGroup = Schema.Struct({
  tax_rate_id: Schema.NullOr(TaxRateId),
  name: Schema.String,
  rate: Decimal,
  category: TaxCategory,
  taxable_amount: Amount,
  tax_amount: Amount
})
export type TaxGroup = typeof TaxGroup.Type
