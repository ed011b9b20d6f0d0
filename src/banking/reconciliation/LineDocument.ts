import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, CounterpartyId } from "../../kernel/Ids.ts"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { Line, nullable, Text } from "../../kernel/Text.ts"
import { ResolvedParty } from "../counterparties/Counterparty.ts"
import { actionTexts } from "../rules/BankRule.ts"
import { described } from "../../kernel/Described.ts"

const DocumentType = Schema.Literals(["expense", "invoice"])

/** Events that can occur when a document is created for a bank line. */
export const documentEvents = [
  "bank_transaction.matched",
  "customer.created",
  "expense.created",
  "expense.updated",
  "invoice.created",
  "invoice.sent",
  "invoice.paid",
  "payment.created",
  "payment.updated"
] as const

/** Absent or blank fields come from the line (rules/banking.md, Documents from lines). `category` is for expenses. */
export const CreateDocumentBody = Schema.Struct({
  amount: described(
    nullable(PositiveAmount),
    "The part of the transaction that the document is for, in its currency, without a sign. Default: the unmatched amount."
  ),
  document_type: described(
    nullable(DocumentType),
    "Default: an expense for a debit, an invoice for a credit. `expense` for a credit is the refund of a supplier: an " +
      "expense with a negative amount. A debit has no invoice."
  ),
  counterparty_id: nullable(CounterpartyId),
  counterparty_name: described(nullable(Line), "Name of the vendor or customer. Default: as the transaction names it."),
  description: described(
    nullable(Text(actionTexts.description_characters_max)),
    "Description of the document. Default: the text of the payment, or else its reference or the name of the other party."
  ),
  date: described(nullable(Day), "Date of the document. Default: the booking date."),
  category: described(nullable(Text(actionTexts.category_characters_max)), "Category of the expense.")
}).annotate({
  identifier: "BankDocumentDraft",
  description: "The document to be created; absent or blank fields are derived from the transaction."
})
export type CreateDocumentBody = typeof CreateDocumentBody.Type

export const DocumentPrefill = Schema.Struct({
  transaction_id: BankTransactionId,
  document_type: described(DocumentType, "An expense for a debit, an invoice for a credit."),
  amount: described(Amount, "The remaining amount, or the whole amount if it is matched already, without a sign."),
  currency: described(CurrencyCode, "Currency of the transaction."),
  date: described(Day, "Booking date of the transaction."),
  description: described(
    Schema.String,
    "Text of the payment, or else its reference or the name of the other party; never empty."
  ),
  counterparty: described(
    ResolvedParty,
    "The likely vendor or customer. `create-document` without a counterparty takes it if its `confidence` is at least 0.9."
  ),
  counterparty_name: described(
    Schema.NullOr(Schema.String),
    "Name of the other party as the bank gave it; null if it gave none."
  ),
  category: described(
    Schema.NullOr(Schema.String),
    "Category of an expense, from the rule for the transaction, or else the vendor's usual one, or else `other`; null for an invoice."
  )
}).annotate({ identifier: "DocumentPrefill", description: "A proposal for the body of `create-document`." })
export type DocumentPrefill = typeof DocumentPrefill.Type
