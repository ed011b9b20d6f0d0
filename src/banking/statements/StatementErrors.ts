import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** The file is not a statement, or contradicts itself; nothing of it is imported. */
export class InvalidStatement extends Schema.Error<InvalidStatement>("InvalidStatement")(
  {
    ...refusal("InvalidStatement", "invalid_statement"),
    /** Line of the file that is wrong, counted from 1; null when no single line is. */
    details: Schema.Struct({ line: Schema.NullOr(Schema.Int) })
  },
  { httpApiStatus: 422 }
) {
  static of(reason: string, line: number | null = null) {
    const place = line === null ? "" : ` (line ${line})`
    return new InvalidStatement({ message: `The statement cannot be read: ${reason}${place}.`, details: { line } })
  }
}

const rows_shown_max = 10

/** The amounts mean different numbers with a decimal comma and with a decimal point. */
export class AmbiguousAmountFormat extends Schema.Error<AmbiguousAmountFormat>("AmbiguousAmountFormat")(
  {
    ...refusal("AmbiguousAmountFormat", "ambiguous_amount_format"),
    details: Schema.Struct({ rows: Schema.Array(Schema.Int) })
  },
  { httpApiStatus: 422 }
) {
  static of(rows: ReadonlyArray<number>) {
    return new AmbiguousAmountFormat({
      message: "The amounts can be read in two ways; name the decimal_separator in the mapping.",
      details: { rows: rows.slice(0, rows_shown_max) }
    })
  }
}

/** Every date, such as 03/04/2026, can be read as two different days. */
export class AmbiguousDateFormat extends Schema.Error<AmbiguousDateFormat>("AmbiguousDateFormat")(
  {
    ...refusal("AmbiguousDateFormat", "ambiguous_date_format"),
    details: Schema.Struct({ rows: Schema.Array(Schema.Int) })
  },
  { httpApiStatus: 422 }
) {
  static of(rows: ReadonlyArray<number>) {
    return new AmbiguousDateFormat({
      message: "The dates can be read in two ways; name the date_format in the mapping.",
      details: { rows: rows.slice(0, rows_shown_max) }
    })
  }
}

export const StatementRefused = Schema.Union([InvalidStatement, AmbiguousAmountFormat, AmbiguousDateFormat])
export type StatementRefused = typeof StatementRefused.Type
