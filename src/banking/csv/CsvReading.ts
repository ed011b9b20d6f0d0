import { Schema, Struct } from "effect"
import type { Columns } from "./CsvColumns.ts"
import { CsvMapping } from "./CsvMapping.ts"
import type { SignRule } from "./CsvSigns.ts"

/** Describes how a CSV file was read, so that a person can confirm it or correct it with a mapping. */
export const CsvReading = Schema.Struct({
  delimiter: Schema.String,
  /** Line of the header; null when the file has none. */
  header_line: Schema.NullOr(Schema.Int),
  date_format: Schema.Literals(["YMD", "DMY", "MDY"]),
  decimal_separator: Schema.Literals([",", "."]),
  columns: Schema.Array(
    Schema.Struct({
      position: Schema.Int,
      header: Schema.String,
      /** What the column was taken for; null when it is not read. */
      meaning: Schema.NullOr(Schema.String)
    })
  ),
  sign: Schema.Struct({
    kind: Schema.Literals(["signed", "inverted", "columns", "net_columns", "words"]),
    deducts_fee: Schema.Boolean,
    /** What proves the signs: `none` when all amounts are positive and nothing contradicts that they are credits. */
    proof: Schema.Literals(["mapping", "balance", "values", "none"])
  }),
  /** Number of rows that are not booked yet or were refused by the bank. */
  skipped_pending: Schema.Int,
  /** Number of rows in other currencies than the account's. */
  skipped_currencies: Schema.Record(Schema.String, Schema.Int),
  /** The mapping that was applied; null when everything was detected. */
  mapping: Schema.NullOr(CsvMapping)
})
export type CsvReading = typeof CsvReading.Type

/** Names the meaning of each column. */
export const describedColumns = (headers: ReadonlyArray<string>, columns: Columns): CsvReading["columns"] => {
  const { texts = [], ...single } = columns
  const meanings = new Map(Struct.keys(single).map((meaning) => [single[meaning], meaning] as const))
  return headers.map((header, index) => ({
    position: index + 1,
    header: header.slice(0, header_characters_max).toWellFormed(),
    meaning: meanings.get(index) ?? (texts.includes(index) ? "remittance" : null)
  }))
}
const header_characters_max = 100

export const describedSign = ({ deducts_fee, kind, proof }: SignRule): CsvReading["sign"] => ({
  deducts_fee,
  kind,
  proof
})
