import { Result } from "effect"
import { atFirstUse } from "../../../platform/packages/AtFirstUse.ts"
import { lines_max } from "../../records/Statement.ts"
import { InvalidStatement } from "../../records/StatementErrors.ts"
import { cells_max, type Delimiter, delimiters } from "./CsvMapping.ts"

const csv = atFirstUse("csv-parse/sync")

/** Maximum number of rows above the header. */
export const preamble_rows_max = 40
const rows_max = lines_max + preamble_rows_max
const cell_characters_max = 5_000
const row_characters_max = 65_536
/** The delimiter is detected from this number of characters at the start of the file. */
const sample_characters = 20_000

export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export const cellIn = ({ cells }: Row, column: number | undefined): string =>
  column === undefined ? "" : (cells[column] ?? "")

interface Parsed {
  readonly rows: ReadonlyArray<Row>
  readonly refused: InvalidStatement | undefined
}

/** Returns the text of a cell. Spreadsheets write a text that looks like a number as a formula: ="01.07.2023". */
const cellOf = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/s, "$1")
    .trim()

/** Parses RFC 4180 and its variants. At an error, returns the rows before it, because a sample may be cut off. */
const parsed = (text: string, delimiter: Delimiter): Parsed => {
  const rows: Array<Row> = []
  let refused: InvalidStatement | undefined
  let lines = 0
  const refuse = (reason: string, line: number) => (refused ??= InvalidStatement.of(reason, line))
  const take = (cells: ReadonlyArray<string>, ended: number) => {
    const line = lines + 1
    lines = ended
    if (refused !== undefined) return
    if (cells.length > cells_max) refuse(`a row has more than ${cells_max} cells`, line)
    else if (cells.some((cell) => cell.length > cell_characters_max)) {
      refuse(`a cell has more than ${cell_characters_max} characters`, line)
    } else if (cells.some((cell) => cell.trim() !== "") && rows.push({ line, cells: cells.map(cellOf) }) > rows_max) {
      refuse(`it has more than ${lines_max} rows`, line)
    }
  }
  const outcome = Result.try(() =>
    csv().parse(text, {
      delimiter,
      record_delimiter: "\n",
      relax_quotes: true,
      relax_column_count: true,
      // Some banks write blanks before a quotation mark, so blanks before a cell are removed. A tab may be the
      // delimiter; then it must not be removed with them.
      ltrim: delimiter !== "\t",
      max_record_size: row_characters_max,
      on_record: (cells: ReadonlyArray<string>, { lines: ended }) => {
        take(cells, ended)
        return null
      }
    })
  )
  if (Result.isFailure(outcome)) {
    const isOpen = /quote/i.test(String(outcome.failure))
    refuse(
      isOpen ? "a quotation mark is not closed" : `a row has more than ${row_characters_max} characters`,
      lines + 1
    )
  }
  return { rows, refused }
}

export const rowsOf = (text: string, delimiter: Delimiter): Result.Result<ReadonlyArray<Row>, InvalidStatement> => {
  const { refused, rows } = parsed(text, delimiter)
  return refused === undefined ? Result.succeed(rows) : Result.fail(refused)
}

/** Delimiters that divide the text into a table; the first gives the most cells in rows of equal length. */
export const delimitersOf = (text: string): ReadonlyArray<Delimiter> => {
  // The sample ends at the end of a line, because an incomplete row would have too few cells.
  const cut = text.length > sample_characters ? text.lastIndexOf("\n", sample_characters) : text.length
  const sample = text.slice(0, cut < 1 ? sample_characters : cut)
  const scores = delimiters.map((delimiter) => {
    const widths = Map.groupBy(parsed(sample, delimiter).rows, ({ cells }) => cells.length)
    const cells = [...widths].map(([width, alike]) => (width > 1 ? width * alike.length : 0))
    return { delimiter, cells: Math.max(0, ...cells) }
  })
  return scores
    .filter(({ cells }) => cells > 0)
    .toSorted((left, right) => right.cells - left.cells)
    .map(({ delimiter }) => delimiter)
}
