import { Schema } from "effect"
import { BankMatchId, BankRuleId, BankTransactionId, ExpenseId, InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { ExpenseStatus } from "../../expenses/Expense.ts"
import { ScorePart } from "../matching/Candidate.ts"
import { TransactionStatus } from "./BankTransaction.ts"

const allocations_max = 50
const transactions_max = 200

/** The stored match: the part of a line's money that belongs to one document. */
export const MatchFacts = Schema.Struct({
  id: BankMatchId,
  bank_transaction_id: BankTransactionId,
  invoice_id: Schema.NullOr(InvoiceId),
  expense_id: Schema.NullOr(ExpenseId),
  payment_id: Schema.NullOr(PaymentId),
  amount: Amount,
  /** Tells whether the document was created from the line. */
  created_money_record: Schema.Boolean,
  explanation: Schema.Array(ScorePart),
  expense_status: Schema.NullOr(ExpenseStatus)
})
export type MatchFacts = typeof MatchFacts.Type

const { expense_status: _, ...shown } = MatchFacts.fields
const Part = Schema.Struct(shown)

/** A match in an answer; when several were made at once, this is the first one, and `matches` lists them all. */
export const Match = Schema.Struct({
  ...shown,
  transaction_status: TransactionStatus,
  matches: Schema.Array(Part)
}).annotate({ identifier: "BankMatch" })
export type Match = typeof Match.Type

const allocation = {
  invoice_id: Schema.optionalKey(InvoiceId),
  expense_id: Schema.optionalKey(ExpenseId),
  /** Default: the line's remaining amount, but at most the document's open amount. */
  amount: Schema.optionalKey(PositiveAmount)
}

const Allocation = Schema.Struct(allocation).check(
  Schema.makeFilter(({ expense_id, invoice_id }) =>
    (expense_id === undefined) === (invoice_id === undefined)
      ? "must name either an invoice_id or an expense_id."
      : undefined
  )
)
export type Allocation = typeof Allocation.Type

/** The body names one document, or several allocations with the amount of each. */
export const MatchBody = Schema.Struct({
  ...allocation,
  allocations: Schema.optionalKey(
    Schema.Array(Allocation).check(
      Schema.isMinLength(1, { message: "must have at least 1 entry." }),
      Schema.isMaxLength(allocations_max, { message: `may not have more than ${allocations_max} entries.` })
    )
  )
})
  .check(
    Schema.makeFilter(({ allocations, amount, expense_id, invoice_id }) => {
      const named = [invoice_id, expense_id, allocations].filter((given) => given !== undefined)
      const isWhole = named.length === 1 && (allocations === undefined || amount === undefined)
      return isWhole
        ? undefined
        : "must name an invoice_id, an expense_id or allocations, which have their own amounts."
    })
  )
  .annotate({ identifier: "BankMatchDraft" })
export type MatchBody = typeof MatchBody.Type

export const UnmatchBody = Schema.Struct({ match_id: Schema.optionalKey(BankMatchId) }).annotate({
  identifier: "UnmatchRequest"
})
export type UnmatchBody = typeof UnmatchBody.Type

export const BulkConfirmBody = Schema.Struct({
  transaction_ids: Schema.Array(BankTransactionId).check(
    Schema.isMinLength(1, { message: "must have at least 1 entry." }),
    Schema.isMaxLength(transactions_max, { message: `may not have more than ${transactions_max} entries.` })
  )
}).annotate({ identifier: "BulkConfirmRequest" })

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
  status: Schema.Literal("confirmed"),
  via: Schema.Literals(["document", "rule"]),
  rule_id: Schema.optionalKey(BankRuleId),
  match_id: BankMatchId,
  invoice_id: Schema.NullOr(InvoiceId),
  expense_id: Schema.NullOr(ExpenseId),
  created_money_record: Schema.Boolean
})
const Skipped = Schema.Struct({ transaction_id: BankTransactionId, status: Schema.Literal("skipped"), reason: Skip })

/** A rule applies but its document cannot be created; `reason` is the code of the refusal. */
const Failed = Schema.Struct({
  transaction_id: BankTransactionId,
  status: Schema.Literal("failed"),
  rule_id: BankRuleId,
  reason: Schema.String,
  message: Schema.String
})

export const BulkConfirmation = Schema.Struct({
  requested: Schema.Int,
  confirmed: Schema.Int,
  skipped: Schema.Int,
  failed: Schema.Int,
  results: Schema.Array(Schema.Union([Confirmed, Skipped, Failed]))
}).annotate({ identifier: "BulkConfirmation" })
export type BulkConfirmation = typeof BulkConfirmation.Type
export type BulkResult = BulkConfirmation["results"][number]
