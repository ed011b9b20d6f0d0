/** A column, and whether people wrote what is in it: words can be a formula, a number or a code of the service cannot. */
interface Column {
  readonly name: string
  readonly isWords: boolean
}

type Cell = string | number | boolean | null

/** So that a spreadsheet reads UTF-8 as such. */
const byte_order_mark = "\uFEFF"

/**
 * What makes a spreadsheet take a cell for a formula (OWASP, CSV injection): the sign of one, in ASCII or full width,
 * also after blanks; or a character that would begin another cell.
 */
const formula = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/

/** Besides what RFC 4180 asks to quote, the separators that spreadsheets take for one in other countries. */
const special = /[",;\t\r\n]/

/** A CSV file (RFC 4180) in its parts: the header to begin with, and a line for each record, in the order of the columns. */
export const csvOf = (columns: ReadonlyArray<Column>) => {
  const words = columns.map(({ isWords }) => isWords)
  return {
    header: byte_order_mark + lineOf(columns.map(({ name }) => name)),
    line: (cells: ReadonlyArray<Cell>): string =>
      lineOf(cells.map((cell, index) => (words[index] === true && typeof cell === "string" ? inert(cell) : cell)))
  }
}

/** The same text, which a spreadsheet does not compute. */
const inert = (text: string) => (formula.test(text) ? `'${text}` : text)

const lineOf = (cells: ReadonlyArray<Cell>) => `${cells.map(quoted).join(",")}\r\n`

const quoted = (cell: Cell): string => {
  if (cell === null) return ""
  const text = String(cell)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
