/** What a cell holds: text that people wrote, or a number, a day, a code that the service writes itself. */
interface Cell {
  readonly text: string | null
  readonly isWritten: boolean
}

/** So that a spreadsheet reads UTF-8 as such. */
export const byte_order_mark = "\uFEFF"

/**
 * What makes a spreadsheet take a cell for a formula (OWASP, CSV injection): the sign of one, in ASCII or full width,
 * also after blanks; or a character that would begin another cell.
 */
const formula = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/

/** Besides what RFC 4180 asks to quote, the separators that spreadsheets take for one in other countries. */
const special = /[",;\t\r\n]/

/** One line of a CSV file (RFC 4180). A number stays a number: only what people wrote can be a formula. */
export const csvLine = (cells: ReadonlyArray<Cell>): string => `${cells.map(quoted).join(",")}\r\n`

const quoted = ({ isWritten, text }: Cell): string => {
  if (text === null) return ""
  const safe = isWritten && formula.test(text) ? `'${text}` : text
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
