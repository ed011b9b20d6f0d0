import { BigDecimal, Option } from "effect"
import { asCurrency } from "../../records/Statement.ts"

export type DecimalSeparator = "," | "."

/** Matches signs and abbreviations of currencies, such as € and kr. Codes such as EUR are matched by `code`. */
const symbol = /[€$£¥₹₽₺₴₪]|zł|kč|\bkr\b\.?|\bfr\b\.?|\bft\b|\blei\b/giu
const code = /(?<![\p{L}])([A-Z]{3})(?![\p{L}])/u
/** Matches a blank or an apostrophe that groups digits, i.e. that is followed by exactly three digits. */
const grouping = /(?<=\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))/g
const blanks = /(?<!\d)[\s\u00a0\u202f]+|[\s\u00a0\u202f]+(?!\d)/g
const pattern = /^(\(?)([+-]?)([\d.,]+)([+-]|CR|DR|[SH])?(\)?)$/i

interface Parts {
  readonly digits: string
  readonly negative: boolean
  /** True if the cell shows its sign, by a plus, a minus, parentheses or letters. */
  readonly marked: boolean
}

/** Parentheses, a minus (also U+2212) before or after the number, DR or S (Soll) make a number negative. */
const partsOf = (cell: string): Parts | undefined => {
  const text = cell
    .replaceAll(/[\u2212\u2013]/g, "-")
    .replace(code, (letters) => (Option.isSome(asCurrency(letters)) ? "" : letters))
    .replaceAll(symbol, "")
    .replaceAll(grouping, "")
    .replaceAll(blanks, "")
  const [, open = "", before = "", digits = "", after = "", close = ""] = pattern.exec(text) ?? []
  if (digits === "" || (open === "") !== (close === "") || (before !== "" && after !== "")) return undefined
  const negative = open !== "" || before === "-" || /^(-|DR|S)$/i.test(after)
  return { digits, negative, marked: open !== "" || before !== "" || after !== "" }
}

export const isMarked = (cell: string): boolean => partsOf(cell)?.marked === true

export const currencyIn = (cell: string): string | undefined => Option.getOrUndefined(asCurrency(code.exec(cell)?.[1]))

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

export const isNumber = (cell: string): boolean =>
  Option.isSome(numberOf(cell, ".")) || Option.isSome(numberOf(cell, ","))

interface Cell {
  readonly row: number
  readonly text: string
}

type Style =
  | { readonly _tag: "Decided"; readonly separator: DecimalSeparator }
  | { readonly _tag: "Ambiguous"; readonly rows: ReadonlyArray<number> }
  /** The cells contain no separator, so both separators give the same numbers. */
  | { readonly _tag: "Indifferent" }

/** Decides the decimal separator of a column: 1.234 alone is ambiguous, but next to 12,50 it means 1234. */
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
