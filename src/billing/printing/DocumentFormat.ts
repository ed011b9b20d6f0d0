import { BigDecimal, DateTime, Record } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { exponentOf, type CurrencyCode } from "../../kernel/Currency.ts"
import type { Correspondents, PostalAddress } from "../correspondence/Correspondents.ts"
import { type PageLanguage, pageLanguages } from "../../platform/pages/PageLanguage.ts"
import { labelsIn } from "./labels/Labels.ts"

export interface DocumentFormat {
  /** The amount alone: "271.36" */
  readonly amount: (amount: BigDecimal.BigDecimal) => string
  /** The amount with its currency: "€271.36" */
  readonly money: (amount: BigDecimal.BigDecimal) => string
  /** The price with at least the currency's decimals, and without rounding: "0.0125" */
  readonly price: (price: BigDecimal.BigDecimal) => string
  readonly quantity: (quantity: BigDecimal.BigDecimal) => string
  /** A percentage: "21%" */
  readonly percent: (percent: BigDecimal.BigDecimal) => string
  /** A day in words: "1 March 2026" */
  readonly day: (day: Day) => string
  /** A range of days in words: "1–31 March 2026" */
  readonly period: (first: Day, last: Day) => string
  /** The name of a UN/ECE Recommendation 20 code that fits the quantity: "hours". An unknown code stays unchanged. */
  readonly unit: (code: string, quantity: BigDecimal.BigDecimal) => string
  /** The form that fits the number, of the forms that a label separates with `|`: "days" of "day|days" */
  readonly plural: (forms: string, count: BigDecimal.BigDecimal) => string
}

/** Countries whose formatting conventions are supported for each language. The first country is the default. */
const countries: { readonly [language in PageLanguage]: readonly [string, ...ReadonlyArray<string>] } = {
  en: ["GB", "AU", "CA", "IE", "NZ", "US"],
  fr: ["FR", "BE", "CA", "CH", "LU"],
  nl: ["NL", "BE"],
  de: ["DE", "AT", "CH", "LI", "LU"],
  es: ["ES", "AR", "CL", "CO", "MX", "PE"],
  it: ["IT", "CH"],
  pt: ["PT", "BR"],
  pl: ["PL"],
  ar: ["AE", "DZ", "EG", "JO", "KW", "LB", "MA", "QA", "SA", "TN"]
}

/** The customer's language, else the organization's; English replaces a language without texts. */
export const readerOf = ({
  customer,
  organization
}: {
  readonly [party in keyof Correspondents]: Pick<Correspondents[party], "language" | "country">
}): { readonly language: PageLanguage; readonly locale: string } => {
  const language = languageOf(customer.language ?? organization.language) ?? "en"
  return { language, locale: localeOf(language, customer.country ?? organization.country) }
}

const languageOf = (tag: string | null): PageLanguage | undefined =>
  pageLanguages.find((language) => language === tag?.slice(0, 2).toLowerCase())

/** Returns a BCP 47 tag: "fr-BE". */
const localeOf = (language: PageLanguage, country: string | null): string =>
  `${language}-${countries[language].find((known) => known === country) ?? countries[language][0]}`

export const documentFormat = (language: PageLanguage, locale: string, currency: CurrencyCode): DocumentFormat => {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = makeFormat(language, locale, currency)
  if (formats.size >= formats_max) formats.clear()
  formats.set(key, made)
  return made
}

// Creating a format costs more than writing a whole invoice with it, and uses memory outside the JavaScript heap.
const formats = new Map<string, DocumentFormat>()
const formats_max = 200

/** Arabic documents use the digits 0 to 9, as bank transfers do, and the Gregorian calendar. */
export const intlLocale = (locale: string): string =>
  locale.startsWith("ar") ? `${locale}-u-ca-gregory-nu-latn` : locale

