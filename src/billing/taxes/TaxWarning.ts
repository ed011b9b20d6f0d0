import { BigDecimal, Schema } from "effect"
import { spanishTaxAt } from "../../kernel/SpanishTax.ts"
import { isBlank } from "../../kernel/Text.ts"
import { eu_countries } from "../../kernel/Union.ts"
import type { Correspondents } from "../correspondence/Correspondents.ts"
import { memberStateOf } from "../lines/IntraCommunity.ts"
import type { TaxGroup } from "../lines/Tax.ts"

export const TaxWarning = Schema.Literals([
  "customer_tax_number_missing",
  "delivery_date_missing",
  "tax_category_doubtful",
  "tax_rate_doubtful",
  "tax_rate_missing"
])
export type TaxWarning = typeof TaxWarning.Type

interface Place {
  readonly country: string | null
  readonly postal_code: string | null
}

export interface Taxed {
  readonly items: ReadonlyArray<{ readonly tax_exempt: boolean; readonly tax_rates: ReadonlyArray<unknown> }>
  readonly tax_breakdown: ReadonlyArray<Pick<TaxGroup, "category" | "country" | "rate">>
  readonly details: {
    readonly delivery_address?: Place | null
    readonly delivery_date?: unknown
    readonly delivery_period?: unknown
    readonly operation_nature?: string | null
  }
}

type Parties = { readonly [party in keyof Correspondents]: Place & Pick<Correspondents[party], "tax_number"> }

const isOfGoods = ({ details: { operation_nature: nature } }: Taxed): boolean =>
  nature === "goods" || nature === "mixed"

/** True if the parties can give rise to a warning. Most invoices need no such check, which reads both parties. */
export const dependsOnParties = (invoice: Taxed): boolean =>
  isOfGoods(invoice) ||
  invoice.tax_breakdown.some(({ category, country }) => for_abroad.has(category) || country !== undefined)

const for_abroad: ReadonlySet<string> = new Set(["AE", "K", "G"])

/** True if a line has no tax rate, because the organization has no default rates, and is not said to be exempt. */
export const isRateMissing = ({ items }: Taxed): boolean =>
  items.some(({ tax_exempt, tax_rates }) => !tax_exempt && tax_rates.length === 0)

/** Returns what a tax adviser would question about the parties. Nothing is refused, because the exceptions are many. */
export const taxWarnings = (invoice: Taxed, parties: Parties): ReadonlyArray<TaxWarning> => {
  const { customer } = parties
  const has = (...categories: ReadonlyArray<string>) =>
    invoice.tax_breakdown.some(({ category }) => categories.includes(category))
  const isNumberMissing = has("AE", "K") && isBlank(customer.tax_number)
  const { delivery_date = null, delivery_period = null } = invoice.details
  const isDateMissing = has("K") && delivery_date === null && delivery_period === null
  const isUnfit = (has("K") && !mayBeIntraCommunity(invoice, parties)) || (has("G") && !mayBeExport(invoice, parties))
  return [
    ...(isNumberMissing ? (["customer_tax_number_missing"] as const) : []),
    ...(isDateMissing ? (["delivery_date_missing"] as const) : []),
    ...(isUnfit ? (["tax_category_doubtful"] as const) : []),
    ...(isOfOtherCountry(invoice, parties) ? (["tax_rate_doubtful"] as const) : [])
  ]
}

const destinationOf = ({ details: { delivery_address } }: Taxed, { customer }: Parties): Place =>
  delivery_address && delivery_address.country !== null ? delivery_address : customer

/** The state of a business is that of its tax number, which may differ from the country of its address. */
const stateOf = ({ country, tax_number }: Parties["customer"]): string | null =>
  memberStateOf(tax_number) ?? vatState(country)

/** Supplies to Monaco count as supplies to France (article 7 of the VAT Directive). */
const vatState = (country: string | null): string | null => (country === "MC" ? "FR" : country)

/** Article 138 of the VAT Directive: the goods and the customer's tax number belong to another member state. */
const mayBeIntraCommunity = (invoice: Taxed, { customer, organization }: Parties): boolean => {
  const [from, to] = [stateOf(organization), stateOf(customer)]
  const country = vatState(invoice.details.delivery_address?.country ?? null)
  const isOther = (state: string | null) => state === null || (state !== from && eu_countries.has(state))
  return isOther(to) && (isOther(country) || (country === "GB" && to === "XI"))
}

/** Article 146 of the VAT Directive. Sellers outside of the EU also export to member states. */
const mayBeExport = (invoice: Taxed, parties: Parties): boolean => {
  const [from, to] = [territoryOf(parties.organization), territoryOf(destinationOf(invoice, parties))]
  return to === null || (from !== to && !isBetweenStates(from, to))
}

/**
 * True for a rate of a country that is neither the seller's nor the customer's, and for the seller's own rate of goods
 * that go to a consumer in another member state (article 33 of the VAT Directive).
 */
const isOfOtherCountry = (invoice: Taxed, parties: Parties): boolean => {
  const { customer, organization } = parties
  const to = destinationOf(invoice, parties)
  const known = [organization.country, stateOf(organization), customer.country, stateOf(customer), to.country]
  const isDistanceSale =
    isOfGoods(invoice) && isBlank(customer.tax_number) && isBetweenStates(territoryOf(organization), territoryOf(to))
  return invoice.tax_breakdown.some(({ category, country = organization.country, rate }) => {
    if (category !== "S" || !BigDecimal.isPositive(rate)) return false
    return !known.includes(country) || (isDistanceSale && country === organization.country)
  })
}

const isBetweenStates = (from: string | null, to: string | null): boolean =>
  from !== to && eu_countries.has(from ?? "") && eu_countries.has(to ?? "")

/** Postal codes of territories of member states to which the VAT Directive does not apply (article 6). */
const outside_union: Readonly<Record<string, Pick<RegExp, "test">>> = {
  DE: /^(27498|78266)$/,
  ES: { test: (postal_code) => spanishTaxAt(postal_code) !== "IVA" },
  FI: /^22/,
  FR: /^9(7|8[1-9])/,
  GR: /^63086$/,
  IT: /^(22061|23041)$/
}

/** Returns the country of a place, with an asterisk for a territory to which the VAT Directive does not apply. */
const territoryOf = ({ country, postal_code }: Place): string | null =>
  country !== null && outside_union[country]?.test((postal_code ?? "").replaceAll(" ", ""))
    ? `${country}*`
    : vatState(country)
