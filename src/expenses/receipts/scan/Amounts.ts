import type { Box, Word } from "../../../platform/ocr/engines/Reading.ts"
import { markAt, markOf } from "./CurrencyMarks.ts"
import type { Concept } from "./Keywords.ts"
import { boxOf, heightOf, type Row } from "./Rows.ts"

export interface Money extends Box {
  readonly row: Row
  /** Index of the amount's first word among the words of the row; `to` is the index of its last word. */
  readonly from: number
  readonly to: number
  /** An integer in the currency's smallest unit; negative for a discount or a refund. */
  readonly units: number
  /** The currency sign or code next to the amount. */
  readonly mark: string | undefined
  readonly hasDecimals: boolean
  /** True if a letter was read as the digit that it resembles. */
  readonly isRepaired: boolean
  /** True for the price of one piece or litre, as in "2 x 1,25". */
  readonly isUnitPrice: boolean
  /** True for a number with a wide gap: "1 545,23" may be one number or two. */
  readonly isJoined: boolean
  readonly confidence: number
}

/** How the receipt's currency prints amounts. */
export interface AmountForm {
  readonly exponent: number
  /** The largest amount that a receipt of the currency has, in its smallest unit. */
  readonly units_max: number
}

export interface Percentage {
  readonly row: Row
  readonly at: number
  /** Hundredths of a percent: 21 % is 2100. */
  readonly rate: number
}

/** Maximum number of digits before the decimals, and that of a number without any separator, which may be a reference. */
const digits_max = 15
const whole_digits_max = 10
/** Widest gaps within a number, as multiples of a letter's height; wider gaps separate columns. */
const thousands_gap_max = 0.45
const separator_gap_max = 1
/** Maximum number of three-digit groups after the first one; no amount has more. */
const groups_max = 4

const measures = new Set(
  "kg g gr l lt ltr ml cl dl km m cm mm h hr std min stk st pcs pce stuk uhr kwh w m2 m3 liter litre litres litri litros".split(
    " "
  )
)

interface Numbers {
  readonly amounts: ReadonlyArray<Money>
  /** Numbers above the largest amount of the currency: a total, or something else such as a telephone number. */
  readonly oversized: ReadonlyArray<Money>
  readonly percentages: ReadonlyArray<Percentage>
}

/** Finds amounts and percentages in a row. `skip` holds the indexes of words with another meaning, such as a date. */
export const numbersIn = (row: Row, { exponent, units_max }: AmountForm, skip: ReadonlySet<number>): Numbers => {
  const amounts: Array<Money> = []
  const oversized: Array<Money> = []
  const percentages: Array<Percentage> = []
  const isTooLarge = ({ units }: Parsed) => Math.abs(units) > units_max
  const words = withDecimalPoints(row, exponent)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || skip.has(at) || !/\d/.test(word.text)) continue
    const rate = percentageAt(words, at)
    if (rate !== undefined) {
      percentages.push({ row, at, rate })
      continue
    }
    const end = (gap_max: number) => groupsFrom(words, at, gap_max, exponent, skip)
    const [narrow, wide] = [end(thousands_gap_max), end(separator_gap_max)]
    const whole = joinedAmount(words, at, wide, exponent)
    if (wide !== undefined && (whole === undefined || isTooLarge(whole))) {
      // The number is too large, so its last part is not an amount, either.
      if (whole !== undefined) oversized.push(moneyOf(row, at, whole, wide !== narrow))
      at = wide
      continue
    }
    // If a gap is wide, both interpretations are listed; the sums of the receipt decide between them.
    if (whole !== undefined && wide !== narrow) amounts.push(moneyOf(row, at, whole, true))
    const number = joinedAmount(words, at, narrow, exponent) ?? amountAt(words, at, exponent, skip)
    if (number === undefined) continue
    const found = isTooLarge(number) ? oversized : amounts
    found.push(moneyOf(row, at, { ...number, isRepaired: number.isRepaired || word !== row.words[at] }, false))
    at = number.to
  }
  return { amounts, oversized, percentages }
}

/** An amount of money in which a colon or hyphen stands for the decimal point. */
const misreadPoint = /^(\D{0,3}\d{1,5})[:-](?=\d\d$)/
/** Concepts of rows in which a number such as 28:00 is an amount and not a time. */
const sums: ReadonlySet<Concept> = new Set(["due", "total", "subtotal", "cash"])

/**
 * Restores a misread decimal point, as in "TOTAL 28:00" or "$28-00". A number without a currency may be a time, so it
 * must be the only number of a row that states a sum.
 */