const makeFormat = (language: PageLanguage, documentLocale: string, currency: CurrencyCode): DocumentFormat => {
  const locale = intlLocale(documentLocale)
  const exponent = exponentOf(currency)
  const decimals = { ...grouped, minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  const any_decimals = { ...grouped, maximumFractionDigits: decimals_max }
  const number_locale = number_locales[locale] ?? locale
  const amounts = new Intl.NumberFormat(number_locale, decimals)
  const money = new Intl.NumberFormat(locale, { style: "currency", currency, ...decimals })
  const prices = new Intl.NumberFormat(number_locale, { ...decimals, ...any_decimals })
  const quantities = new Intl.NumberFormat(number_locale, any_decimals)
  const percents = new Intl.NumberFormat(number_locale, { style: "unit", unit: "percent", ...any_decimals })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" })
  const plurals = new Intl.PluralRules(locale)
  const units = Record.map(measures, (measure) => new Intl.NumberFormat(locale, { style: "unit", ...measure }))
  return {
    amount: (amount) => withMinus(amounts.format(exact(amount))),
    money: (amount) => inOneDirection(withMinus(money.format(exact(amount)))),
    price: (price) => withMinus(prices.format(exact(price))),
    quantity: (quantity) => quantities.format(exact(quantity)),
    percent: (percent) => percents.format(exact(percent)),
    day: (day) => inOrdinals(days.format(momentOf(day)), language),
    // In Italian, Intl writes "01" in ranges of days, but "1" in single days.
    period: (first, last) =>
      inOrdinals(days.formatRange(momentOf(first), momentOf(last)).replaceAll(/(?<!\d)0/g, ""), language),
    unit: (code, quantity) => {
      if (pieces.has(code)) return labelsIn[language].document.piece
      const parts = units[code]?.formatToParts(exact(quantity))
      const known = parts?.find(({ type }) => type === "unit")?.value ?? symbols[code]
      const names: Readonly<Record<string, string>> = labelsIn[language].units
      return known ?? pluralOf(names[code] ?? code, language, plurals.select(BigDecimal.toNumberUnsafe(quantity)))
    },
    plural: (forms, count) => pluralOf(forms, language, plurals.select(BigDecimal.toNumberUnsafe(count)))
  }
}

const pluralOf = (forms: string, language: PageLanguage, rule: Intl.LDMLPluralRule): string => {
  const [one = forms, several = one, many = several] = forms.split("|")
  // Arabic uses the plural from 3 to 10 only.
  if (language === "ar") return rule === "few" ? several : one
  if (rule === "many") return many
  return rule === "one" ? one : several
}

const momentOf = (day: Day) => DateTime.toEpochMillis(DateTime.makeUnsafe(day))

/** French writes the first day of a month as an ordinal number, which Intl does not: "1er mars". */
const inOrdinals = (text: string, language: PageLanguage) =>
  language === "fr" ? text.replaceAll(/(?<!\d)1(?=[\s–])/g, "1er") : text

/** The lines in the order that the country uses, with the country's name when the letter goes `abroad`. */
export const addressLines = (
  address: PostalAddress,
  abroad: boolean,
  language: PageLanguage
): ReadonlyArray<string> => {
  const { address_line1, address_line2, city, country, postal_code, state } = address
  const town = postcode_last.has(country ?? "")
    ? joined([joined([city, state], ", "), postal_code], " ")
    : joined([joined([postal_code, city], " "), state], country === "IT" ? " " : ", ")
  const name = abroad && country !== null ? country_names[language].of(country) : null
  return [address_line1, address_line2, town, name].filter(isText)
}

export const isText = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text.trim() !== ""

/** Replaces a missing or blank text. */
export const textOr = <Default extends string | null>(text: string | null, otherwise: Default): string | Default =>
  isText(text) ? text : otherwise

const joined = (texts: ReadonlyArray<string | null>, separator: string) => texts.filter(isText).join(separator)

/**
 * Arabic formats contain a right-to-left mark, which would separate the parts of "US$", and begin a negative amount
 * with a left-to-right mark, which would move the name of an Arabic currency to the other side.
 */
const inOneDirection = (text: string) =>
  text.replaceAll("\u200f", "").replace(/^\u200e(?=.*\p{Script=Arabic})/u, "\u200f\u200e")

/** Intl uses a hyphen as the minus sign of most languages, which is too short next to digits. */
const withMinus = (text: string) => text.replace("-", "\u2212")

const decimals_max = 20
/** Some languages write "1234" without a separator by default, which looks uneven in a column of figures. */
const grouped = { useGrouping: "always" } as const
/**
 * In these locales, Intl separates thousands in plain numbers and in amounts with a currency differently ("1 234,50"
 * but "1.234,50 €", or "1'234,50" but "1'234.50 €"), so plain numbers use a locale with the signs of the amounts.
 */
const number_locales: { readonly [locale: string]: string } = { "de-AT": "de-DE", "fr-CH": "de-CH" }
const country_names = Record.map(labelsIn, (_, language) => new Intl.DisplayNames(language, { type: "region" }))
const postcode_last = new Set(["AU", "CA", "GB", "IE", "IN", "NZ", "US"])

/** Boundary: the text of a decimal is always numeric. Intl formats it without rounding. */
const exact = (decimal: BigDecimal.BigDecimal) => BigDecimal.format(decimal) as Intl.StringNumericLiteral

const long = (unit: string) => ({ unit, unitDisplay: "long" as const })
const short = (unit: string) => ({ unit, unitDisplay: "short" as const })

/** UN/ECE Recommendation 20 codes of units whose names Intl knows. */
const measures: { readonly [code: string]: Intl.NumberFormatOptions } = {
  SEC: long("second"),
  MIN: long("minute"),
  HUR: long("hour"),
  DAY: long("day"),
  WEE: long("week"),
  MON: long("month"),
  ANN: long("year"),
  GRM: short("gram"),
  KGM: short("kilogram"),
  LBR: short("pound"),
  MLT: short("milliliter"),
  LTR: short("liter"),
  MMT: short("millimeter"),
  CMT: short("centimeter"),
  MTR: short("meter"),
  KMT: short("kilometer"),
  SMI: short("mile"),
  FOT: short("foot"),
  INH: short("inch"),
  HAR: short("hectare")
}

/** Symbols of units whose names Intl does not know. C62 ("one") means no unit, so it prints nothing. */
const symbols: { readonly [code: string]: string } = {
  C62: "",
  MTK: "m²",
  MTQ: "m³",
  KWH: "kWh",
  TNE: "t",
  MGM: "mg",
  P1: "%"
}

const pieces = new Set(["H87", "EA"])
