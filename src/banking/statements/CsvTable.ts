import { Result } from "effect"
import { lines_max } from "./Statement.ts"
import { InvalidStatement } from "./StatementErrors.ts"

export const delimiters = [",", ";", "\t", "|"] as const
type Delimiter = (typeof delimiters)[number]

/** Highest number of rows above the header. */
export const preamble_rows_max = 40
const rows_max = lines_max + preamble_rows_max
const cells_max = 100
const cell_characters_max = 5_000
/** Number of characters from which the delimiter is detected. */
const sample_characters = 20_000

/** A row of cells, with the number of the line on which it begins. */
export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

const refuse = (reason: string, line: number) => Result.fail(InvalidStatement.of(reason, line))

/** Parses RFC 4180 with any delimiter and line ending, and leaves out blank rows. */
export const rowsOf = (text: string, delimiter: Delimiter): Result.Result<ReadonlyArray<Row>, InvalidStatement> => {
  const rows: Array<Row> = []
  const plain = new RegExp(`[${delimiter}\\r\\n]`, "g")
  let cells: Array<string> = []
  let line = 1
  let begun = 1
  let position = 0
  while (position < text.length) {
    let cell = ""
    if (text[position] === '"') {
      const end = quoteEnd(text, position + 1)
      if (end < 0) return refuse("a quotation mark is not closed", line)
      const quoted = text.slice(position + 1, end)
      cell = quoted.replaceAll('""', '"')
      for (let at = quoted.indexOf("\n"); at >= 0; at = quoted.indexOf("\n", at + 1)) line++
      position = end + 1
    }
    plain.lastIndex = position
    const end = plain.exec(text)?.index ?? text.length
    cell += text.slice(position, end)
    if (cell.length > cell_characters_max) return refuse(`a cell has more than ${cell_characters_max} characters`, line)
    if (cells.push(cell.trim()) > cells_max) return refuse(`a row has more than ${cells_max} cells`, line)
    position = end + 1
    if (text[end] === delimiter && end < text.length) {
      if (position < text.length) continue
      cells.push("")
    }
    if (text[end] === "\r" && text[position] === "\n") position++
    if (cells.some((cell) => cell !== "")) {
      if (rows.push({ line: begun, cells }) > rows_max) return refuse(`it has more than ${lines_max} rows`, line)
    }
    cells = []
    line++
    begun = line
  }
  return Result.succeed(rows)
}

/** Finds the end of a quoted cell: the next quotation mark that is not doubled. */
const quoteEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/** Finds the delimiter that gives the most cells in rows of equal width. */
export const delimiterOf = (text: string): Delimiter | undefined => {
  // The sample ends at a line end, because a row that is cut off would mislead.
  const cut = text.length > sample_characters ? text.lastIndexOf("\n", sample_characters) : text.length
  const sample = text.slice(0, cut < 1 ? sample_characters : cut)
  let best: { readonly delimiter: Delimiter; readonly cells: number } | undefined
  for (const delimiter of delimiters) {
    const rows = Result.getOrElse(rowsOf(sample, delimiter), () => [])
    const widths = Map.groupBy(rows, ({ cells }) => cells.length)
    for (const [width, alike] of widths) {
      const cells = width * alike.length
      if (width > 1 && cells > (best?.cells ?? 0)) best = { delimiter, cells }
    }
  }
  return best?.delimiter
}
