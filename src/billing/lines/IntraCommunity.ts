import { Schema } from "effect"
import { countryOf, eu_countries } from "../../kernel/Union.ts"
import type { ResolvedItem } from "./Totals.ts"

/** The facts that decide whether an organization can make intra-community supplies. */
export const Seller = Schema.Struct({ country: Schema.NullOr(Schema.String), tax_number: Schema.NullOr(Schema.String) })
type Seller = typeof Seller.Type

/**
 * A seller outside the EU may be registered in an EU state, whose code then begins its tax number. Goods in Northern
 * Ireland follow EU law if the tax number begins with XI.
 */
const isInUnion = ({ country, tax_number }: Seller): boolean =>
  eu_countries.has(country ?? "") || memberStateOf(tax_number) !== null

/** Returns the EU member state with whose prefix a tax number begins. */
export const memberStateOf = (tax_number: string | null): string | null => {
  const state = countryOf((tax_number ?? "").trim().slice(0, 2).toUpperCase())
  return eu_countries.has(state) ? state : null
}

type Taxed = Pick<ResolvedItem, "tax_exempt" | "tax_exemption_reason" | "tax_rates">

/** Returns the field that makes a line an intra-community supply, if its seller cannot make such supplies. */
export const foreignSupply = (seller: Seller, { tax_exempt, tax_exemption_reason, tax_rates }: Taxed) => {
  if (isInUnion(seller)) return undefined
  if (tax_exempt) return tax_exemption_reason === "K" ? "tax_exemption_reason" : undefined
  const position = tax_rates.findIndex(({ category }) => category === "K")
  return position < 0 ? undefined : `tax_rate_ids.${position}`
}

export const foreignSupplyError = (field: string) =>
  `The ${field} field may not be an intra-community supply (K), because the organization is outside of the EU: use G.`