const withDecimalPoints = ({ labels, words }: Row, exponent: number): ReadonlyArray<Word> => {
  if (exponent !== 2 || !words.some(({ text }) => misreadPoint.test(text))) return words
  const isSum =
    labels.some(({ concept }) => sums.has(concept)) && words.filter(({ text }) => /\d/.test(text)).length === 1
  return words.map((word, at) => {
    const mark = markOf(word.text.replace(/\d.*/, "")) ?? markOf(words[at - 1]?.text ?? "")
    return misreadPoint.test(word.text) && (isSum || mark !== undefined)
      ? { ...word, text: word.text.replace(misreadPoint, "$1.") }
      : word
  })
}

const percentageAt = (words: ReadonlyArray<Word>, at: number): number | undefined => {
  const word = words[at]?.text ?? ""
  const match = /^[^\d%]{0,6}(\d{1,2})(?:[.,](\d{1,3}))?\s?%/.exec(word)
  const apart = /^[^\d]{0,6}(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(word)
  const found = match ?? (words[at + 1]?.text.startsWith("%") ? apart : null)
  if (found === null) return undefined
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0").slice(0, 2))
}

interface Parsed {
  readonly units: number
  readonly to: number
  readonly hasDecimals: boolean
  readonly isRepaired: boolean
  readonly mark: string | undefined
}

const amountAt = (
  words: ReadonlyArray<Word>,
  at: number,
  exponent: number,
  skip: ReadonlySet<number>
): Parsed | undefined => {
  const word = words[at]
  const next = words[at + 1]
  if (word === undefined) return undefined
  if (next !== undefined && !skip.has(at + 1) && continues(word, next)) {
    const joined = parseAmount(word.text + next.text, exponent)
    if (joined !== undefined) return { ...joined, to: at + 1 }
  }
  const alone = parseAmount(word.text, exponent)
  if (alone === undefined) return undefined
  const unit = next?.text.toLowerCase().replace(/[.,:;]/g, "") ?? ""
  return measures.has(unit) ? undefined : { ...alone, to: at }
}

/** True if a number continues in the next word: "17, 06" and "26 ,90" are one number if the gap is narrow. */
const continues = (word: Word, next: Word): boolean => {
  if (gapOf(word, next) > separator_gap_max) return false
  return /\d[.,]$/.test(word.text)
    ? /^\d\d\D{0,3}$/.test(next.text)
    : /\d$/.test(word.text) && /^[.,]\d\d\D{0,3}$/.test(next.text)
}

/** The last word of a number whose thousands are separate words, by the decimals of the currency. */
const lastGroups: Readonly<Record<number, RegExp>> = {
  0: /^\d{3}\D{0,3}$/,
  2: /^\d{3}[.,]\d\d\D{0,3}$/,
  3: /^\d{3}[.,]\d{2,3}\D{0,3}$/
}

/**
 * Finds the end of a number whose thousands are separate words, such as "1 234,56". Words with a wider gap, as in
 * "GESAMT 5 140.00", are two numbers.
 */
const groupsFrom = (
  words: ReadonlyArray<Word>,
  at: number,
  gap_max: number,
  exponent: number,
  skip: ReadonlySet<number>
): number | undefined => {
  if (!/^\D?[1-9]\d{0,2}$/.test(words[at]?.text ?? "")) return undefined
  const last = lastGroups[exponent] ?? /^\d{3}[.,]\d{2,4}\D{0,3}$/
  let end: number | undefined
  for (let next = at + 1; next <= at + groups_max; next++) {
    const [before, group] = [words[next - 1], words[next]]
    if (before === undefined || group === undefined || skip.has(next) || gapOf(before, group) > gap_max) break
    if (last.test(group.text)) end = next
    if (!/^\d{3}$/.test(group.text)) break
  }
  return end
}

const joinedAmount = (
  words: ReadonlyArray<Word>,
  at: number,
  to: number | undefined,
  exponent: number
): Parsed | undefined => {
  if (to === undefined) return undefined
  const text = words.slice(at, to + 1).map((word) => word.text)
  const joined = parseAmount(text.join(""), exponent)
  return joined && { ...joined, to }
}

/** Parses a word as an amount: "1.234,56", "1'234.56", "€12,50", "12,50EUR", "4,99-", "1,99 B" or "14.-". */
export const parseAmount = (text: string, exponent: number): Omit<Parsed, "to"> | undefined => {
  const trimmed = text.replace(/^[(*#:=~x/]+/i, "").replace(/[)*#:;=]+$/, "")
  // A till may print ".20" or "$.20" for 0.20, but "Fr.20" is 20 francs.
  const bare = exponent === 2 ? trimmed.replace(/^([$£€]?)(?=\.\d\d$)/, (sign) => `${sign}0`) : trimmed
  const parts = /^([-+–]?)([^\d\s.,'’-]{0,4}?)\.?([-+–]?)([\dOolI|][\dOolI|SBZ.,'’]{0,21})(.{0,6})$/.exec(bare)
  if (parts === null) return undefined
  const [, sign = "", prefix = "", inner = "", digits = "", suffix = ""] = parts
  const isNegative = /[-–]/.test(sign + inner) || /^[-–][A-Z]?$/.test(suffix)
  const mark = markOf(prefix) ?? markOf(suffix)
  // A dollar sign is often misread as "S", and a euro sign as "e".
  if (!["", "S", "e", "±", "R"].includes(prefix) && mark === undefined) return undefined
  if (!isHarmless(suffix, mark)) return undefined
  // A tax code may follow the amount directly: "12,50B".
  const coded = /^[\d.,'’]+[.,]\d\d(?=[A-Z]$)/.exec(digits)?.[0]
  const plain = (coded ?? digits).replace(/[.,]$/, "")
  const repaired = plain
    .replace(/[Oo]/g, "0")
    .replace(/[lI|]/g, "1")
    .replaceAll("S", "5")
    .replaceAll("B", "8")
    .replaceAll("Z", "2")
  const isRepaired = repaired !== plain
  if (isRepaired && (plain.match(/\d/g) ?? []).length < 2) return undefined
  const round = /^[.,]?[-–—]{1,2}$/.test(suffix) && /[.,]$/.test(digits)
  const value = unitsOf(repaired, exponent)
  if (value === undefined || (isRepaired && !value.hasDecimals)) return undefined
  if (!value.hasDecimals && !round && mark === undefined && exponent > 0 && /[.,]$/.test(digits)) return undefined
  return {
    units: isNegative && !round ? -value.units : value.units,
    hasDecimals: value.hasDecimals || round,
    isRepaired,
    mark
  }
}

const isHarmless = (suffix: string, mark: string | undefined): boolean =>
  suffix === "" || mark !== undefined || /^[-–—]{1,2}$|^[-–]?[A-Z*]$|^[.,][-–—]{1,2}$|^\/?[A-Z]$/.test(suffix)

/**
 * Reads "1.234,56" as units; the last separator is decimal if as many digits follow as the currency has decimals. An
 * amount of a currency with three or four decimals may be printed with two.
 */
const unitsOf = (
  text: string,
  exponent: number
): { readonly units: number; readonly hasDecimals: boolean } | undefined => {
  const groups = text.split(/[.,'’]/)
  const separators = text.replace(/\d/g, "")
  if (groups.some((group) => group === "")) return undefined
  const tail = groups.at(-1) ?? ""
  // In "1,250,000" no comma is decimal, even if the currency has three decimals.
  const isGrouped = tail.length === 3 && separators.length > 1 && new Set(separators).size === 1
  const isFraction = tail.length === exponent || (tail.length === 2 && exponent > 2)
  const hasDecimals = groups.length > 1 && exponent > 0 && isFraction && !isGrouped && /[.,]$/.test(separators)
  const whole = hasDecimals ? groups.slice(0, -1) : groups
  const inner = hasDecimals ? separators.slice(0, -1) : separators
  const grouped =
    whole.length === 1 || (whole.slice(1).every((group) => group.length === 3) && (whole[0]?.length ?? 4) <= 3)
  if (!grouped || new Set(inner).size > 1) return undefined
  // In "1,234,56" the comma would separate both thousands and decimals, so the text is no amount.
  if (hasDecimals && inner !== "" && inner[0] === separators.at(-1)) return undefined
  const digits = whole.join("")
  if (digits.length > (groups.length === 1 ? whole_digits_max : digits_max) || /^0\d/.test(digits)) return undefined
  return {
    units: Number(digits) * 10 ** exponent + (hasDecimals ? Number(tail.padEnd(exponent, "0")) : 0),
    hasDecimals
  }
}

const gapOf = (word: Word, next: Word) => (next.x0 - word.x1) / Math.max(1, Math.min(heightOf(word), heightOf(next)))

const moneyOf = (row: Row, from: number, { to, ...parsed }: Parsed, isJoined: boolean): Money => {
  const words = row.words.slice(from, to + 1)
  const before = row.words[from - 1]?.text ?? ""
  const after = row.words[to + 1]?.text ?? ""
  return {
    ...parsed,
    row,
    from,
    to,
    isJoined,
    mark: parsed.mark ?? (markOf(before) && markAt(row.words, from - 1)) ?? markOf(after),
    isUnitPrice: /^[x*×@à]$/i.test(before) || /^(?:[x*×@]|\/)/i.test(after),
    confidence: Math.min(...words.map((word) => word.confidence)),
    ...boxOf(words)
  }
}

/** Converts units to those of a currency with another number of decimals: 12600 cents are 126 yen. */
export const inDecimals = (units: number, from: number, to: number): number => Math.round(units * 10 ** (to - from))

/** Formats units with the currency's decimals: 11840 units of euro are "118.40". */
export const decimalText = (units: number, exponent: number): string => {
  const digits = String(Math.abs(units)).padStart(exponent + 1, "0")
  const sign = units < 0 ? "-" : ""
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
