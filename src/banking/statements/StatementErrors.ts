import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

const headers_shown_max = 50
const header_characters_max = 60
const shown = (headers: ReadonlyArray<string>): ReadonlyArray<string> =>
  headers.slice(0, headers_shown_max).map((header) => header.slice(0, header_characters_max).toWellFormed())

/** The file is not a statement, or contradicts itself; nothing of it is imported. */
export class InvalidStatement extends Schema.Error<InvalidStatement>("InvalidStatement")(
  {
    ...refusal("InvalidStatement", "invalid_statement"),
    details: Schema.Struct({
      /** Line of the file that is wrong, counted from 1; null when no single line is. */
      line: Schema.NullOr(Schema.Int),
      /** The cells of the row that was taken for the header; a mapping may name them or their positions. */
      headers: Schema.optionalKey(Schema.Array(Schema.String))
    })
  },
  { httpApiStatus: 422 }
) {
  static of(reason: string, line: number | null = null, headers?: ReadonlyArray<string>) {
    const place = line === null ? "" : ` (line ${line})`
    const seen = headers === undefined ? {} : { headers: shown(headers) }
    return new InvalidStatement({
      message: `The statement cannot be read: ${reason}${place}.`,
      details: { line, ...seen }
    })
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

const Candidate = Schema.Struct({ column: Schema.String, position: Schema.Int, values: Schema.Array(Schema.String) })

/** Nothing in the file proves which lines are debits, and a guess would turn expenses into income. */
export class AmbiguousSign extends Schema.Error<AmbiguousSign>("AmbiguousSign")(
  {
    ...refusal("AmbiguousSign", "ambiguous_sign"),
    details: Schema.Struct({
      headers: Schema.Array(Schema.String),
      /** Columns that may hold the sign, with some of their values. */
      candidates: Schema.Array(Candidate)
    })
  },
  { httpApiStatus: 422 }
) {
  static of({
    candidates,
    headers
  }: {
    headers: ReadonlyArray<string>
    candidates: ReadonlyArray<typeof Candidate.Type>
  }) {
    return new AmbiguousSign({
      message:
        "Nothing in the file proves which lines are debits. Name sign.column with sign.debit_values in the mapping, say " +
        "with sign.positive what an amount without a minus is, and with columns.fee whether fees are deducted.",
      details: { headers: shown(headers), candidates }
    })
  }
}

/** The lines do not lead from the opening balance to the closing balance, so lines are missing or misread. */
export class StatementUnbalanced extends Schema.Error<StatementUnbalanced>("StatementUnbalanced")(
  {
    ...refusal("StatementUnbalanced", "statement_unbalanced"),
    details: Schema.Struct({
      opening: Schema.String,
      /** Opening balance plus all lines. */
      computed: Schema.String,
      closing: Schema.String
    })
  },
  { httpApiStatus: 422 }
) {
  static of(details: { readonly opening: string; readonly computed: string; readonly closing: string }) {
    return new StatementUnbalanced({
      message:
        `The lines lead from ${details.opening} to ${details.computed}, but the statement closes with ` +
        `${details.closing}. Send accept_unbalanced=true to import it as it is.`,
      details
    })
  }
}

export const StatementRefused = Schema.Union([
  InvalidStatement,
  AmbiguousAmountFormat,
  AmbiguousDateFormat,
  AmbiguousSign,
  StatementUnbalanced
])
export type StatementRefused = typeof StatementRefused.Type
