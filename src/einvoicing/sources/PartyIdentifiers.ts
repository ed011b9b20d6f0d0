import { Option, Schema } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { compact } from "../../kernel/Text.ts"
import { eu_prefixes, prefixOf, union_structures } from "../../kernel/Union.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { Identifier } from "../invoice/EInvoice.ts"
import { directory_scheme, siren_scheme, siret_scheme } from "../countries/FrenchCodes.ts"

const registersOf = (country: string | null): ReadonlyArray<string> =>
  Option.match(einvoicingCountry(country), { onNone: () => [], onSome: ({ registers }) => registers })

/** The Italian codice fiscale of a person, whose first letters may be the code of a country (RSSMRA85T10A562S). */
const codice_fiscale = /^[A-Z]{6}[0-9A-Z]{10}$/
/** A Greek VAT identifier with the country code in place of the prefix EL (BR-CO-09). */
const greek_number = /^GR(?=\d{9}$)/

/**
 * Returns the tax number as a VAT identifier without punctuation, or null without a country prefix or a digit. A country
 * may have tax numbers that begin like a prefix of another country, as those of Mexico do (DEI150101AB1). If the country
 * of the party is known, the identifier of another country must therefore have the structure that this country uses.
 */
export const vatIdentifier = (tax_number: string | null, country: string | null): string | null => {
  const number = compact(tax_number ?? "").replace(greek_number, prefixOf("GR"))
  const prefix = number.slice(0, 2)
  const isPrefixed = eu_prefixes.has(prefix) || isCountryCode(prefix)
  const isIdentifier = /^[A-Z]{2}(?=.*\d)[0-9A-Z+*]{2,}$/.test(number) && !codice_fiscale.test(number)
  const isOwn = country === null || prefix === prefixOf(country)
  return isPrefixed && isIdentifier && (isOwn || hasStructure(number)) ? number : null
}

const hasStructure = (number: string): boolean => {
  const prefix = number.slice(0, 2)
  if (prefix === "ES") return isValid(spanish_scheme, number)
  const structure = union_structures.get(prefix) ?? other_structures[prefix]
  return structure?.test(number.slice(prefix.length)) ?? false
}

/** EAS code of Spanish VAT identifiers. */
const spanish_scheme = "9920"

/** The structures of countries outside the EU whose VAT identifiers businesses of other countries often have. */
const other_structures: Readonly<Record<string, RegExp>> = {
  CH: /^E\d{9}(MWST|TVA|IVA)?$/,
  GB: /^\d{9}(\d{3})?$/,
  NO: /^\d{9}MVA$/
}

/** Returns the registration number, with the scheme of the country's register if the number is valid there. */
export const registrationIn = (country: string | null, number: string | null): Identifier | null => {
  const text = number?.trim() ?? ""
  if (text === "") return null
  const spellings = [text.replace(/[\s.]/g, ""), text.replace(/[\s.-]/g, ""), text.replace(/\D/g, "")]
  const known = registersOf(country).flatMap((scheme) =>
    spellings.flatMap((value) => (isValid(scheme, value) ? [{ scheme, value }] : []))
  )
  const [first = { scheme: null, value: text }] = known
  // A SIRET identifies an establishment of a company; its first nine digits, the SIREN, identify the company.
  return first.scheme === siret_scheme ? sirenIn(first.value) : first
}

const siren_length = 9

const sirenIn = (value: string): Identifier => ({ scheme: siren_scheme, value: value.slice(0, siren_length) })

/** Returns the buyer's number in the register of its country, if the electronic address contains this number. */
export const buyerRegistration = (
  country: string | null,
  { scheme, value }: { readonly scheme: string; readonly value: string }
) => {
  if (scheme === directory_scheme && isValid(scheme, value)) return sirenIn(value)
  return registersOf(country).includes(scheme) && isValid(scheme, value) ? { scheme, value } : null
}

const isCountryCode = Schema.is(CountryCode)

const isValid = (scheme: string, value: string) => Option.isNone(checkIdentifier(scheme, value))
