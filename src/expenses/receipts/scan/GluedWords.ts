import type { Word } from "../../../platform/ocr/engines/Reading.ts"
import { markOf } from "./CurrencyMarks.ts"

/** Matches an amount with two decimals. The characters that may not follow would make it a date, a time or a rate. */
const amount = String.raw`\d{1,7}(?:[.,'’]\d{3}){0,3}[.,]\d\d(?![\d.,:/%])`
/** Matches the places within a word at which the recognition engine may have missed a narrow space. */
const seam = new RegExp(
  [
    String.raw`(?<=\p{L}\S{0,4}[:;=])(?<!(?:time|uhr|zeit|tijd|heure|hora|ora).)(?=[^\d\s:;=]{0,3}${amount})`,
    String.raw`(?<=\p{L}{3})(?=[$€£]?${amount}\D{0,3}$)`,
    String.raw`(?<=[.,]\d\d[$€£]?)(?=\p{L}{2,12}[:;])`,
    String.raw`(?<=\d[.,]\d\d)(?=\d{1,2}[.,]\d{1,3}%$)`,
    String.raw`(?<=\p{L}{3})(?=@\d{1,2}(?:[.,]\d{1,3})?%)`,
    String.raw`(?<=\bof)(?=vat\b)`
  ].join("|"),
  "iu"
)

/** Separates words that the recognition engine joined, and divides the box of the word in proportion to the letters. */
export const separated = (word: Word): ReadonlyArray<Word> => {
  const [before = ""] = /^\D*/.exec(word.text) ?? []
  if (!/\d[.,]\d\d|@\d/.test(word.text) || markOf(before) !== undefined) return [word]
  const width = (word.x1 - word.x0) / word.text.length
  let x0 = word.x0
  return word.text.split(seam).map((text) => {
    const part = { ...word, text, x0, x1: x0 + width * text.length }
    x0 = part.x1
    return part
  })
}
