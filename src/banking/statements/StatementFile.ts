import { Schema } from "effect"
import { CsvReading } from "../csv/CsvReading.ts"
import { Statement } from "./Statement.ts"

export const StatementFormat = Schema.Literals(["csv", "camt053", "coda", "mt940"])
export type StatementFormat = typeof StatementFormat.Type

/** A row of a CSV file that is not a valid line; in the other formats an invalid line refuses the whole file. */
const RowError = Schema.Struct({ row: Schema.Int, message: Schema.String })
export type RowError = typeof RowError.Type

export const StatementFile = Schema.Struct({
  format: StatementFormat,
  statements: Schema.Array(Statement),
  errors: Schema.Array(RowError),
  /** Present for CSV. */
  reading: Schema.optionalKey(CsvReading)
})
export type StatementFile = typeof StatementFile.Type
