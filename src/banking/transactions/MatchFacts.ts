import { Schema, Struct } from "effect"
import {
  BankMatchId,
  BankTransactionId,
  CreditNoteId,
  ExpenseId,
  InvoiceId,
  PaymentId,
  RefundId
} from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { Notes, nullable } from "../../kernel/Text.ts"
import { ExpenseStatus } from "../../expenses/Expense.ts"
import { StoredScorePart } from "../matching/candidates/Candidate.ts"
import { described } from "../../kernel/Described.ts"
import { storedWord } from "../../kernel/StoredWord.ts"

const ExclusionReason = Schema.Literals(["private", "fee", "duplicate", "other"])

export const ExclusionInput = Schema.Struct({
  reason: described(ExclusionReason, "Why the transaction needs no document."),
  note: described(nullable(Notes), "Note for people.")
})
const Exclusion = Schema.Struct({
  reason: described(storedWord(ExclusionReason.literals), "Why the transaction needs no document."),
  note: described(Schema.NullOr(Schema.String), "Free text for your own use; null if there is none.")
})

const target = {
  invoice_id: described(Schema.NullOr(InvoiceId), "The invoice that was paid; null if it is another target."),
  expense_id: described(Schema.NullOr(ExpenseId), "The expense that was paid; null if it is another target."),
  payment_refund_id: described(Schema.NullOr(RefundId), "The refund that was paid out; null if it is another target."),
  credit_note_id: described(
    Schema.NullOr(CreditNoteId),
    "The credit note that was paid out; null if it is another target."
  ),
  transfer_transaction_id: described(
    Schema.NullOr(BankTransactionId),
    "The other side of a transfer between two own accounts; null if it is another target."
  ),
  exclude: described(Schema.NullOr(Exclusion), "Why the transaction needs no document; null if it has one.")
}
export type MatchTarget = Schema.Struct.Type<typeof target>

export const no_target: MatchTarget = {
  invoice_id: null,
  expense_id: null,
  payment_refund_id: null,
  credit_note_id: null,
  transfer_transaction_id: null,
  exclude: null
}

export const MatchFacts = Schema.Struct({
  id: BankMatchId,
  bank_transaction_id: BankTransactionId,
  ...target,
  payment_id: described(
    Schema.NullOr(PaymentId),
    "The payment that the match recorded, or linked because it was recorded before; null if there is none."
  ),
  amount: described(
    Amount,
    "The matched part, in the currency of the transaction; negative if it is deducted from the other parts."
  ),
  created_money_record: described(Schema.Boolean, "True if the document was created from the transaction."),
  explanation: described(Schema.Array(StoredScorePart), "The reasons for the match; may be empty."),
  /** True if the payment was recorded before the match, so undoing the match keeps it. */
  is_payment_linked: Schema.Boolean,
  expense_status: Schema.NullOr(ExpenseStatus),
  expense_payment_method: Schema.NullOr(Schema.String),
  booked_refund_ids: Schema.Array(RefundId)
})
export type MatchFacts = typeof MatchFacts.Type

const hidden = ["is_payment_linked", "expense_status", "expense_payment_method", "booked_refund_ids"] as const

export const MatchPart = Schema.Struct(Struct.omit(MatchFacts.fields, hidden)).annotate({
  identifier: "BankMatchPart",
  description: "A match of a bank transaction, or of a part of it, with one document."
})
export type MatchPart = typeof MatchPart.Type

export const partOf = (facts: MatchFacts): MatchPart => Struct.omit(facts, hidden)
