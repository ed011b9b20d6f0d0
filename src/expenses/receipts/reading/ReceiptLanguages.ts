import { isReadableLanguage, type ReadableLanguage } from "../../../platform/ocr/engines/LanguageData.ts"

/** Languages of receipts by country besides English, the most common first. */
const languages_of: Readonly<Record<string, ReadonlyArray<ReadableLanguage>>> = {
  AT: ["de"],
  BE: ["nl", "fr"],
  CH: ["de", "fr", "it"],
  DE: ["de"],
  ES: ["es"],
  FR: ["fr"],
  IT: ["it"],
  LI: ["de"],
  LU: ["fr", "de"],
  MC: ["fr"],
  NL: ["nl"],
  SM: ["it"]
}

/** Maximum number of languages. Each further language takes a third more time and improves the result less. */
const languages_max = 3

/**
 * Returns the languages of the country, the organization's language and English, at most `languages_max`. The
 * organization's language comes first if the country has it, else after the country's.
 */
export const receiptLanguages = (country: string, language: string): ReadonlyArray<ReadableLanguage> => {
  const own = language.slice(0, 2).toLowerCase()
  const spoken = (languages_of[country] ?? []).toSorted((a, b) => Number(b === own) - Number(a === own))
  const others = new Set([...spoken, ...(isReadableLanguage(own) ? [own] : [])])
  others.delete("en")
  return [...[...others].slice(0, languages_max - 1), "en"]
}
