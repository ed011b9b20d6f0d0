import { ExemptionCategory } from "../lines/LineItem.ts"
import { splitRateOf } from "../lines/SplitPayment.ts"
import type { TaxCategory } from "../lines/Tax.ts"
import { eu_countries } from "../../kernel/Union.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { labelsIn } from "./labels/Labels.ts"

interface UntaxedGroup {
  readonly category: TaxCategory
  /** Code from the VATEX list that states why no tax is charged. */
  readonly exemption_code?: string | undefined
}

/**
 * Returns why a group is not taxed (Directive 2006/112/EC, Art. 226(11) to (14)); null if it is taxed or zero-rated.
 */
export const exemptionReason = (
  { category, exemption_code = "" }: UntaxedGroup,
  language: PageLanguage,
  seller_country: string | null
): string | null => {
  if (!isExemption(category)) return null
  if (splitRateOf(exemption_code) !== null) return split_payment
  const named = national[exemption_code] ?? italianOf(exemption_code) ?? marginOf(exemption_code, language)
  if (named !== undefined) return named
  const european = eu_countries.has(seller_country ?? "")
  const { exemptions } = labelsIn[language].document
  const reason = category === "G" && !european ? labelsIn[language].tax.untaxed.G : exemptions[category]
  const article = articleOf(exemption_code) ?? (european ? articles[category] : undefined)
  if (article === undefined) return reason
  const { after, before } = labelsIn[language].tax.article
  return `${reason} (${before} ${article} ${after})`
}

const isExemption = (category: TaxCategory): category is ExemptionCategory =>
  ExemptionCategory.literals.some((exemption) => exemption === category)

/** The article of Directive 2006/112/EC for each category that only one article governs. */
const articles: { readonly [category in ExemptionCategory]?: string } = { K: "138", G: "146" }

/** French law prescribes this sentence literally (CGI, article 293 E), so it is not translated. */
const national: { readonly [code: string]: string } = {
  "VATEX-FR-FRANCHISE": "TVA non applicable, art. 293 B du CGI"
}

/** Italian law prescribes this note (DM 23 January 2015, art. 2), so it is not translated. */
const split_payment = "Operazione soggetta alla scissione dei pagamenti (art. 17-ter, DPR 633/1972)"

/** The note that Italian law prescribes for a code such as `VATEX-IT-N2-2` (DPR 633/1972, art. 21 (6)). */
const italianOf = (code: string): string | undefined => naturas[/^VATEX-IT-(N\d)(?:-\d)?$/.exec(code)?.[1] ?? ""]

const naturas: { readonly [natura: string]: string } = {
  N1: "Operazione esclusa dalla base imponibile (art. 15, DPR 633/1972)",
  N2: "Operazione non soggetta",
  N3: "Operazione non imponibile",
  N4: "Operazione esente",
  N5: "Regime del margine",
  N6: "Inversione contabile",
  N7: "IVA assolta in altro Stato UE"
}

/** The name of a group in the totals if its code is more exact than its category, e.g. for split payment. */
export const codedName = (exemption_code = ""): string | undefined =>
  splitRateOf(exemption_code) === null ? italianOf(exemption_code) : "Scissione dei pagamenti"

const marginOf = (code: string, language: PageLanguage): string | undefined => {
  const { antiques, art, used_goods } = labelsIn[language].tax.margin
  return { "VATEX-EU-F": used_goods, "VATEX-EU-I": art, "VATEX-EU-J": antiques }[code]
}

/** Converts `VATEX-EU-132-1I` to "132(1)(i)", and `VATEX-EU-79-C` to "79(c)". */
const articleOf = (code: string): string | undefined => {
  const [, article, paragraph = "", point = ""] = /^VATEX-EU-(\d+)(?:-(\d?)([A-Z]{0,2}))?$/.exec(code) ?? []
  if (article === undefined) return undefined
  const within = [paragraph, point.toLowerCase()].filter((part) => part !== "")
  return [article, ...within.map((part) => `(${part})`)].join("")
}
