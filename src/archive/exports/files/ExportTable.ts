import { Stream } from "effect"
import { csvOf } from "../../../platform/documents/Csv.ts"

/**
 * A column of an export. `isWords` means text that other people wrote: it is escaped in CSV, because a spreadsheet
 * could run it as a formula.
 */
interface TableColumn<Name extends string> {
  readonly name: Name
  readonly isWords: boolean
}

export const columnsOf = <const Name extends string>(
  names: ReadonlyArray<Name>,
  words: ReadonlyArray<Name>
): ReadonlyArray<TableColumn<Name>> => names.map((name) => ({ name, isWords: words.includes(name) }))

type ExportRecord<Name extends string> = { readonly [Key in Name]: string | number | boolean | null }

const encoder = new TextEncoder()

export const csv = <Name extends string, E>(
  columns: ReadonlyArray<TableColumn<Name>>,
  records: Stream.Stream<ReadonlyArray<ExportRecord<Name>>, E>
): Stream.Stream<Uint8Array, E> => {
  const { header, line } = csvOf(columns)
  const lineOf = (record: ExportRecord<Name>) => line(columns.map(({ name }) => record[name]))
  return Stream.concat(
    Stream.succeed(header),
    Stream.map(records, (part) => part.map(lineOf).join(""))
  ).pipe(Stream.map((text) => encoder.encode(text)))
}

/** Writes records as one JSON object with one record per line: the fields of `head`, then the list under `name`. */
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
