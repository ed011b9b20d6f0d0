import { BigDecimal, Option } from "effect"

export type DecimalSeparator = "," | "."

/** Characters around or between digits that are not part of the number, such as spaces and currency signs. */
const ornament = /[\s'’\u00a0\u202f]|EUR|USD|GBP|CHF|[€$£]/gi

interface Parts {
  readonly digits: string
  readonly negative: boolean
}

/** A minus before or after the number, or parentheses around it, make it negative; U+2212 is a minus, too. */
const partsOf = (cell: string): Parts | undefined => {
  const text = cell.replaceAll("\u2212", "-").replaceAll(ornament, "")
  const [, open = "", before = "", digits = "", after = "", close = ""] =
    /^(\(?)([+-]?)([\d.,]+)([+-]?)(\)?)$/.exec(text) ?? []
  if (digits === "" || (open === "") !== (close === "") || (before !== "" && after !== "")) return undefined
  return { digits, negative: open !== "" || before === "-" || after === "-" }
}

const grouped: Readonly<Record<DecimalSeparator, RegExp>> = {
  ".": /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$|^\.\d+$/,
  ",": /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$|^,\d+$/
}
const digits_max = 30

/** Reads a cell as a number with the given decimal separator; none when it is not a number in this notation. */
export const numberOf = (cell: string, separator: DecimalSeparator): Option.Option<BigDecimal.BigDecimal> => {
  const parts = partsOf(cell)
  if (parts === undefined || parts.digits.length > digits_max || !grouped[separator].test(parts.digits)) {
    return Option.none()
  }
  const plain = parts.digits.replaceAll(separator === "." ? "," : ".", "").replace(",", ".")
  const number = BigDecimal.fromString(plain.startsWith(".") ? `0${plain}` : plain)
  return parts.negative ? Option.map(number, BigDecimal.negate) : number
}

interface Cell {
  readonly row: number
  readonly text: string
}

type Style =
  | { readonly _tag: "Decided"; readonly separator: DecimalSeparator }
  | { readonly _tag: "Ambiguous"; readonly rows: ReadonlyArray<number> }
  /** Both separators give the same numbers, because the cells contain neither. */
  | { readonly _tag: "Indifferent" }

/**
 * Decides the decimal separator by all cells of a column: 1.234 alone is ambiguous, but next to 12,50 it is a
 * thousand and more. A cell that no separator makes a number is an error of its row and decides nothing.
 */
export const styleOf = (cells: ReadonlyArray<Cell>): Style => {
  const readable = cells.flatMap(({ row, text }) => {
    const point = numberOf(text, ".")
    const comma = numberOf(text, ",")
    return Option.isNone(point) && Option.isNone(comma) ? [] : [{ row, point, comma }]
  })
  const onlyPoint = readable.filter(({ comma }) => Option.isNone(comma)).length
  const onlyComma = readable.filter(({ point }) => Option.isNone(point)).length
  if (onlyPoint !== onlyComma) return { _tag: "Decided", separator: onlyPoint > onlyComma ? "." : "," }
  const differing = readable.filter(({ comma, point }) =>
    Option.isSome(comma) && Option.isSome(point) ? !BigDecimal.equals(comma.value, point.value) : true
  )
  return differing.length === 0 ? { _tag: "Indifferent" } : { _tag: "Ambiguous", rows: differing.map(({ row }) => row) }
}
