import { Option } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import { asDay } from "./Statement.ts"

/** The order of year, month and day. */
export type DateOrder = "YMD" | "DMY" | "MDY"
const orders: ReadonlyArray<DateOrder> = ["YMD", "DMY", "MDY"]

/** Accepts formats such as "DD/MM/YYYY"; only the order of the letters counts. */
export const orderOf = (format: string): DateOrder | undefined => {
  const letters = [...new Set(format.toUpperCase().replaceAll(/[^DMY]/g, ""))].join("")
  return orders.find((order) => order === letters)
}

const separated = /^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})(?:[T ,].*)?$/
const compact = /^\d{8}$/

const numbersOf = (cell: string, order: DateOrder): ReadonlyArray<string> => {
  if (compact.test(cell)) {
    const cuts = order === "YMD" ? [4, 6] : [2, 4]
    return [cell.slice(0, cuts[0]), cell.slice(cuts[0], cuts[1]), cell.slice(cuts[1])]
  }
  const [, first = "", separator, second = "", third = ""] = separated.exec(cell) ?? []
  // Dates with dots never start with the month.
  return separator === undefined || (separator === "." && order === "MDY") ? [] : [first, second, third]
}

/** Reads a cell as a date in the given order; a two-digit year is of this century. */
export const dateOf = (cell: string, order: DateOrder): Option.Option<Day> => {
  const numbers = numbersOf(cell.trim(), order)
  const at = (letter: string) => numbers[order.indexOf(letter)] ?? ""
  const year = at("Y")
  // A two-digit year is always the last part.
  const isYear = year.length === 4 || (year.length === 2 && order !== "YMD")
  if (!isYear || at("M").length > 2 || at("D").length > 2) return Option.none()
  const century = year.length === 2 ? `20${year}` : year
  return asDay(`${century}-${at("M").padStart(2, "0")}-${at("D").padStart(2, "0")}`)
}

const count = (days: ReadonlyArray<Option.Option<Day>>): number => days.filter(Option.isSome).length

interface Cell {
  readonly row: number
  readonly text: string
}

type DateStyle =
  | { readonly _tag: "Decided"; readonly order: DateOrder }
  | { readonly _tag: "Ambiguous"; readonly rows: ReadonlyArray<number> }

/** Decides the order in which most cells are dates; if two orders do equally well, they must agree on each cell. */
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
    : { _tag: "Ambiguous", rows }
}
