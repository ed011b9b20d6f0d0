import { Schema } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"
import { described } from "../../kernel/Described.ts"

/** UNCL 5305 codes of EN 16931 (BT-118). */
export const TaxCategory = Schema.Literals(["S", "Z", "E", "AE", "K", "G", "O", "L", "M"]).annotate({
  identifier: "TaxCategory",
  description:
    "Tax category (UNCL 5305). `S`: standard or reduced rate; `Z`: zero rated; `E`: exempt; `AE`: reverse charge; `K`: intra-community supply; `G`: export; `O`: not subject to tax; `L`: Canary Islands IGIC; `M`: Ceuta and Melilla IPSI."
})
export type TaxCategory = typeof TaxCategory.Type

/** A code of the VATEX list (CEF). Only the pattern of the code is checked, because the list grows twice a year. */
export const ExemptionCode = Schema.String.check(
  Schema.isPattern(/^VATEX-[A-Z]{2}-[A-Z0-9-]{1,30}$/, { message: "must be a VATEX code, such as VATEX-EU-132." })
)

const fields = {
  name: described(Schema.String, "Name of the rate, as printed on documents."),
  rate: described(Decimal, "Rate in percent, 0 to 100: 21 is 21 %."),
  category: TaxCategory,
  country: described(
    Schema.optionalKey(Schema.String),
    "Country of consumption under the EU's One Stop Shop, as ISO 3166-1 code; absent for the country of the organization."
  ),
  exemption_code: described(
    Schema.optionalKey(Schema.String),
    "VATEX code of the reason why there is no tax; absent if none was given."
  )
}

/** A document's copy of a tax rate: later changes of the rate do not affect the document. */
export const TaxRate = Schema.Struct({ id: TaxRateId, ...fields })
export type TaxRate = typeof TaxRate.Type

export const TaxLine = Schema.Struct({
  ...TaxRate.fields,
  taxable_amount: described(Amount, "Amount that the rate applies to, without taxes, in the currency of the document."),
  tax_amount: described(Amount, "Tax of this rate on the line, in the currency of the document.")
}).annotate({
  identifier: "TaxLine",
  description: "The tax of one rate on one line, with the rate as it was when the line was written."
})
export type TaxLine = typeof TaxLine.Type

export const TaxGroup = Schema.Struct({
  tax_rate_id: described(Schema.NullOr(TaxRateId), "Rate to which the row applies; null for lines without a rate."),
  ...fields,
  taxable_amount: described(Amount, "Sum that the rate applies to, without taxes, in the currency of the document."),
  tax_amount: described(Amount, "Tax of this rate on the whole document, in the currency of the document.")
}).annotate({ identifier: "TaxGroup", description: "The tax of one rate on a whole document." })
export type TaxGroup = typeof TaxGroup.Type
