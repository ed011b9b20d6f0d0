import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankAccountId, BankImportId, BankTransactionId, ExpenseId, InvoiceId, inText } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Amount } from "../../kernel/Money.ts"
import { StoredSuggestion } from "../matching/StoredSuggestion.ts"
import { TransactionStatus } from "../records/TransactionStatus.ts"
import { MatchPart } from "./MatchFacts.ts"
import { described } from "../../kernel/Described.ts"

export const BankTransaction = Schema.Struct({
  id: BankTransactionId,
  bank_account_id: BankAccountId,
  booking_date: described(Day, "Day on which the bank booked it."),
  value_date: described(Schema.NullOr(Day), "Day from which interest counts; null if the bank gave none."),
  amount: described(Amount, "Amount in `currency`; a debit is negative."),
  currency: described(CurrencyCode, "Currency of the account and of all amounts."),
  counterparty_name: described(Schema.NullOr(Schema.String), "Name of the other party; null if the bank gave none."),
  counterparty_iban: described(Schema.NullOr(Schema.String), "IBAN of the other party; null if the bank gave none."),
  remittance_text: described(Schema.String, "Text of the payment; may be empty."),
  reference: described(
    Schema.NullOr(Schema.String),
    "Reference that the payer quotes: the structured reference, else the end-to-end reference; null if there is none."
  ),
  status: TransactionStatus,
  matched_amount: described(Amount, "The matched part of the amount, without a sign."),
  remaining_amount: described(Amount, "The unmatched part of the amount, without a sign."),
  invoice_id: described(Schema.NullOr(InvoiceId), "The invoice that it is matched with; null if there is none."),
  expense_id: described(Schema.NullOr(ExpenseId), "The expense that it is matched with; null if there is none."),
  suggestion: described(
    Schema.NullOr(StoredSuggestion),
    "Suggested document, rule, transfer or fee; null if nothing was found."
  ),
  matches: described(Schema.Array(MatchPart), "Its matches."),
  import_session_id: described(BankImportId, "The import that contained it."),
  position: described(Schema.Int, "Line in the imported file."),
  created_at: described(Timestamp, "Time of the import."),
  updated_at: described(Timestamp, "Time of the last change."),
  version: described(Schema.Int, "Number of changes so far.")
}).annotate({ identifier: "BankTransaction", description: "A line of a bank statement, with its matches." })
export type BankTransaction = typeof BankTransaction.Type

export const bankTransactionsSorting = {
  columns: ["booking_date", "id", "updated_at"],
  usual: "-booking_date"
} as const

export const bankTransactionsQuery = {
  ...deletableQuery(bankTransactionsSorting),
  bank_account_id: described(Schema.optionalKey(inText(BankAccountId)), "Only transactions of this bank account."),
  status: described(Schema.optionalKey(TransactionStatus), "Only transactions in this status."),
  date_from: described(Schema.optionalKey(Day), "Only transactions booked on this day or later."),
  date_to: described(Schema.optionalKey(Day), "Only transactions booked on this day or earlier.")
}
export type BankTransactionsQuery = Schema.Struct.Type<typeof bankTransactionsQuery> & CursorRequest
