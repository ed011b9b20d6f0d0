import { Schema, Struct } from "effect"
import {
  BankMatchId,
  BankRuleId,
  BankTransactionId,
  CreditNoteId,
  ExpenseId,
  InvoiceId,
  RefundId
} from "../../kernel/Ids.ts"
import { PositiveAmount } from "../../kernel/Money.ts"
import { TransactionStatus } from "./BankTransaction.ts"
import { ExclusionInput, MatchPart } from "./MatchFacts.ts"

const allocations_max = 50
const transactions_max = 200

/** A match in an answer; when several were made at once, this is the first one, and `matches` lists them all. */
export const Match = Schema.Struct({
  ...MatchPart.fields,
  transaction_status: TransactionStatus,
  matches: Schema.Array(MatchPart)
}).annotate({ identifier: "BankMatch" })
export type Match = typeof Match.Type

const targets = {
  invoice_id: Schema.optionalKey(InvoiceId),
  expense_id: Schema.optionalKey(ExpenseId),
  payment_refund_id: Schema.optionalKey(RefundId),
  credit_note_id: Schema.optionalKey(CreditNoteId),
  transfer_transaction_id: Schema.optionalKey(BankTransactionId),
  exclude: Schema.optionalKey(ExclusionInput)
}
const names = Struct.keys(targets)
const list = names.join(", ")

/** Default of the amount: the line's remaining amount, but at most the open amount of the target. */
const allocation = { ...targets, amount: Schema.optionalKey(PositiveAmount) }

const countOf = (given: Schema.Struct.Type<typeof allocation>) =>
  names.filter((name) => given[name] !== undefined).length

const Allocation = Schema.Struct(allocation).check(
  Schema.makeFilter((given) => (countOf(given) === 1 ? undefined : `must name exactly one of: ${list}.`))
)
export type Allocation = typeof Allocation.Type

/** The body names one target, or several allocations with the amount of each. */
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
    Schema.makeFilter(({ allocations, ...given }) => {
      const isWhole =
        allocations === undefined ? countOf(given) === 1 : countOf(given) === 0 && given.amount === undefined
      return isWhole ? undefined : `must name exactly one of: ${list}, or allocations, which have their own amounts.`
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
