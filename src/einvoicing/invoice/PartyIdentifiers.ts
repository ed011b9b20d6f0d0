import { Option, Schema } from "effect"
import { checkIdentifier } from "../../customers/NetworkIdentifier.ts"
import { CountryCode } from "../../kernel/Country.ts"
import type { Identifier } from "./EInvoice.ts"

/** How the business registers of countries number companies: ISO 6523 codes. */
const registers: Readonly<Record<string, ReadonlyArray<string>>> = {
  BE: ["0208"],
  CH: ["0183"],
  DK: ["0184"],
  EE: ["0191"],
  FI: ["0216"],
  FR: ["0002", "0009"],
  IS: ["0196"],
  NL: ["0106", "0190"],
  NO: ["0192"],
  SE: ["0007"]
}

/** Northern Ireland and Greece have prefixes of their own (BR-CO-09). */
const special_prefixes = new Set(["XI", "EL"])

/** The tax number as a VAT identifier: without punctuation; null when it does not begin with a country's prefix. */
export const vatIdentifier = (tax_number: string | null): string | null => {
  const compact = (tax_number ?? "").replace(/[\s./-]/g, "").toUpperCase()
  const prefix = compact.slice(0, 2)
  const isPrefixed = special_prefixes.has(prefix) || isCountryCode(prefix)
  return isPrefixed && /^[A-Z]{2}(?=.*\d)[0-9A-Z+*]{2,}$/.test(compact) ? compact : null
}

/** The registration number, with its register's scheme where it is one of that. */
export const registrationIn = (country: string | null, number: string | null): Identifier | null => {
  const text = number?.trim() ?? ""
  if (text === "") return null
  const spellings = [text.replace(/[\s.]/g, ""), text.replace(/[\s.-]/g, ""), text.replace(/\D/g, "")]
  const known = (registers[country ?? ""] ?? []).flatMap((scheme) =>
    spellings.flatMap((value) => (isValid(scheme, value) ? [{ scheme, value }] : []))
  )
  const [first = { scheme: null, value: text }] = known
  // A SIRET is a place of the company that its first nine digits, the SIREN, name.
  return first.scheme === siret_scheme ? sirenIn(first.value) : first
}

const siret_scheme = "0009"
const french_directory_scheme = "0225"
const siren_length = 9

const sirenIn = (value: string): Identifier => ({ scheme: "0002", value: value.slice(0, siren_length) })

/** An electronic address that is a number of the business register at home. */
export const buyerRegistration = (
  country: string | null,
  { scheme, value }: { readonly scheme: string; readonly value: string }
) => {
  if (scheme === french_directory_scheme && isValid(scheme, value)) return sirenIn(value)
  return registers[country ?? ""]?.includes(scheme) === true && isValid(scheme, value) ? { scheme, value } : null
}

const isCountryCode = Schema.is(CountryCode)

const isValid = (scheme: string, value: string) => Option.isNone(checkIdentifier(scheme, value))
