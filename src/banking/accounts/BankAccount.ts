import { Schema } from "effect"
import { Day, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { pageQuery } from "../../kernel/Envelope.ts"
import { BankAccountId } from "../../kernel/Ids.ts"
import { Amount, AmountInput } from "../../kernel/Money.ts"
import { Name } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/Iban.ts"
import { CsvMapping } from "../csv/CsvMapping.ts"
import { TransactionStatus } from "../transactions/BankTransaction.ts"

const AccountStatus = Schema.Literals(["active", "archived"])

/** Spec, Bank records: bank accounts are created and managed outside the API. */
export const BankAccount = Schema.Struct({
  id: BankAccountId,
  name: Schema.String,
  iban: Schema.NullOr(Schema.String),
  /** The national number of an account without an IBAN, with its sort code, routing number or clearing number. */
  account_number: Schema.NullOr(Schema.String),
  bank_code: Schema.NullOr(Schema.String),
  bic: Schema.NullOr(Schema.String),
  currency: CurrencyCode,
  status: AccountStatus,
  /** The balance before the lines of `opening_balance_date`; without it the first statement tells the balance. */
  opening_balance: Schema.NullOr(Amount),
  opening_balance_date: Schema.NullOr(Day),
  /** The closing balance of the latest statement. */
  statement_balance: Schema.NullOr(Amount),
  statement_balance_date: Schema.NullOr(Day),
  /** The balance that the bank last reported. */
  provider_balance: Schema.NullOr(Amount),
  provider_balance_at: Schema.NullOr(Timestamp),
  last_imported_at: Schema.NullOr(Timestamp),
  /** The mapping that reads the account's CSV files; an import with a mapping replaces it. */
  csv_mapping: Schema.NullOr(CsvMapping),
  /** Number of lines that still need a document, wholly or in part. */
  unmatched_count: Schema.Int
}).annotate({ identifier: "BankAccount" })
export type BankAccount = typeof BankAccount.Type

const bic_pattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** The balance before the lines of a day. */
export const OpeningBalance = Schema.Struct({ opening_balance: AmountInput, opening_balance_date: Day })
export type OpeningBalance = typeof OpeningBalance.Type

const number_characters_max = 34
const AccountNumber = Schema.String.check(
  Schema.isPattern(new RegExp(`^[0-9A-Za-z /.-]{1,${number_characters_max}}$`), {
    message: "must be an account number."
  })
)

export const BankAccountDraft = Schema.Struct({
  name: Name,
  iban: Schema.optionalKey(Iban),
  account_number: Schema.optionalKey(AccountNumber),
  bank_code: Schema.optionalKey(AccountNumber),
  bic: Schema.optionalKey(Schema.String.check(Schema.isPattern(bic_pattern, { message: "must be a BIC (ISO 9362)." }))),
  currency: CurrencyCode
})
export type BankAccountDraft = typeof BankAccountDraft.Type

/** The balance that the bank reports for a point in time. */
export const ProviderBalance = Schema.Struct({ balance: AmountInput, at: Moment })
export type ProviderBalance = typeof ProviderBalance.Type

export const bankAccountsQuery = { ...pageQuery, status: Schema.optionalKey(AccountStatus) }
export type BankAccountsQuery = Schema.Struct.Type<typeof bankAccountsQuery>

export const reportQuery = { from: Day, to: Day }

const Tally = Schema.Struct({ count: Schema.Int, sum: Schema.String })

/** Amounts are decimal text, as in every report. */
export const ReconciliationReport = Schema.Struct({
  bank_account_id: BankAccountId,
  currency: CurrencyCode,
  from: Day,
  to: Day,
  by_status: Schema.Array(Schema.Struct({ status: TransactionStatus, ...Tally.fields })),
  matched: Tally,
  /** Lines that are neither matched nor excluded; a partially matched line counts with its unmatched amount. */
  unmatched: Tally,
  /** Percentage of lines that are matched; excluded lines do not count. */
  reconciliation_rate: Schema.String,
  /** Compares the opening balance plus the lines with the latest balance that the bank told. */
  balance_check: Schema.Struct({
    opening_balance: Schema.NullOr(Schema.String),
    opening_balance_date: Schema.NullOr(Day),
    /** Sum of all lines until the period's end. */
    lines_sum: Schema.String,
    /** Opening balance plus lines on the day `as_of`. */
    computed: Schema.String,
    as_of: Day,
    provider: Schema.NullOr(Schema.String),
    provider_at: Schema.NullOr(Timestamp),
    statement: Schema.NullOr(Schema.Struct({ balance: Schema.String, date: Day })),
    difference: Schema.NullOr(Schema.String),
    status: Schema.Literals(["passed", "failed", "unavailable"])
  }),
  /** The balance at the end of each day of the period that has lines or a statement's closing balance. */
  days: Schema.Array(
    Schema.Struct({
      date: Day,
      credits: Schema.String,
      debits: Schema.String,
      balance: Schema.String,
      statement_balance: Schema.NullOr(Schema.String),
      difference: Schema.NullOr(Schema.String)
    })
  )
}).annotate({ identifier: "ReconciliationReport" })
export type ReconciliationReport = typeof ReconciliationReport.Type
