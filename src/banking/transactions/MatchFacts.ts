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
import { ScorePart } from "../matching/Candidate.ts"

const ExclusionReason = Schema.Literals(["private", "fee", "duplicate", "other"])

/** The reason why money of a line needs no document. */
export const ExclusionInput = Schema.Struct({ reason: ExclusionReason, note: nullable(Notes) })
const Exclusion = Schema.Struct({ reason: ExclusionReason, note: Schema.NullOr(Schema.String) })

/** The ends that money of a line can have; a match has exactly one of them. */
const target = {
  invoice_id: Schema.NullOr(InvoiceId),
  expense_id: Schema.NullOr(ExpenseId),
  payment_refund_id: Schema.NullOr(RefundId),
  credit_note_id: Schema.NullOr(CreditNoteId),
  /** The other side of a transfer between two own accounts. */
  transfer_transaction_id: Schema.NullOr(BankTransactionId),
  exclude: Schema.NullOr(Exclusion)
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

/** The stored match: the part of a line's money that has one end. */
export const MatchFacts = Schema.Struct({
  id: BankMatchId,
  bank_transaction_id: BankTransactionId,
  ...target,
  payment_id: Schema.NullOr(PaymentId),
  amount: Amount,
  /** Tells whether the document was created from the line. */
  created_money_record: Schema.Boolean,
  explanation: Schema.Array(ScorePart),
  expense_status: Schema.NullOr(ExpenseStatus),
  expense_payment_method: Schema.NullOr(Schema.String),
  booked_refund_ids: Schema.Array(RefundId)
})
export type MatchFacts = typeof MatchFacts.Type

const hidden = ["expense_status", "expense_payment_method", "booked_refund_ids"] as const

/** A match in answers. */
export const MatchPart = Schema.Struct(Struct.omit(MatchFacts.fields, hidden))
export type MatchPart = typeof MatchPart.Type

export const partOf = (facts: MatchFacts): MatchPart => Struct.omit(facts, hidden)
