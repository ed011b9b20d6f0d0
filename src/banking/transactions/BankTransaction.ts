import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankAccountId, BankImportId, BankTransactionId, ExpenseId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { listingQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount } from "../../kernel/Money.ts"
import { ScorePart } from "../matching/Candidate.ts"
import { MatchPart } from "./MatchFacts.ts"

export const TransactionStatus = Schema.Literals([
  "unmatched",
  "suggested",
  "partially_matched",
  "matched",
  "excluded"
]).annotate({ identifier: "TransactionStatus" })
export type TransactionStatus = typeof TransactionStatus.Type

const SuggestedDocument = Schema.Struct({
  type: Schema.Literals(["invoice", "expense"]),
  id: Schema.Int,
  amount: Amount
}).annotate({ identifier: "SuggestedDocument" })

/** The document to which a line may belong, or the rule that would create its document. */
export const StoredSuggestion = Schema.Struct({
  type: Schema.Literals(["invoice", "expense", "rule"]),
  id: Schema.Int,
  score: Schema.Int,
  signals: Schema.Array(ScorePart),
  /** Amount by which the line exceeds what is left to pay, negative when it is less; null when the two agree. */
  difference: Schema.NullOr(Amount),
  /** All documents that the line pays together, with what is left to pay of each; absent when there is only one. */
  documents: Schema.optionalKey(Schema.Array(SuggestedDocument))
}).annotate({ identifier: "Suggestion" })
export type StoredSuggestion = typeof StoredSuggestion.Type

/** A line of a bank statement with its reconciliation state. */
export const BankTransaction = Schema.Struct({
  id: BankTransactionId,
  bank_account_id: BankAccountId,
  booking_date: Day,
  value_date: Schema.NullOr(Day),
  amount: Amount,
  currency: CurrencyCode,
  counterparty_name: Schema.NullOr(Schema.String),
  counterparty_iban: Schema.NullOr(Schema.String),
  remittance_text: Schema.String,
  reference: Schema.NullOr(Schema.String),
  status: TransactionStatus,
  matched_amount: Amount,
  remaining_amount: Amount,
  invoice_id: Schema.NullOr(InvoiceId),
  expense_id: Schema.NullOr(ExpenseId),
  suggestion: Schema.NullOr(StoredSuggestion),
  matches: Schema.Array(MatchPart),
  import_session_id: BankImportId,
  position: Schema.Int,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "BankTransaction" })
export type BankTransaction = typeof BankTransaction.Type

export const bankTransactionsSorting = {
  columns: ["booking_date", "id", "updated_at"],
  usual: "-booking_date"
} as const

export const bankTransactionsQuery = {
  ...listingQuery(bankTransactionsSorting),
  bank_account_id: Schema.optionalKey(inText(BankAccountId)),
  status: Schema.optionalKey(TransactionStatus),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day)
}
export type BankTransactionsQuery = Schema.Struct.Type<typeof bankTransactionsQuery> & CursorRequest
