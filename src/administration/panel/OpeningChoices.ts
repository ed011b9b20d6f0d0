import { countryCodes } from "../../kernel/Country.ts"
import { currencyCodes } from "../../kernel/Currency.ts"
import { localeOf, type PageLanguage, pageLanguages } from "../../platform/pages/PageLanguage.ts"

/** The code comes first, because users find an entry by typing its beginning. */
const currencyLabel = (code: string, name: string | undefined) =>
  name === undefined || name === code ? code : `${code} · ${name}`

const byLabel = (language: PageLanguage) => (a: { readonly label: string }, b: { readonly label: string }) =>
  a.label.localeCompare(b.label, language)

/** The choices are in the language of the page. `choose` is the label of the empty choice. */
export const openingChoices = (language: PageLanguage, choose: string) => {
  const locale = localeOf(language)
  const regions = new Intl.DisplayNames(locale, { type: "region" })
  const currencies = new Intl.DisplayNames(locale, { type: "currency" })
  const languages = new Intl.DisplayNames(locale, { type: "language" })
  const none = { value: "", label: choose }
  return {
    country: [
      none,
      ...countryCodes.map((value) => ({ value, label: regions.of(value) ?? value })).toSorted(byLabel(language))
    ],
    currency: [none, ...currencyCodes.map((value) => ({ value, label: currencyLabel(value, currencies.of(value)) }))],
    timezone: [none, ...Intl.supportedValuesOf("timeZone").map((value) => ({ value, label: value }))],
    language: pageLanguages.map((value) => ({ value, label: languages.of(value) ?? value })).toSorted(byLabel(language))
  }
}
