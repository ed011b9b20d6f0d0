import { Schema } from "effect"
import { Day, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { pageQuery } from "../../kernel/Envelope.ts"
import { BankAccountId } from "../../kernel/Ids.ts"
import { Amount, AmountInput } from "../../kernel/Money.ts"
import { Name } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/profile/Iban.ts"
import { CsvMapping } from "../csv/cells/CsvMapping.ts"
import { TransactionStatus } from "../records/TransactionStatus.ts"
import { described } from "../../kernel/Described.ts"

const AccountStatus = Schema.Literals(["active", "archived"])

export const BankAccount = Schema.Struct({
  id: BankAccountId,
  name: described(Schema.String, "Name of the account."),
  iban: described(Schema.NullOr(Schema.String), "IBAN; null for an account that has none."),
  account_number: described(
    Schema.NullOr(Schema.String),
    "National number of an account without an IBAN; null if it has none."
  ),
  bank_code: described(
    Schema.NullOr(Schema.String),
    "Sort code, routing number or clearing number of the bank; null if there is none."
  ),
  bic: described(Schema.NullOr(Schema.String), "BIC of the bank (ISO 9362); null if it is unknown."),
  currency: described(CurrencyCode, "Currency of the account; statements in other currencies are refused."),
  status: described(
    AccountStatus,
    "`active`, or `archived`: it takes no new statements, but its transactions can still be matched."
  ),
  opening_balance: described(
    Schema.NullOr(Amount),
    "Balance before the transactions of `opening_balance_date`, in the currency of the account; null uses that of the first statement."
  ),
  opening_balance_date: described(
    Schema.NullOr(Day),
    "Day before whose transactions the account had the opening balance; null if none is set."
  ),
  statement_balance: described(
    Schema.NullOr(Amount),
    "Closing balance of the latest statement, in the currency of the account; null if there is none."
  ),
  statement_balance_date: described(Schema.NullOr(Day), "Day of that closing balance; null if there is none."),
  provider_balance: described(
    Schema.NullOr(Amount),
    "Balance that the bank last reported, in the currency of the account; null if it reported none."
  ),
  provider_balance_at: described(Schema.NullOr(Timestamp), "Time of the reported balance; null if there is none."),
  last_imported_at: described(
    Schema.NullOr(Timestamp),
    "Time of the last import of a statement; null if there was none."
  ),
  csv_mapping: described(
    Schema.NullOr(CsvMapping),
    "Mapping for the CSV files of the account; an import with a mapping replaces it. If it is null, everything is detected."
  ),
  unmatched_count: described(Schema.Int, "Number of transactions that still need a document, wholly or in part.")
}).annotate({ identifier: "BankAccount", description: "A bank account, which an administrator creates." })
export type BankAccount = typeof BankAccount.Type

const bic_pattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** The balance at the beginning of a day, before the lines of that day. */
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

/** A balance that the bank reports for a point in time, apart from its statements. */
export const ProviderBalance = Schema.Struct({ balance: AmountInput, at: Moment })
export type ProviderBalance = typeof ProviderBalance.Type

export const bankAccountsQuery = {
  ...pageQuery,
  status: described(Schema.optionalKey(AccountStatus), "Only active or only archived accounts. Default: all.")
}
export type BankAccountsQuery = Schema.Struct.Type<typeof bankAccountsQuery>

export const reportQuery = {
  from: described(Day, "First day of the period."),
  to: described(Day, "Last day of the period.")
}

const Tally = Schema.Struct({
  count: described(Schema.Int, "Number of transactions."),
  sum: described(Schema.String, "Sum of their amounts, in the currency of the account; debits are negative.")
})

/** The report that compares an account with the bank. Amounts are decimal text, as in every report. */
export const ReconciliationReport = Schema.Struct({
  bank_account_id: BankAccountId,
  currency: described(CurrencyCode, "Currency of the account and of all amounts."),
  from: described(Day, "First day of the period."),
  to: described(Day, "Last day of the period."),
  by_status: described(
    Schema.Array(Schema.Struct({ status: TransactionStatus, ...Tally.fields })),
    "The transactions of the period by status."
  ),
  matched: described(Tally, "The transactions that are matched."),
  unmatched: described(
    Tally,
    "The transactions that are neither matched nor excluded; one that is partially matched counts with its unmatched amount."
  ),
  reconciliation_rate: described(
    Schema.String,
    "Percentage of the transactions that are matched, with two decimals, rounded down; excluded ones do not count."
  ),
  balance_check: described(
    Schema.Struct({
      opening_balance: described(
        Schema.NullOr(Schema.String),
        "Opening balance of the account, else that of its first statement; null if neither is known."
      ),
      opening_balance_date: described(
        Schema.NullOr(Day),
        "Day before whose transactions the account had that balance; null if none is known."
      ),
      lines_sum: described(Schema.String, "Sum of all transactions until the end of the period."),
      computed: described(
        Schema.String,
        "Opening balance, or zero if none is known, plus the transactions until the end of the day `as_of`."
      ),
      as_of: described(
        Day,
        "Day of the balance that is compared; the last day of the period if the bank reported none."
      ),
      provider: described(
        Schema.NullOr(Schema.String),
        "Balance that the bank last reported; null if it reported none."
      ),
      provider_at: described(Schema.NullOr(Timestamp), "Time of the reported balance; null if there is none."),
      statement: described(
        Schema.NullOr(
          Schema.Struct({
            balance: described(Schema.String, "The closing balance."),
            date: described(Day, "Day of the closing balance.")
          })
        ),
        "Closing balance of the latest statement until the end of the period; null if there is none."
      ),
      difference: described(
        Schema.NullOr(Schema.String),
        "Computed balance minus the balance that the bank reported; null if it reported none, or if the two differ and no opening balance is known."
      ),
      status: described(
        Schema.Literals(["passed", "failed", "unavailable"]),
        "`passed` if the difference is zero, `failed` if it is not, `unavailable` if it is null."
      )
    }),
    "Compares the opening balance plus the transactions with the latest balance that the bank reported."
  ),
  days: described(
    Schema.Array(
      Schema.Struct({
        date: described(Day, "The day."),
        credits: described(Schema.String, "Sum of the credits of the day."),
        debits: described(Schema.String, "Sum of the debits of the day; it is negative or zero."),
        balance: described(
          Schema.String,
          "Computed balance at the end of the day, from zero if no opening balance is known."
        ),
        statement_balance: described(
          Schema.NullOr(Schema.String),
          "Closing balance of a statement on this day; null if there is none."
        ),
        difference: described(
          Schema.NullOr(Schema.String),
          "Computed balance minus that of the statement; null without one, or if the two differ and no opening balance is known."
        )
      })
    ),
    "The balance at the end of each day of the period that has transactions or a closing balance of a statement."
  )
}).annotate({
  identifier: "ReconciliationReport",
  description:
    "How far the transactions of a period are matched, and whether the balance agrees with the bank's. Amounts are texts in the currency of the account."
})
export type ReconciliationReport = typeof ReconciliationReport.Type
