import type { Timestamp } from "../../kernel/Calendar.ts"
import { csvOf } from "../../platform/documents/Csv.ts"
import type { Cells, Column, ExportFormat, ExportResource } from "./ExportRequest.ts"

/** Writes the parts of a file in this order: the beginning, the records in any number of portions, the end. */
export interface Writing {
  readonly begin: string
  readonly portion: (records: ReadonlyArray<Cells>, isFirst: boolean) => string
  readonly end: (count: number) => string
}

interface Subject {
  readonly resource: ExportResource
  readonly columns: ReadonlyArray<Column>
  readonly generated_at: Timestamp
}

export const writingOf = (format: ExportFormat, subject: Subject): Writing =>
  format === "csv" ? inCsv(subject) : inJson(subject)

const inCsv = ({ columns }: Subject): Writing => {
  const csv = csvOf(columns.map(({ kind, name }) => ({ name, isWords: kind === "words" })))
  return {
    begin: csv.header,
    portion: (records) => records.map(csv.line).join(""),
    end: () => ""
  }
}

const inJson = ({ columns, generated_at, resource }: Subject): Writing => {
  // The texts of ids, flags and objects are valid JSON already, so they are not quoted.
  const bare = columns.map(({ kind }) => kind === "id" || kind === "flag" || kind === "json")
  const names = columns.map(({ name }) => JSON.stringify(name))
  const value = (text: string | null, index: number) =>
    text === null ? "null" : bare[index] === true ? text : JSON.stringify(text)
  const record = (cells: Cells) => `{${cells.map((text, index) => `${names[index]}:${value(text, index)}`).join(",")}}`
  return {
    begin: '{"success":true,"data":[',
    portion: (records, isFirst) => (isFirst || records.length === 0 ? "" : ",") + records.map(record).join(","),
    end: (count) => `],"meta":${JSON.stringify({ resource, count, generated_at })}}`
  }
}
