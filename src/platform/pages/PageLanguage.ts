export const pageLanguages = ["en", "fr", "nl", "de", "es", "it", "pt", "pl", "ar"] as const
export type PageLanguage = (typeof pageLanguages)[number]

export const directionOf = (language: PageLanguage): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr")

/** Returns the locale of dates and names on pages: `pt-PT` for Portuguese, because `pt` would mean that of Brazil. */
export const localeOf = (language: PageLanguage): string => (language === "pt" ? "pt-PT" : language)

const preferences_max = 20

/** Returns the best of the page languages for an `Accept-Language` header (RFC 9110, 12.5.4), or English. */
export const languageOf = (acceptLanguage: string | undefined): PageLanguage => {
  const preferences = (acceptLanguage ?? "").split(",", preferences_max).map((preference) => {
    const [range = "", ...parameters] = preference.split(";")
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean)
    return { tag: range.trim().toLowerCase().split("-", 1)[0], weight: weight === undefined ? 1 : Number(weight) }
  })
  const wanted = preferences.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const language = pageLanguages.find((language) => language === tag)
    if (language !== undefined) return language
  }
  return "en"
}
