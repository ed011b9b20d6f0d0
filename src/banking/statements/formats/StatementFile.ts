import { Schema } from "effect"
import { CsvReading } from "../../csv/CsvReading.ts"
import type { KeptStatement } from "../../records/KeptLines.ts"
import { RowError, Statement } from "../../records/Statement.ts"

export const StatementFormat = Schema.Literals(["csv", "camt053", "coda", "mt940", "ofx"])
export type StatementFormat = typeof StatementFormat.Type

export const StatementFile = Schema.Struct({
  format: StatementFormat,
  statements: Schema.Array(Statement),
  errors: Schema.Array(RowError),
  /** Number of lines of other accounts, which are not among `statements`; absent if there are none. */
  lines_of_others: Schema.optionalKey(Schema.Int),
  /** An MT940 file may lack another page of its last statement, or the end mark of its last message. */
  ends_early: Schema.optionalKey(Schema.Literals(["page", "message"])),
  /** Absent for formats other than CSV. */
  reading: Schema.optionalKey(CsvReading)
})
export type StatementFile = typeof StatementFile.Type

export interface KeptFile extends Omit<StatementFile, "statements"> {
  readonly statements: ReadonlyArray<KeptStatement>
}
