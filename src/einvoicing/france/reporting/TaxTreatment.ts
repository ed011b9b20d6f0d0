import { BigDecimal } from "effect"
import type { TaxGroup } from "../../../billing/lines/Tax.ts"
import { french_rates } from "../../rules/FrenchRules.ts"
import { foreign_categories } from "../../rules/TaxRules.ts"

/** Exemptions of articles 261 to 261 E of the CGI, which are not reported. */
const outside = /^VATEX-(?:EU-13[25]\b|FR-CGI261)/
/** Supplies under the margin scheme, whose base is a margin that the document does not state. */
const margin = /^VATEX-(?:EU-[DFIJ]$|FR-(?:CGI297|CGI268))/
const small_business = "VATEX-FR-FRANCHISE"

type Group = Pick<TaxGroup, "category" | "country" | "exemption_code" | "rate">

export const isOutside = ({ exemption_code = "" }: Group): boolean => outside.test(exemption_code)

/** True for a supply that is taxed in France, even at the zero rate of a small business. */
export const isTaxed = ({ category, country = "FR", exemption_code }: Group): boolean =>
  country === "FR" && (category === "S" || (category === "E" && exemption_code === small_business))

export const obstacleOf = (group: Group): string | null => {
  const { category, exemption_code = "", rate } = group
  if (category === "E" && exemption_code === "") return "The tax rate names no exemption code."
  if (margin.test(exemption_code)) return "The margin of a supply under the margin scheme is not known."
  if (foreign_categories.has(category)) return "France has neither IGIC nor IPSI."
  const isStated = !isTaxed(group) || french_rates.has(BigDecimal.format(rate))
  return isStated ? null : `France has no rate of ${BigDecimal.format(rate)} %.`
}
