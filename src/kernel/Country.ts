import { Schema } from "effect"
import { iso31661 } from "iso-3166/1.js"
import { iso31662 } from "iso-3166/2.js"

const country_message = "must be a valid ISO 3166-1 alpha-2 country code."
const subdivision_message = "must be a valid ISO 3166-2 subdivision code."

export const countryCodes: ReadonlyArray<string> = iso31661.map((country) => country.alpha2)

const countries = new Set(countryCodes)
const subdivisions = new Set(iso31662.map((subdivision) => subdivision.code))

/** An assigned ISO 3166-1 alpha-2 code in upper case: "BE". */
export const CountryCode = Schema.String.annotate({ message: country_message })
  .check(Schema.makeFilter((code) => countries.has(code), { message: country_message, expected: "an ISO 3166-1 code" }))
  .pipe(Schema.brand("CountryCode"))
export type CountryCode = typeof CountryCode.Type

/** The overseas departments in which French VAT law applies: Guadeloupe, Martinique and Réunion. */
export const french_territories: ReadonlyArray<string> = ["GP", "MQ", "RE"]

export const isFrench = (country: string | null): boolean =>
  country !== null && (country === "FR" || french_territories.includes(country))

export const SubdivisionCode = Schema.String.annotate({ message: subdivision_message })
  .check(
    Schema.makeFilter((code) => subdivisions.has(code), {
      message: subdivision_message,
      expected: "an ISO 3166-2 code"
    })
  )
  .pipe(Schema.brand("SubdivisionCode"))
export type SubdivisionCode = typeof SubdivisionCode.Type

export const subdivisionBelongsTo = (subdivision: SubdivisionCode, country: CountryCode): boolean =>
  subdivision.startsWith(`${country}-`)
