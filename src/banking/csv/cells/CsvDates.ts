import { Option } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { asDay } from "../../records/Statement.ts"
import { folded } from "../../texts/Words.ts"

export type DateOrder = "YMD" | "DMY" | "MDY"
const orders: ReadonlyArray<DateOrder> = ["YMD", "DMY", "MDY"]

/** Returns the order of day, month and year in a format such as "DD/MM/YYYY". */
export const orderOf = (format: string): DateOrder | undefined => {
  const letters = [...new Set(format.toUpperCase().replaceAll(/[^DMY]/g, ""))].join("")
  return orders.find((order) => order === letters)
}

/** Beginnings of the month names in English, Dutch, French, German, Spanish and Italian. */
const month_names: ReadonlyArray<RegExp> = [
  /^(jan|ene|gen)/,
  /^(feb|fev)/,
  /^(mar|maa|mrt|mae|mrz)/,
  /^(apr|avr|abr)/,
  /^(may|mei|mai|mag)/,
  /^(jun|juin|giu)/,
  /^(jul|juil|lug)/,
  /^(aug|aou|ago)/,
  /^(sep|set)/,
  /^(oct|okt|ott)/,
  /^(nov)/,
  /^(dec|dez|dic)/
]

/** Text after a date: a time or a word. A delimiter in it means that the row was split at the wrong character. */
const rest = String.raw`(?:[T ,] ?(?:\d{1,2}[:.]?\d\d|\p{L})[^|;,\t]*)?$`
const separated = new RegExp(String.raw`^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})\.?${rest}`, "u")
const compact = new RegExp(String.raw`^(\d{8})${rest}`, "u")
/** Matches 15 Jan 2026, 15-jan-26, 15. Januar 2026 */
const named = new RegExp(String.raw`^(\d{1,2})[-/. ]{1,2}(\p{L}{3,10})[-/. ,]{1,2}(\d{4}|\d{2})${rest}`, "u")
/** Matches Jan 15, 2026 */
const american = new RegExp(String.raw`^(\p{L}{3,10})[. ]{1,2}(\d{1,2}),? (\d{4})${rest}`, "u")

const monthOf = (name: string): string => {
  const month = month_names.findIndex((names) => names.test(folded(name))) + 1
  return month === 0 ? "" : String(month)
}

/** Splits a date with the name of a month, which shows which part is the month. */
const spelled = (cell: string): ReadonlyArray<string> | undefined => {
  const [, day, month = "", year] = named.exec(cell) ?? []
  if (day !== undefined && year !== undefined) return [year, monthOf(month), day]
  const [, first = "", second, third] = american.exec(cell) ?? []
  return second === undefined || third === undefined ? undefined : [third, monthOf(first), second]
}

const numbersOf = (cell: string, order: DateOrder): ReadonlyArray<string> => {
  const digits = compact.exec(cell)?.[1]
  if (digits !== undefined) {
    const cuts = order === "YMD" ? [4, 6] : [2, 4]
    return [digits.slice(0, cuts[0]), digits.slice(cuts[0], cuts[1]), digits.slice(cuts[1])]
  }
  const [, first = "", separator, second = "", third = ""] = separated.exec(cell) ?? []
  // A date with dots never starts with the month, so it is not read in the order MDY.
  return separator === undefined || (separator === "." && order === "MDY") ? [] : [first, second, third]
}

/** Reads a cell as a date in the given order; a two-digit year is of this century. */
export const dateOf = (cell: string, order: DateOrder): Option.Option<Day> => {
  const text = cell.trim()
  const words = spelled(text)
  const numbers = words ?? numbersOf(text, order)
  const at = (letter: string) => numbers[(words === undefined ? order : "YMD").indexOf(letter)] ?? ""
  const year = at("Y")
  // A two-digit year is always the last part.
  const isYear = year.length === 4 || (year.length === 2 && (words !== undefined || order !== "YMD"))
  if (!isYear || at("M").length > 2 || at("D").length > 2) return Option.none()
  const century = year.length === 2 ? `20${year}` : year
  return asDay(`${century}-${at("M").padStart(2, "0")}-${at("D").padStart(2, "0")}`)
}

export const isDate = (cell: string): boolean => orders.some((order) => Option.isSome(dateOf(cell, order)))

const count = (days: ReadonlyArray<Option.Option<Day>>): number => days.filter(Option.isSome).length

interface Cell {
  readonly row: number
  readonly text: string
}

type DateStyle =
  | { readonly _tag: "Decided"; readonly order: DateOrder }
  | { readonly _tag: "Ambiguous"; readonly rows: ReadonlyArray<number> }

/**
 * Chooses the order in which most cells are valid dates. If another order is equally good but gives other dates, the
 * result is `Ambiguous`.
 */
export const dateStyleOf = (cells: ReadonlyArray<Cell>): DateStyle => {
  const read = orders.map((order) => ({ order, days: cells.map(({ text }) => dateOf(text, order)) }))
  const most = Math.max(...read.map(({ days }) => count(days)))
  const [best, ...others] = read.filter(({ days }) => count(days) === most)
  const rows = cells.flatMap(({ row }, index) => {
    const day = Option.getOrUndefined(best?.days[index] ?? Option.none())
    return others.some(({ days }) => Option.getOrUndefined(days[index] ?? Option.none()) !== day) ? [row] : []
  })
  return best === undefined || rows.length === 0
    ? { _tag: "Decided", order: best?.order ?? "YMD" }
    : { _tag: "Ambiguous", rows: [...new Set(rows)] }
}
