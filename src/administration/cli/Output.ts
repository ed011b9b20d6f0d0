import { Predicate, type Schema } from "effect"

type Row = { readonly [key: string]: Schema.Json }

const gap = "  "

/** Shows a record as one line per field, and a list as a table of the given `columns`, or else of all fields. */
export const forPeople = (value: Schema.Json, columns?: ReadonlyArray<string>): string => {
  if (Array.isArray(value)) return table(value.filter(isRow), columns)
  return isRow(value) ? record(value, columns) : cell(value)
}

const record = (row: Row, columns?: ReadonlyArray<string>): string => {
  const fields = Object.entries(row).filter(([, value]) => !isRow(value) && !isList(value))
  const width = Math.max(0, ...fields.map(([key]) => key.length))
  const lines = fields.map(([key, value]) => `${key.padEnd(width)}${gap}${cell(value)}`)
  const sections = Object.entries(row)
    .filter(([, value]) => isRow(value) || isList(value))
    .map(([key, value]) => `${key}:\n${forPeople(value, columns)}`)
  return [...(lines.length === 0 ? [] : [lines.join("\n")]), ...sections].join("\n\n")
}

const table = (rows: ReadonlyArray<Row>, columns: ReadonlyArray<string> = Object.keys(rows[0] ?? {})): string => {
  if (rows.length === 0) return "none"
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? null)))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ""))))
  return lines
    .map((line) => line.map((text, index) => text + " ".repeat((widths[index] ?? 0) - widthOf(text))).join(gap))
    .map((line) => line.trimEnd())
    .join("\n")
}

const cell = (value: Schema.Json): string => {
  if (value === null) return "-"
  if (Array.isArray(value) && value.length === 0) return "none"
  const text = Array.isArray(value) ? value.map(cell).join(" ") : isRow(value) ? JSON.stringify(value) : String(value)
  // Control characters are replaced, so that the name of a record cannot control the terminal.
  return text.replace(/\p{Cc}/gu, " ")
}

/** Returns the number of terminal columns that a text takes: a Chinese, Japanese or Korean letter takes two columns. */
const widthOf = (text: string): number =>
  Array.from(text).length + (text.match(/[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/gv)?.length ?? 0)

const isRow = (value: Schema.Json): value is Row => Predicate.isObject(value) && !Array.isArray(value)

const isList = (value: Schema.Json) => Array.isArray(value) && value.some((entry: Schema.Json) => isRow(entry))
