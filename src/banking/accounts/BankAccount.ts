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
  bic: Schema.NullOr(Schema.String),
  /** The number of an account without IBAN, as its statements name it. */
  account_number: Schema.NullOr(Schema.String),
  currency: CurrencyCode,
  status: AccountStatus,
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

export const BankAccountDraft = Schema.Struct({
  name: Name,
  iban: Schema.optionalKey(Iban),
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
  balance_check: Schema.Struct({
    computed: Schema.String,
    provider: Schema.NullOr(Schema.String),
    provider_at: Schema.NullOr(Timestamp),
    difference: Schema.NullOr(Schema.String),
    status: Schema.Literals(["passed", "failed", "unavailable"])
  })
}).annotate({ identifier: "ReconciliationReport" })
export type ReconciliationReport = typeof ReconciliationReport.Type
