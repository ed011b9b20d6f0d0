import { Schema, Struct } from "effect"
import { Text } from "../../kernel/Text.ts"
import { encodings } from "../statements/Encoding.ts"
import { orderOf } from "./CsvDates.ts"

export const delimiters = [",", ";", "\t", "|"] as const
export type Delimiter = (typeof delimiters)[number]

const skip_rows_max = 1_000
const values_max = 20
/** Highest number of cells in a row. */
export const cells_max = 100

/** A column by its name in the header, or by its position, which starts at 1; null when the file lacks it. */
const ColumnRef = Schema.NullOr(
  Schema.Union([Text(100), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: cells_max }))])
)
export type ColumnRef = typeof ColumnRef.Type

const columnFields = {
  booking_date: ColumnRef,
  value_date: ColumnRef,
  amount: ColumnRef,
  debit: ColumnRef,
  credit: ColumnRef,
  fee: ColumnRef,
  currency: ColumnRef,
  counterparty_name: ColumnRef,
  counterparty_iban: ColumnRef,
  remittance: ColumnRef,
  reference: ColumnRef,
  transaction_id: ColumnRef,
  balance: ColumnRef,
  status: ColumnRef,
  account: ColumnRef
}
export type ColumnName = keyof typeof columnFields
export const columnNames = Struct.keys(columnFields)

/** Describes how to read a client's CSV file; settings that are absent are detected. */
export const CsvMapping = Schema.Struct({
  delimiter: Schema.optionalKey(Schema.Literals(delimiters)),
  encoding: Schema.optionalKey(Schema.Literals(encodings)),
  skip_rows: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: skip_rows_max }))),
  date_format: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((format) => orderOf(format) !== undefined, { message: "must be a date format." })
    )
  ),
  decimal_separator: Schema.optionalKey(Schema.Literals([",", "."])),
  columns: Schema.optionalKey(Schema.Struct(Struct.map(columnFields, Schema.optionalKey))),
  sign: Schema.optionalKey(
    Schema.Struct({
      column: Schema.optionalKey(ColumnRef),
      debit_values: Schema.optionalKey(Schema.Array(Text(50)).check(Schema.isMaxLength(values_max))),
      /** Says what an amount without a minus is: `debit` for a card that lists purchases without a minus. */
      positive: Schema.optionalKey(Schema.Literals(["credit", "debit"]))
    })
  )
})
export type CsvMapping = typeof CsvMapping.Type
