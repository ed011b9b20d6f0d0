import { Option, Schema } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { compact } from "../../kernel/Text.ts"
import { eu_prefixes, prefixOf } from "../../kernel/Union.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { Identifier } from "../invoice/EInvoice.ts"
import { directory_scheme, siren_scheme, siret_scheme } from "../countries/FrenchCodes.ts"

const registersOf = (country: string | null): ReadonlyArray<string> =>
  Option.match(einvoicingCountry(country), { onNone: () => [], onSome: ({ registers }) => registers })

/** The Italian codice fiscale of a person, whose first letters may be the code of a country (RSSMRA85T10A562S). */
const codice_fiscale = /^[A-Z]{6}[0-9A-Z]{10}$/
/** A Greek VAT identifier with the country code in place of the prefix EL (BR-CO-09). */
const greek_number = /^GR(?=\d{9}$)/

/** Returns the tax number as a VAT identifier without punctuation, or null without a country prefix or a digit. */
export const vatIdentifier = (tax_number: string | null): string | null => {
  const number = compact(tax_number ?? "").replace(greek_number, prefixOf("GR"))
  const prefix = number.slice(0, 2)
  const isPrefixed = eu_prefixes.has(prefix) || isCountryCode(prefix)
  const isIdentifier = /^[A-Z]{2}(?=.*\d)[0-9A-Z+*]{2,}$/.test(number) && !codice_fiscale.test(number)
  return isPrefixed && isIdentifier ? number : null
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
