import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { BankAccountId, BankImportId, BankRuleId } from "../../kernel/Ids.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { CsvReading } from "../csv/CsvReading.ts"
import { StatementFormat } from "../statements/StatementFile.ts"

/** A warning says what a person should check, although the import is complete. */
const Warning = Schema.Struct({
  code: Schema.Literals([
    "rule_budget_exceeded",
    "rule_not_applied",
    "sign_unproved",
    "other_currency_skipped",
    "possible_duplicates"
  ]),
  /** The rule that was not applied; null for a warning about all rules or about the file. */
  rule_id: Schema.NullOr(BankRuleId),
  message: Schema.String
})
export type Warning = typeof Warning.Type

/** Tells how a dry run read the file, so that a person can check the reading before anything is stored. */
const Reading = Schema.Struct({
  /** Null for formats other than CSV, which leave nothing to detect. */
  csv: Schema.NullOr(CsvReading),
  /** The first lines. */
  lines: Schema.Array(
    Schema.Struct({
      booking_date: Day,
      value_date: Schema.NullOr(Day),
      amount: Schema.String,
      currency: Schema.String,
      counterparty_name: Schema.NullOr(Schema.String),
      counterparty_iban: Schema.NullOr(Schema.String),
      remittance_text: Schema.String,
      reference: Schema.NullOr(Schema.String)
    })
  )
})

const Tally = Schema.Struct({ count: Schema.Int, sum: Schema.String })

/** The session describes the result of importing a statement file. Amounts are decimal text. */
export const ImportSession = Schema.Struct({
  /** Null for a dry run, which stores nothing. */
  id: Schema.NullOr(BankImportId),
  bank_account_id: BankAccountId,
  format: StatementFormat,
  filename: Schema.String,
  file_sha256: Schema.String,
  duplicate_file: Schema.Boolean,
  statements: Schema.Int,
  period_start: Schema.NullOr(Day),
  period_end: Schema.NullOr(Day),
  opening_balance: Schema.NullOr(Schema.String),
  closing_balance: Schema.NullOr(Schema.String),
  /** Tells whether the opening balance plus all lines gives the closing balance. */
  balance_check: Schema.Literals(["passed", "failed", "unavailable"]),
  lines_total: Schema.Int,
  imported: Schema.Int,
  duplicates: Schema.Int,
  skipped_pending: Schema.Int,
  errors: Schema.Array(Schema.Struct({ row: Schema.Int, message: Schema.String })),
  /** Absent when the import has no warnings. */
  warnings: Schema.optionalKey(Schema.Array(Warning)),
  /** Present for a dry run. */
  reading: Schema.optionalKey(Reading),
  suggested: Schema.Int,
  auto_booked: Schema.Int,
  credits: Tally,
  debits: Tally,
  created_at: Timestamp
}).annotate({ identifier: "ImportSession" })
export type ImportSession = typeof ImportSession.Type

/** Events show stored imports, which have an id. */
export const importEvent = recordEvent("bank_statement", Schema.Struct({ ...ImportSession.fields, id: BankImportId }))
