import { BigDecimal, Schema } from "effect"
import type { BankAccountId, BankRuleId, BankTransactionId } from "../../kernel/Ids.ts"
import { described } from "../../kernel/Described.ts"
import { Amount } from "../../kernel/Money.ts"
import { storedWord } from "../../kernel/StoredWord.ts"
import { feeNameIn } from "../texts/Fees.ts"
import { pointsOf, score_of_point, type ScorePart, StoredScorePart } from "./candidates/Candidate.ts"
import type { Finding } from "./Matcher.ts"
import type { MatchedLine } from "./candidates/Subject.ts"

export const DocumentType = Schema.Literals(["invoice", "expense", "credit_note", "refund"])

const SuggestedDocument = Schema.Struct({
  type: described(storedWord(DocumentType.literals), "Kind of the document."),
  id: described(Schema.Int, "Id of the invoice, expense, credit note or refund."),
  amount: described(
    Amount,
    "Open amount of the document, in the currency of the transaction; negative if it is deducted from the others."
  )
}).annotate({
  identifier: "SuggestedDocument",
  description: "One of several documents that a transaction pays together."
})

const SuggestionType = Schema.Literals([...DocumentType.literals, "rule", "transfer", "fee"])
export type SuggestionType = typeof SuggestionType.Type

export const StoredSuggestion = Schema.Struct({
  type: described(
    storedWord(SuggestionType.literals),
    "Kind of the document, such as a `credit_note` that is refunded, or a `refund` that was recorded before; `rule` if a rule would create one; `transfer` between two own accounts; `fee` of the bank."
  ),
  id: described(
    Schema.Int,
    "Id of the invoice, expense, credit note, refund or rule, of the other transaction of a transfer, or of the bank account of a fee."
  ),
  score: described(Schema.Int, "How sure the suggestion is, from 0 to 100; 0 for a rule."),
  signals: described(Schema.Array(StoredScorePart), "The reasons for the score."),
  difference: described(
    Schema.NullOr(Amount),
    "Amount by which the transaction exceeds what is left to pay, negative when it is less; null when the two agree."
  ),
  documents: described(
    Schema.optionalKey(Schema.Array(SuggestedDocument)),
    "All documents that the transaction pays together; absent if there is only one."
  )
}).annotate({
  identifier: "Suggestion",
  description: "A suggestion for a bank transaction: a document, a rule that would create one, a transfer or a fee."
})
export type StoredSuggestion = typeof StoredSuggestion.Type

/**
 * In one currency, opposite amounts suffice to suggest a transfer. In two currencies, amounts cannot be compared, so
 * each line must contain the account of the other one.
 */
const transfer_points = { opposite_amount: 6, own_account: 3 } as const
const fee_points = 6

/** `named` is the number of lines (0 to 2) of the transfer that contain the account of the other line. */
export const transferSuggestion = (
  other: BankTransactionId,
  named: number,
  has_one_currency: boolean
): StoredSuggestion => {
  const opposite: ScorePart = {
    signal: "opposite_amount",
    points: transfer_points.opposite_amount,
    reason: "Only one open transaction of another own account has the opposite amount."
  }
  const own = Array.from({ length: named }, (): ScorePart => ({
    signal: "own_account",
    points: transfer_points.own_account,
    reason: "One of the two transactions names the account of the other one."
  }))
  const signals = [...(has_one_currency ? [opposite] : []), ...own]
  return { type: "transfer", id: other, score: pointsOf(signals) * score_of_point, signals, difference: null }
}

/** A transfer is certain if its amounts are opposite and each of its two lines names the account of the other one. */
export const isCertainTransfer = ({ signals, type }: StoredSuggestion): boolean =>
  type === "transfer" && signals.length === 3

/**
 * Suggests that a debit is a fee of the bank, if it states no account of another party and its text contains the name
 * of a fee.
 */
export const feeSuggestion = (
  { amount, counterparty_iban, counterparty_name, remittance_text }: MatchedLine,
  account: BankAccountId
): StoredSuggestion | null => {
  if (!BigDecimal.isNegative(amount) || counterparty_iban !== null) return null
  const name = feeNameIn(remittance_text || (counterparty_name ?? ""))
  if (name === undefined) return null
  const reason = `The text names a fee ("${name}"), and no account of another party.`
  const signals = [{ signal: "fee_name", points: fee_points, reason } as const]
  return { type: "fee", id: account, score: fee_points * score_of_point, signals, difference: null }
}

/** Returns the suggestion to store with a line: the found documents, or else the rule that applies, or else null. */
export const storedSuggestion = (
  finding: Finding,
  rule: { readonly id: BankRuleId } | undefined
): StoredSuggestion | null => {
  if (finding._tag !== "None") {
    const { difference, documents, score, signals } = finding.best
    const { id, type } = documents[0].candidate
    const parts = documents.map(({ candidate, open }) => ({ type: candidate.type, id: candidate.id, amount: open }))
    return { type, id, score, signals, difference, ...(parts.length > 1 ? { documents: parts } : {}) }
  }
  return rule === undefined ? null : { type: "rule", id: rule.id, score: 0, signals: [], difference: null }
}
