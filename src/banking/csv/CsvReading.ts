import { Schema, Struct } from "effect"
import type { Columns } from "./CsvColumns.ts"
import { CsvMapping } from "./cells/CsvMapping.ts"
import type { SignRule } from "./CsvSigns.ts"
import { described } from "../../kernel/Described.ts"

/** Describes how a CSV file was read, so that a person can confirm it or correct it with a mapping. */
export const CsvReading = Schema.Struct({
  delimiter: described(Schema.String, "Character between the cells."),
  header_line: described(Schema.NullOr(Schema.Int), "Line of the header, from 1; null when the file has none."),
  date_format: described(Schema.Literals(["YMD", "DMY", "MDY"]), "Order of year (Y), month (M) and day (D)."),
  decimal_separator: described(Schema.Literals([",", "."]), "Character before the decimals."),
  columns: described(
    Schema.Array(
      Schema.Struct({
        position: described(Schema.Int, "Position of the column, from 1."),
        header: described(Schema.String, "Name of the column in the header."),
        meaning: described(
          Schema.NullOr(Schema.String),
          "Meaning that was assigned to the column; null when it is not read."
        )
      })
    ),
    "The columns of the file."
  ),
  sign: described(
    Schema.Struct({
      kind: described(
        Schema.Literals(["signed", "inverted", "columns", "net_columns", "words"]),
        "Where the sign stands. `signed`: in the amount; `inverted`: in the amount, the other way round; `columns`: in columns for debits and credits; `net_columns`: the same with corrections by a minus; `words`: in a column of words."
      ),
      deducts_fee: described(
        Schema.Boolean,
        "True if the fee reduces the amount; false if the amount already contains it."
      ),
      proof: described(
        Schema.Literals(["mapping", "balance", "values", "none"]),
        "What proves the signs of the amounts. `none`: all amounts are positive and nothing contradicts that they are credits, or only the names of two columns without a minus distinguish debits from credits."
      )
    }),
    "How debits are distinguished from credits."
  ),
  skipped_pending: described(Schema.Int, "Number of rows that are not booked yet or were refused by the bank."),
  skipped_currencies: described(
    Schema.Record(Schema.String, Schema.Int),
    "Number of skipped rows by their currency, which is not that of the account."
  ),
  mapping: described(Schema.NullOr(CsvMapping), "The mapping that was applied; null when everything was detected.")
})
export type CsvReading = typeof CsvReading.Type

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
