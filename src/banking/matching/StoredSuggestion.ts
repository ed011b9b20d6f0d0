import { Schema } from "effect"
import type { BankRuleId } from "../../kernel/Ids.ts"
import { described } from "../../kernel/Described.ts"
import { Amount } from "../../kernel/Money.ts"
import { ScorePart } from "./Candidate.ts"
import type { Finding } from "./Matcher.ts"

const SuggestedDocument = Schema.Struct({
  type: described(Schema.Literals(["invoice", "expense"]), "Kind of the document."),
  id: described(Schema.Int, "Id of the invoice or expense."),
  amount: described(Amount, "What is left to pay of it, in the currency of the transaction.")
}).annotate({
  identifier: "SuggestedDocument",
  description: "One of several documents that a transaction pays together."
})

/** The document to which a line may belong, or the rule that would create its document. */
export const StoredSuggestion = Schema.Struct({
  type: described(
    Schema.Literals(["invoice", "expense", "rule"]),
    "Kind of the document, or `rule` if a rule would create one."
  ),
  id: described(Schema.Int, "Id of the invoice, expense or rule."),
  score: described(Schema.Int, "How sure the suggestion is, from 0 to 100; 0 for a rule."),
  signals: described(Schema.Array(ScorePart), "The reasons for the score."),
  difference: described(
    Schema.NullOr(Amount),
    "Amount by which the transaction exceeds what is left to pay, negative when it is less; null when the two agree."
  ),
  documents: described(
    Schema.optionalKey(Schema.Array(SuggestedDocument)),
    "All documents that the transaction pays together; absent when there is only one."
  )
}).annotate({
  identifier: "Suggestion",
  description: "The document to which a bank transaction may belong, or the rule that would create one."
})
export type StoredSuggestion = typeof StoredSuggestion.Type

/** The suggestion that is stored with a line: the documents found, else the rule that applies, else null. */
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
