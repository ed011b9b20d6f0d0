import { Schema } from "effect"
import type { DatedSale } from "../../../billing/sales/DatedSale.ts"
import { easCode } from "../../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../../kernel/Country.ts"
import { cut } from "../../../kernel/Text.ts"
import { countryOf, eu_countries, eu_prefixes } from "../../../kernel/Union.ts"
import { isDomestic } from "../../countries/EinvoicingCountry.ts"
import { france } from "../../countries/France.ts"
import { registrationIn, vatIdentifier } from "../../sources/PartyIdentifiers.ts"
import type { ReportedParty } from "./ReportContent.ts"
import { directory_scheme, siren_scheme, siret_scheme } from "../../countries/FrenchCodes.ts"

/** The role of a customer in the reports, or the reason why the customer has none. */
type Buyer =
  | { readonly role: "french_business" }
  | { readonly role: "consumer" }
  | { readonly role: "foreign_business"; readonly party: ReportedParty }
  | { readonly role: "unidentified"; readonly reason: string }

/** EAS code of French VAT identifiers. */
const vat_scheme = "9957"
const french_schemes = new Set([siren_scheme, siret_scheme, directory_scheme, vat_scheme])
/** Rule G2.19: `eu_scheme` for businesses in other EU countries, `other_scheme` outside the EU. */
const eu_scheme = "0223"
const other_scheme = "0227"
/** Territories with their own business registers: New Caledonia (RIDET) and French Polynesia (TAHITI). */
const territories: Readonly<Record<string, { readonly scheme: string; readonly pattern: RegExp }>> = {
  NC: { scheme: "0228", pattern: /^\d{9,10}$/ },
  PF: { scheme: "0229", pattern: /^\d{9}$/ }
}
const name_characters_max = 16
/** Maximum length of a supplier's wrong country in the description of a problem. */
const country_characters_max = 50
const isCountry = Schema.is(CountryCode)

/** Sales to consumers are reported, but invoices between two French businesses are not. */
export const buyerOf = ({ customer, identifiers, tax_breakdown }: DatedSale): Buyer => {
  const number = (customer.tax_number ?? identifiers.tax_number ?? "").trim()
  const vat = vatIdentifier(number, customer.country)
  const prefix = vat?.slice(0, 2) ?? null
  const country = customer.country ?? (prefix === null ? "FR" : homeOf(prefix))
  const hasAddress = identifiers.value !== null
  if (isDomestic(france, country)) {
    const isRegistered =
      prefix === "FR" ||
      registrationIn("FR", number)?.scheme === siren_scheme ||
      (hasAddress && french_schemes.has(easCode(identifiers.scheme ?? "")))
    return { role: isRegistered ? "french_business" : "consumer" }
  }
  const isEuropean = eu_countries.has(country)
  // Consumers of some countries of the EU have a tax number, but no VAT identifier.
  const isNumbered = isEuropean ? vat !== null : number !== ""
  const isReversed = tax_breakdown.some(({ category }) => category === "AE" || category === "K")
  if (!isNumbered && !hasAddress && !isReversed) return { role: "consumer" }
  return foreignBusiness({ country, isEuropean, name: customer.name, number, vat })
}

/** The supplier of an expense. Its tax number comes from an e-invoice, as does its country if the expense has none. */
interface Supplier {
  readonly country: string
  readonly name: string | null
  readonly tax_number: string | null
}

/** `isEuropean` is null if the country is not known. */
export const supplierOf = (supplier: Supplier): Buyer & { readonly isEuropean: boolean | null } => {
  const { name, tax_number } = supplier
  const country = homeOf(supplier.country)
  if (!isCountry(country)) {
    const shown = cut(supplier.country, country_characters_max)
    return { role: "unidentified", reason: `${shown} is not the code of a country.`, isEuropean: null }
  }
  const isEuropean = eu_countries.has(country)
  if (isDomestic(france, country)) return { role: "french_business", isEuropean }
  const vat = vatIdentifier(tax_number, country)
  return { ...foreignBusiness({ country, isEuropean, name: name ?? "", number: tax_number ?? "", vat }), isEuropean }
}

/** Returns the country of a prefix of VAT identifiers; that of Northern Ireland is the United Kingdom. */
const homeOf = (prefix: string): string => (prefix === "XI" ? "GB" : countryOf(prefix))

interface Foreigner {
  readonly country: string
  readonly isEuropean: boolean
  readonly name: string
  readonly number: string
  readonly vat: string | null
}

const foreignBusiness = ({ country, isEuropean, name, number, vat }: Foreigner): Buyer => {
  const isEuropeanVat = vat !== null && eu_prefixes.has(vat.slice(0, 2)) && !vat.startsWith("FR")
  if (isEuropeanVat) return known({ identifier: { scheme: eu_scheme, value: vat }, vat_identifier: vat, country })
  if (isEuropean) return { role: "unidentified", reason: "The business has no VAT identifier." }
  const territory = territories[country]
  if (territory?.pattern.test(number) === true) {
    return known({ identifier: { scheme: territory.scheme, value: number }, vat_identifier: null, country })
  }
  const word = lettersOf(name) || lettersOf(number)
  if (word === "") return { role: "unidentified", reason: "The name of the business has no Latin letter." }
  const value = `${country}${word.slice(0, name_characters_max)}`
  return known({ identifier: { scheme: other_scheme, value }, vat_identifier: null, country })
}

const known = (party: ReportedParty): Buyer => ({ role: "foreign_business", party })

const lettersOf = (text: string): string =>
  text
    .normalize("NFD")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
