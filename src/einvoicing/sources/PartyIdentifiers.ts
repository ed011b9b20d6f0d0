import { Option, Schema } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { Identifier } from "../invoice/EInvoice.ts"
import { directory_scheme, siren_scheme, siret_scheme } from "../countries/FrenchCodes.ts"

const registersOf = (country: string | null): ReadonlyArray<string> =>
  Option.match(einvoicingCountry(country), { onNone: () => [], onSome: ({ registers }) => registers })

/** VAT prefixes of Northern Ireland and Greece, which are not their country codes (BR-CO-09). */
const special_prefixes = new Set(["XI", "EL"])

/** Prefixes of VAT identifiers that the EU's register (VIES) knows; XI is Northern Ireland. */
export const eu_prefixes = new Set(
  "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ")
)

/** Returns the tax number as a VAT identifier without punctuation, or null without a country prefix or a digit. */
export const vatIdentifier = (tax_number: string | null): string | null => {
  const compact = (tax_number ?? "").replace(/[\s./-]/g, "").toUpperCase()
  const prefix = compact.slice(0, 2)
  const isPrefixed = special_prefixes.has(prefix) || isCountryCode(prefix)
  return isPrefixed && /^[A-Z]{2}(?=.*\d)[0-9A-Z+*]{2,}$/.test(compact) ? compact : null
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
