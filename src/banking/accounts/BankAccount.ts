import { Schema } from "effect"
import { Day, Moment, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { pageQuery } from "../../kernel/Envelope.ts"
import { BankAccountId } from "../../kernel/Ids.ts"
import { Amount, AmountInput } from "../../kernel/Money.ts"
import { Name } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/Iban.ts"
import { TransactionStatus } from "../transactions/BankTransaction.ts"

const AccountStatus = Schema.Literals(["active", "archived"])

/** Spec, Bank records: made and managed outside the API. */
export const BankAccount = Schema.Struct({
  id: BankAccountId,
  name: Schema.String,
  iban: Schema.NullOr(Schema.String),
  bic: Schema.NullOr(Schema.String),
  currency: CurrencyCode,
  status: AccountStatus,
  /** What the bank last said it holds. */
  provider_balance: Schema.NullOr(Amount),
  provider_balance_at: Schema.NullOr(Timestamp),
  last_imported_at: Schema.NullOr(Timestamp),
  /** Lines that wait for their document, in whole or in part. */
  unmatched_count: Schema.Int
})
export type BankAccount = typeof BankAccount.Type

const bic_pattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

export const BankAccountDraft = Schema.Struct({
  name: Name,
  iban: Schema.optionalKey(Iban),
  bic: Schema.optionalKey(Schema.String.check(Schema.isPattern(bic_pattern, { message: "must be a BIC (ISO 9362)." }))),
  currency: CurrencyCode
})
export type BankAccountDraft = typeof BankAccountDraft.Type

/** What the bank says the account holds at a moment. */
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
  /** Everything else that counts; of a line that is matched in part, what is left of it. */
  unmatched: Tally,
  /** Percent of the lines that are matched. */
  reconciliation_rate: Schema.String,
  balance_check: Schema.Struct({
    computed: Schema.String,
    provider: Schema.NullOr(Schema.String),
    provider_at: Schema.NullOr(Timestamp),
    difference: Schema.NullOr(Schema.String),
    status: Schema.Literals(["passed", "failed", "unavailable"])
  })
})
export type ReconciliationReport = typeof ReconciliationReport.Type
