import { BigDecimal } from "effect"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { DocumentFormat } from "./DocumentFormat.ts"
import { labelsIn } from "./labels/Labels.ts"

/** A trimmed line of payment terms that offers a cash discount as XRechnung requires (BR-DE-18). */
export const cash_discount = /^#SKONTO#TAGE=(\d+)#PROZENT=(\d+\.\d{2})(?:#BASISBETRAG=(-?\d+\.\d{2}))?#$/

/** Replaces the lines that are written for programs by sentences in the language of the document. */
export const withReadableDiscounts = (
  terms: string | null,
  { format, language }: { readonly format: DocumentFormat; readonly language: PageLanguage }
): string | null => {
  if (terms === null || !terms.includes("#SKONTO#")) return terms
  const lines = terms.split(/\r?\n/).map((line) => {
    const [, days, percent, base] = cash_discount.exec(line.trim()) ?? []
    if (days === undefined || percent === undefined) return line
    const { cash_discount: words } = labelsIn[language].document
    return (base === undefined ? words.whole : words.part)
      .replace("{percent}", format.percent(BigDecimal.fromStringUnsafe(percent)))
      .replace("{base}", base === undefined ? "" : format.money(BigDecimal.fromStringUnsafe(base)))
      .replace("{days}", `${days} ${format.plural(words.days, BigDecimal.fromStringUnsafe(days))}`)
  })
  return lines.join("\n").trimEnd()
}
