import { Stream } from "effect"

/** What a cell holds: text, a number that stays one, or nothing. */
type Cell = string | number | boolean | null
type ExportRecord<Column extends string> = { readonly [Key in Column]: Cell }

const encoder = new TextEncoder()
const byte_order_mark = "\ufeff"
/** A spreadsheet takes text for a formula that begins with one of these, some also in full width. */
const formula_start = /^[=+\-@\t\r＝＋－＠]/
const needs_quotes = /[",\r\n;]/

/** One cell as RFC 4180 writes it. Text that a spreadsheet would calculate gets an apostrophe in front; numbers never. */
const cellOf = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell !== "string") return String(cell)
  const text = formula_start.test(cell) ? `'${cell}` : cell
  return needs_quotes.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (cells: ReadonlyArray<Cell>) => `${cells.map(cellOf).join(",")}\r\n`

/** Records as CSV: UTF-8 with a byte order mark, CRLF, a header row. */
export const csv = <Column extends string, E>(
  columns: ReadonlyArray<Column>,
  records: Stream.Stream<ReadonlyArray<ExportRecord<Column>>, E>
): Stream.Stream<Uint8Array, E> =>
  Stream.concat(
    Stream.succeed(byte_order_mark + lineOf(columns)),
    Stream.map(records, (part) => part.map((record) => lineOf(columns.map((column) => record[column]))).join(""))
  ).pipe(Stream.map((text) => encoder.encode(text)))

/** The same records as one JSON object: `head`, and behind it the list under `name`, a record per line. */
export const json = <E>(
  head: Readonly<Record<string, unknown>>,
  name: string,
  records: Stream.Stream<ReadonlyArray<object>, E>
): Stream.Stream<Uint8Array, E> => {
  let isFirst = true
  const line = (record: object) => {
    const before = isFirst ? "\n" : ",\n"
    isFirst = false
    return before + JSON.stringify(record)
  }
  const opening = `${JSON.stringify(head).slice(0, -1)}${Object.keys(head).length > 0 ? "," : ""}"${name}":[`
  return Stream.suspend(() => {
    isFirst = true
    return Stream.concat(
      Stream.concat(
        Stream.succeed(opening),
        Stream.map(records, (part) => part.map(line).join(""))
      ),
      Stream.succeed("\n]}\n")
    ).pipe(Stream.map((text) => encoder.encode(text)))
  })
}
