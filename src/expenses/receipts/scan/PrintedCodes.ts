import { exponentOf, isCurrency } from "../../../kernel/Currency.ts"
import type { Word } from "../../../platform/ocr/engines/Reading.ts"
import { markAt } from "./CurrencyMarks.ts"
import { type Concept, folded } from "./Keywords.ts"
import type { Row } from "./Rows.ts"
import type { LabelledMoney, Scan } from "./Scan.ts"

/** True if a word has the letters of a currency's code, and not its sign. */
export const isCode = (word: Word | undefined, code: string) => word !== undefined && word.text.includes(code)

/** Codes that are neither words, names nor airports, as "TRY", "BOB" and "MAD" are. */
const unmistakable = new Set("EUR USD GBP CHF JPY DKK NOK PLN CZK HUF".split(" "))

export const mayBeWord = (mark: string): boolean => /^[A-Z]{3}$/.test(mark) && !unmistakable.has(mark)

const sums: ReadonlySet<Concept> = new Set(["due", "total", "subtotal", "tax", "paid", "card", "cash"])

/** True for totals, taxes and payments. */
export const isSum = ({ concepts }: LabelledMoney): boolean => [...concepts].some((concept) => sums.has(concept))

const hasSumLabel = ({ labels }: Row) => labels.some(({ concept }) => sums.has(concept))

/** True if the code at a position of a row means a word, a name or an airport instead of a currency. */
export type IsAside = (row: Row, at: number) => boolean

const timeOrDate = /^(?:\d{1,2}[:h]\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d)$/
const wholeNumber = /^\d{1,4}$/

/**
 * Finds codes as in "FRA MAD 14:30", "Table BOB 12" and "CAD 2026". A whole number after a code may be an amount if the
 * total is a whole number or equals it, or if the code is printed several times. A code whose amounts have other
 * decimals than those of the home currency is never ignored, because its decimals would change the value of the total.
 */
export const asideBy = (
  { exponent, rows }: Scan,
  totals: ReadonlyArray<LabelledMoney>,
  home_decimals: number
): IsAside => {
  const printed = new Map<string, number>()
  for (const { pass, words } of rows) {
    for (const at of words.keys()) {
      const key = `${pass} ${markAt(words, at)}`
      printed.set(key, (printed.get(key) ?? 0) + 1)
    }
  }
  const haveDecimals = totals.some(({ hasDecimals }) => hasDecimals)
  const isTotal = (text: string) => totals.some(({ units }) => units === Number(text) * 10 ** exponent)
  return (row, at) => {
    const mark = markAt(row.words, at)
    if (mark === undefined || !mayBeWord(mark) || !isCurrency(mark) || exponentOf(mark) !== home_decimals) return false
    if (/\d/.test(row.words[at]?.text ?? "") || hasSumLabel(row)) return false
    const [before, after] = [row.words[at - 1]?.text ?? "", row.words[at + 1]?.text ?? ""]
    const isOnly = printed.get(`${row.pass} ${mark}`) === 1
    const isCount = haveDecimals && isOnly && wholeNumber.test(after) && !isTotal(after)
    if (!isHarmless(before) || !(isHarmless(after) || isCount)) return false
    return /\d/.test(before + after) || isAirport(row, at - 1) || isAirport(row, at + 1)
  }
}

const isHarmless = (text: string) => !/\d/.test(text) || timeOrDate.test(text)

/** True for three capital letters. A row without any number may have column headings instead of airports. */
const isAirport = ({ labels, text, words }: Row, at: number) =>
  /\d/.test(text) &&
  /^[A-Z]{3}$/.test(words[at]?.text ?? "") &&
  markAt(words, at) === undefined &&
  !labels.some(({ from, to }) => from <= at && at <= to)

const headings =
  /\b(?:currency|devise|wahrung|valuta|munt|moneda|divisa|prices?|prix|prij(?:s|zen)|preise?|precios?|prezz[io])\b/

/** True if a row without numbers says in which currency the amounts are, as in "Amounts in JOD". */
export const isHeadingIn = (row: Row, code: string): boolean =>
  row.words.some((word, at) => isCode(word, code) && markAt(row.words, at) === code) &&
  !/\d/.test(row.text) &&
  (hasSumLabel(row) || headings.test(folded(row.text)))

const isNumber = (word: Word | undefined) => /^[^\p{L}%]*\d[^\p{L}%]*$/u.test(word?.text ?? "")

/** Returns the codes of currencies that touch a number. The equivalent at an exchange rate needs no attention. */
export const codesBesideNumbers = (rows: ReadonlyArray<Row>, isAside: IsAside): ReadonlyArray<string> => {
  const codes = rows
    .filter(({ labels }) => !labels.some(({ concept }) => concept === "equivalent"))
    .flatMap((row) =>
      row.words.flatMap((word, at) => {
        const mark = markAt(row.words, at)
        const isBeside = /\d/.test(word.text) || isNumber(row.words[at - 1]) || isNumber(row.words[at + 1])
        return mark?.length === 3 && isCode(word, mark) && isBeside && !isAside(row, at) ? [mark] : []
      })
    )
  return [...new Set(codes)]
}
