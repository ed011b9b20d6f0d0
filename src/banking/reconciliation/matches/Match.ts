import { BigDecimal, Schema, Struct } from "effect"
import {
  BankMatchId,
  BankRuleId,
  BankTransactionId,
  CreditNoteId,
  ExpenseId,
  InvoiceId,
  PaymentId,
  RefundId
} from "../../../kernel/Ids.ts"
import { AmountInput, PositiveAmount } from "../../../kernel/Money.ts"
import { TransactionStatus } from "../../records/TransactionStatus.ts"
import { ExclusionInput, MatchPart } from "../../transactions/MatchFacts.ts"
import { unlessNull } from "../../../kernel/Text.ts"
import { described } from "../../../kernel/Described.ts"

const allocations_max = 50
const transactions_max = 200

export const Match = Schema.Struct({
  ...MatchPart.fields,
  transaction_status: described(TransactionStatus, "Status of the transaction after the match."),
  matches: described(
    Schema.Array(MatchPart),
    "All matches that were made by the request; the other fields are those of the first match."
  )
}).annotate({ identifier: "BankMatch", description: "A match of a bank transaction with a document." })
export type Match = typeof Match.Type

const targets = {
  invoice_id: unlessNull(InvoiceId),
  expense_id: unlessNull(ExpenseId),
  payment_refund_id: unlessNull(RefundId),
  credit_note_id: unlessNull(CreditNoteId),
  transfer_transaction_id: unlessNull(BankTransactionId),
  exclude: described(unlessNull(ExclusionInput), "Marks the transaction as needing no document.")
}
const names = Struct.keys(targets)
const list = names.join(", ")

const countOf = (given: Schema.Struct.Type<typeof targets>) => names.filter((name) => given[name] !== undefined).length

const linked = {
  payment_id: described(
    Schema.optionalKey(Schema.NullOr(PaymentId)),
    "With `invoice_id`: the payment that was recorded before and is now linked with the transaction; it is matched in " +
      "full, so `amount` may only be that of the payment, and the transaction must have as much left. Null records a " +
      "further payment. Default: the only recorded payment that fits and was not cash, else a new payment."
  )
}

const SignedAmount = AmountInput.check(
  Schema.makeFilter((amount) => !BigDecimal.isZero(amount), { message: "may not be 0." })
)

const Allocation = Schema.Struct({
  ...targets,
  ...linked,
  amount: described(
    unlessNull(SignedAmount),
    "Part of the transaction, in its currency; negative if it is deducted from the other parts, such as a credit note " +
      "or a fee. Default: all that is open of the target; if it is the only target, at most what remains."
  )
}).check(Schema.makeFilter((given) => (countOf(given) === 1 ? undefined : `must name exactly one of: ${list}.`)))
export type Allocation = typeof Allocation.Type

export const MatchBody = Schema.Struct({
  ...targets,
  ...linked,
  amount: described(
    unlessNull(PositiveAmount),
    "Part of the transaction, in its currency, without a sign. Default: what remains, but at most what is open of the target."
  ),
  allocations: described(
    unlessNull(
      Schema.Array(Allocation).check(
        Schema.isMinLength(1, { message: "must have at least 1 entry." }),
        Schema.isMaxLength(allocations_max, { message: `may not have more than ${allocations_max} entries.` })
      )
    ),
    "Several targets with their amounts, at most 50, instead of one target. Together they are at most what remains " +
      "of the transaction, after those were deducted whose money goes the other way."
  )
})
  .annotate({ description: "One target, or several allocations with the amount of each." })
  .check(
    Schema.makeFilter(({ allocations, ...given }) => {
      const isWhole =
        allocations === undefined ? countOf(given) === 1 : countOf(given) === 0 && given.amount === undefined
      return isWhole ? undefined : `must name exactly one of: ${list}, or allocations, which have their own amounts.`
    })
  )
  .annotate({ identifier: "BankMatchDraft" })
export type MatchBody = typeof MatchBody.Type

export const UnmatchBody = Schema.Struct({ match_id: unlessNull(BankMatchId) }).annotate({
  identifier: "UnmatchRequest",
  description: "The match to be undone; without `match_id`, all matches of the transaction."
})
export type UnmatchBody = typeof UnmatchBody.Type

export const BulkConfirmBody = Schema.Struct({
  transaction_ids: described(
    Schema.Array(BankTransactionId).check(
      Schema.isMinLength(1, { message: "must have at least 1 entry." }),
      Schema.isMaxLength(transactions_max, { message: `may not have more than ${transactions_max} entries.` })
    ),
    "The transactions, 1 to 200."
  )
}).annotate({
  identifier: "BulkConfirmRequest",
  description: "The transactions whose suggestions are to be confirmed."
})

const Skip = Schema.Literals([
  "ambiguous",
  "already_matched",
  "claimed",
  "no_suggestion",
  "low_confidence",
  "currency_mismatch",
  "not_found",
  "rule_budget_exceeded"
])
export type Skip = typeof Skip.Type

const Confirmed = Schema.Struct({
  transaction_id: BankTransactionId,
  status: described(Schema.Literal("confirmed"), "The suggestion was confirmed."),
  via: described(
    Schema.Literals(["document", "rule", "transfer"]),
    "`document`: an existing document was matched; `rule`: a rule created one; `transfer`: both sides were matched."
  ),
  rule_id: Schema.optionalKey(BankRuleId),
  match_id: BankMatchId,
  invoice_id: Schema.NullOr(InvoiceId),
  expense_id: Schema.NullOr(ExpenseId),
  credit_note_id: Schema.NullOr(CreditNoteId),
  payment_refund_id: Schema.NullOr(RefundId),
  created_money_record: described(Schema.Boolean, "True if a document was created."),
  matches: described(
    Schema.Array(MatchPart),
    "All matches that were made; the fields of documents beside it are those of the first match."
  )
})
const Skipped = Schema.Struct({
  transaction_id: BankTransactionId,
  status: described(Schema.Literal("skipped"), "Nothing was done."),
  reason: described(
    Skip,
    "Why it was skipped; `claimed`: the document has become paid or matched with another transaction."
  )
})

const Failed = Schema.Struct({
  transaction_id: BankTransactionId,
  status: described(
    Schema.Literal("failed"),
    "The match, or the document that a rule would create, was refused, or the rules could not be tested in time."
  ),
  rule_id: described(Schema.optionalKey(BankRuleId), "The rule whose document was refused."),
  reason: described(
    Schema.String,
    "Code of the refusal, such as `books_locked` or `rule_check_unavailable`.",
    "books_locked"
  ),
  message: described(Schema.String, "Reason in words.")
})

export const BulkConfirmation = Schema.Struct({
  requested: described(Schema.Int, "Number of different transactions in the request."),
  confirmed: described(Schema.Int, "Number of those that were confirmed."),
  skipped: described(Schema.Int, "Number of those that were skipped."),
  failed: described(Schema.Int, "Number of those that were refused."),
  results: described(Schema.Array(Schema.Union([Confirmed, Skipped, Failed])), "One result for each transaction.")
}).annotate({ identifier: "BulkConfirmation", description: "The result of each suggestion." })
export type BulkConfirmation = typeof BulkConfirmation.Type
export type BulkResult = BulkConfirmation["results"][number]
