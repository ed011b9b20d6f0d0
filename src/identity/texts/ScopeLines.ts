import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { accountTexts } from "./AccountTexts.ts"

const worded = (words: Readonly<Record<string, string>>, name: string) => words[name] ?? name

/** Describes the scopes in one line per resource, such as `Invoices: read, create and change, send`. */
export const scopeLines = (scopes: ReadonlyArray<string>, language: PageLanguage): ReadonlyArray<string> => {
  const { deeds, things } = accountTexts[language].scopes
  const lines = Map.groupBy(scopes, (scope) => worded(things, scope.split(/[:.]/, 1)[0] ?? ""))
  const colon = language === "fr" ? "\u00a0: " : ": "
  return [...lines].map(([thing, of]) => {
    const done = of.map((scope) => worded(deeds, scope.split(/[:.]/)[1] ?? ""))
    return `${thing}${colon}${done.join(language === "ar" ? "، " : ", ")}`
  })
}
