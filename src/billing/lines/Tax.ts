import { BigDecimal, Schema, Struct } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal, zero } from "../../kernel/Money.ts"
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

/** The tax of a line: its tax rate, or a category with 0 % for a line without a rate. */
export type AppliedTax = Omit<TaxGroup, "taxable_amount" | "tax_amount">

/** A part of a document: a line, a discount or a charge. */
export interface Taxed {
  readonly tax_exempt: boolean
  readonly tax_exemption_reason: TaxCategory | null
  readonly exemption_code?: string | null | undefined
  readonly tax_rates: ReadonlyArray<TaxRate>
}

export const appliedTaxes = ({
  exemption_code = null,
  tax_exempt,
  tax_exemption_reason,
  tax_rates
}: Taxed): ReadonlyArray<AppliedTax> => {
  if (tax_exempt) return [untaxed("Exempt", tax_exemption_reason ?? "E", exemption_code)]
  if (tax_rates.length === 0) return [untaxed("No tax", "Z")]
  return tax_rates.map((tax) => ({ tax_rate_id: tax.id, ...Struct.pick(tax, copied) }))
}

const copied = ["name", "rate", "category", "country", "exemption_code"] as const

const untaxed = (name: string, category: TaxCategory, exemption_code: string | null = null): AppliedTax => ({
  tax_rate_id: null,
  name,
  rate: zero,
  category,
  ...(exemption_code === null ? {} : { exemption_code })
})

type RateFacts = Omit<AppliedTax, "tax_rate_id" | "name">

/** True when two rates, or two copies of a rate, are equal in all that matters to the authorities. */
export const isSameRate = (left: RateFacts, right: RateFacts): boolean =>
  left.category === right.category &&
  left.country === right.country &&
  left.exemption_code === right.exemption_code &&
  BigDecimal.equals(left.rate, right.rate)

/** The rate id is not enough: a line copied from a quote keeps the percentage of the quote. */
export const isSameTax = (left: AppliedTax, right: AppliedTax): boolean =>
  left.tax_rate_id === right.tax_rate_id && isSameRate(left, right)

/** True when a row of a tax breakdown contains the part of the document. */
export const bears = (part: Taxed, group: TaxGroup): boolean => appliedTaxes(part).some((tax) => isSameTax(tax, group))

/** Returns, for each of the taxes, the tax of the other part with the same rate; none where the other part has none. */
export const pairedTaxes = (
  taxes: ReadonlyArray<AppliedTax>,
  others: ReadonlyArray<AppliedTax>
): ReadonlyArray<AppliedTax> => {
  const isLike = (tax: AppliedTax) => (other: AppliedTax) => isSameRate(tax, other)
  return taxes.flatMap((tax, index) => {
    const before = taxes.slice(0, index).filter(isLike(tax)).length
    return others.filter(isLike(tax)).slice(before, before + 1)
  })
}

/** True when two parts of a document have the same country, category, percentage and exemption code. */
export const areTaxedAlike = (left: Taxed, right: Taxed): boolean => {
  const [taxes, others] = [appliedTaxes(left), appliedTaxes(right)]
  return taxes.length === others.length && pairedTaxes(taxes, others).length === taxes.length
}
