import { Schema } from "effect"
import { Day, Timestamp } from "../../../kernel/Calendar.ts"
import { BankAccountId, BankImportId, BankRuleId } from "../../../kernel/Ids.ts"
import { recordEvent } from "../../../platform/events/RecordEvent.ts"
import { CsvReading } from "../../csv/CsvReading.ts"
import { StatementFormat } from "../../statements/formats/StatementFile.ts"
import { described } from "../../../kernel/Described.ts"
import { storedWord } from "../../../kernel/StoredWord.ts"

const WarningCode = Schema.Literals([
  "rule_budget_exceeded",
  "rule_check_unavailable",
  "rule_not_applied",
  "auto_book_limit",
  "sign_unproved",
  "other_currency_skipped",
  "other_account_skipped",
  "possible_duplicates",
  "dated_in_future",
  "statement_gap",
  "may_be_cut_off"
])

/** Something that a person should check, although the import succeeded. */
const StoredWarning = Schema.Struct({
  code: described(storedWord(WarningCode.literals), "What the warning is about."),
  rule_id: described(
    Schema.NullOr(BankRuleId),
    "The rule that was not applied, or that could not book some lines; null for a warning about all rules or about the file."
  ),
  message: described(Schema.String, "The warning in words.")
})
export type Warning = typeof StoredWarning.Type & { readonly code: typeof WarningCode.Type }

const Reading = Schema.Struct({
  csv: described(
    Schema.NullOr(CsvReading),
    "How the CSV file was read; null for other formats, which leave nothing to detect."
  ),
  lines: described(
    Schema.Array(
      Schema.Struct({
        booking_date: described(Day, "Day on which the bank booked it."),
        value_date: described(Schema.NullOr(Day), "Day from which interest counts; null if the file has none."),
        amount: described(Schema.String, "Amount in `currency`; a debit is negative."),
        currency: described(Schema.String, "Currency of the amount."),
        counterparty_name: described(
          Schema.NullOr(Schema.String),
          "Name of the other party; null if the file has none."
        ),
        counterparty_iban: described(
          Schema.NullOr(Schema.String),
          "IBAN of the other party; null if the file has none."
        ),
        remittance_text: described(Schema.String, "Text of the payment; may be empty."),
        reference: described(
          Schema.NullOr(Schema.String),
          "Structured reference that the payer quotes; null if there is none."
        )
      })
    ),
    "The first lines, at most 20."
  )
})

/** Maximum number of invalid rows that the result of an import lists. */
export const errors_max = 100

const Tally = Schema.Struct({
  count: described(Schema.Int, "Number of lines."),
  sum: described(Schema.String, "Sum of their amounts, in the currency of the account; debits are negative.")
})

export const ImportSession = Schema.Struct({
  id: described(Schema.NullOr(BankImportId), "Id of the import; null for a dry run, which stores nothing."),
  bank_account_id: BankAccountId,
  format: described(storedWord(StatementFormat.literals), "Format of the file."),
  filename: described(Schema.String, "Name of the file."),
  file_sha256: described(Schema.String, "SHA-256 of the file, in hexadecimal digits."),
  duplicate_file: described(Schema.Boolean, "True if the same file was imported before; then nothing is imported."),
  statements: described(Schema.Int, "Number of statements of this account in the file."),
  period_start: described(
    Schema.NullOr(Day),
    "Day of the opening balance, else of the first line; null if there is neither."
  ),
  period_end: described(
    Schema.NullOr(Day),
    "Day of the closing balance, else of the last line; null if there is neither."
  ),
  opening_balance: described(
    Schema.NullOr(Schema.String),
    "Balance before the first statement, in the currency of the account; null if the file has none."
  ),
  closing_balance: described(
    Schema.NullOr(Schema.String),
    "Balance after the last statement, in the currency of the account; null if the file has none."
  ),
  balance_check: described(
    Schema.Literals(["passed", "failed", "unavailable"]),
    "Whether the opening balance plus all lines gives the closing balance; `unavailable` if the file lacks one."
  ),
  lines_total: described(Schema.Int, "Number of lines of this account in the file."),
  imported: described(Schema.Int, "Number of lines that are new."),
  duplicates: described(Schema.Int, "Number of lines that the account already had."),
  skipped_pending: described(Schema.Int, "Number of entries that are announced but not booked; they are not imported."),
  errors: described(
    Schema.Array(
      Schema.Struct({
        row: described(Schema.Int, "Line of the file, from 1."),
        message: described(Schema.String, "Why the row is not a valid line.")
      })
    ),
    `Rows of a CSV file that are not valid lines, at most ${errors_max}; they are not imported.`
  ),
  errors_total: described(
    Schema.optionalKey(Schema.Int),
    "Number of all such rows; absent in imports of earlier versions, whose `errors` are complete."
  ),
  warnings: described(
    Schema.optionalKey(Schema.Array(StoredWarning)),
    "What a person should check although the import is complete; absent if nothing needs a check."
  ),
  reading: described(Schema.optionalKey(Reading), "How a dry run read the file; present for a dry run."),
  suggested: described(Schema.Int, "Number of new lines with a suggestion."),
  auto_booked: described(Schema.Int, "Number of new lines that a rule with `auto_add` booked."),
  credits: described(Tally, "The lines that enter the account."),
  debits: described(Tally, "The lines that leave the account."),
  created_at: described(Timestamp, "Time of the import.")
}).annotate({
  identifier: "ImportSession",
  description: "The result of importing a statement file. Amounts are texts in the currency of the account."
})
export type ImportSession = typeof ImportSession.Type

/** The event about an import. Only a stored import causes one, so its id is never null. */
export const importEvent = recordEvent("bank_statement", Schema.Struct({ ...ImportSession.fields, id: BankImportId }))
