/** `isWords` is true for a column of text that people wrote. Only such text may contain a formula. */
interface Column {
  readonly name: string
  readonly isWords: boolean
}

type Cell = string | number | boolean | null

/** Makes spreadsheets read the file as UTF-8. */
const byte_order_mark = "\uFEFF"

/**
 * Matches text that a spreadsheet would compute (OWASP, CSV injection): it begins with a formula sign in ASCII or full
 * width, perhaps after blanks, or with a control character that would start another cell.
 */
const formula = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/

/**
 * Characters for which a cell is quoted: those of RFC 4180, and semicolons and tabs, which separate cells in some
 * spreadsheets.
 */
const special = /[",;\t\r\n]/

/** Builds a CSV file (RFC 4180) in parts: first the header, then one line per record in the order of the columns. */
export const csvOf = (columns: ReadonlyArray<Column>) => {
  const words = columns.map(({ isWords }) => isWords)
  return {
    header: byte_order_mark + lineOf(columns.map(({ name }) => name)),
    line: (cells: ReadonlyArray<Cell>): string =>
      lineOf(cells.map((cell, index) => (words[index] === true && typeof cell === "string" ? inert(cell) : cell)))
  }
}

/** Puts an apostrophe before text that a spreadsheet would compute, so that it stays text. */
const inert = (text: string) => (formula.test(text) ? `'${text}` : text)

const lineOf = (cells: ReadonlyArray<Cell>) => `${cells.map(quoted).join(",")}\r\n`

const quoted = (cell: Cell): string => {
  if (cell === null) return ""
  const text = String(cell)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
