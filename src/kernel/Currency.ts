import { Schema } from "effect"
import { data } from "currency-codes"

/** ISO 4217 codes without a minor unit (metals, bond units, the SDR): nothing can be invoiced in them. */
const without_minor_unit = new Set([
  "XAG",
  "XAU",
  "XBA",
  "XBB",
  "XBC",
  "XBD",
  "XDR",
  "XPD",
  "XPT",
  "XSU",
  "XTS",
  "XUA",
  "XXX"
])

/** ISO 4217 amendment 176, in use since 31 March 2025; the npm package with the other currencies lacks it. */
const caribbean_guilder = ["XCG", 2] as const

const exponents: ReadonlyMap<string, number> = new Map([
  ...data.filter(({ code }) => !without_minor_unit.has(code)).map(({ code, digits }) => [code, digits] as const),
  caribbean_guilder
])

export const currencyCodes: ReadonlyArray<string> = [...exponents.keys()].toSorted()

const message = "must be a valid ISO 4217 currency code."

/** An active ISO 4217 code in upper case. */
export const CurrencyCode = Schema.String.annotate({ message })
  .check(Schema.makeFilter((code) => exponents.has(code), { message, expected: "an ISO 4217 currency code" }))
  .pipe(Schema.brand("CurrencyCode"))
export type CurrencyCode = typeof CurrencyCode.Type

export const isCurrency = Schema.is(CurrencyCode)

/** Decimals of the currency's amounts: JPY 0, EUR 2, BHD 3. */
export const exponentOf = (currency: CurrencyCode): number => exponents.get(currency) ?? 2

/** Decimals of the currencies that do not have two, for SQL statements, which cannot call `exponentOf`. */
export const unusualExponents: Readonly<Record<string, number>> = Object.fromEntries(
  [...exponents].filter(([, exponent]) => exponent !== 2)
)
