import { BigDecimal } from "effect"
import { zero } from "../../kernel/Money.ts"
import type { SuggestionType } from "../matching/StoredSuggestion.ts"
import type { BankTransaction } from "../transactions/BankTransaction.ts"
import type { Allocation } from "./matches/Match.ts"
import { type MatchFacts, partOf } from "../transactions/MatchFacts.ts"

/**
 * Returns the line with the amounts and status that follow from its active matches. The line loses a suggestion that
 * proposed one of the undone matches, or a match of a part of the line.
 */
export const withMatches = (
  line: BankTransaction,
  activeMatches: ReadonlyArray<MatchFacts>,
  undone: ReadonlyArray<MatchFacts>
): BankTransaction => {
  const matched_amount = BigDecimal.sumAll(activeMatches.map(({ amount }) => amount))
  const remaining_amount = BigDecimal.subtract(BigDecimal.abs(line.amount), matched_amount)
  const is_whole = !BigDecimal.isPositive(remaining_amount)
  const settled = is_whole ? undone : [...undone, ...activeMatches]
  const suggestion = settled.some((match) => wasSuggested(line, match)) ? null : line.suggestion
  const status = is_whole
    ? activeMatches.every(({ exclude }) => exclude !== null)
      ? "excluded"
      : "matched"
    : BigDecimal.isGreaterThan(matched_amount, zero)
      ? "partially_matched"
      : suggestion === null
        ? "unmatched"
        : "suggested"
  return {
    ...line,
    suggestion,
    status,
    matched_amount,
    remaining_amount,
    invoice_id: activeMatches.find(({ invoice_id }) => invoice_id !== null)?.invoice_id ?? null,
    expense_id: activeMatches.find(({ expense_id }) => expense_id !== null)?.expense_id ?? null,
    matches: activeMatches.map(partOf),
    version: line.version + 1
  }
}

type Ended = Omit<MatchFacts, "id" | "explanation">

type Follows = (match: Ended, id: number) => boolean

/**
 * Tells for each kind of suggestion whether a match followed it. If a user undoes such a match, the line loses the
 * suggestion.
 */
const follows: { readonly [Type in string]?: Follows } = {
  invoice: ({ invoice_id }, id) => invoice_id === id,
  expense: ({ expense_id }, id) => expense_id === id,
  credit_note: ({ credit_note_id }, id) => credit_note_id === id,
  refund: ({ payment_refund_id }, id) => payment_refund_id === id,
  rule: ({ created_money_record }) => created_money_record,
  transfer: ({ transfer_transaction_id }, id) => transfer_transaction_id === id,
  fee: ({ exclude }) => exclude?.reason === "fee"
} satisfies Readonly<Record<SuggestionType, Follows>>

/** True if the suggestion of the line proposed the match. */
export const wasSuggested = ({ suggestion }: Pick<BankTransaction, "suggestion">, match: Ended): boolean =>
  suggestion !== null && (suggestion.documents ?? [suggestion]).some(({ id, type }) => follows[type]?.(match, id))

/** Returns the records whose locks are needed to undo a match. */
export const heldBy = ({ credit_note_id, expense_id, invoice_id }: MatchFacts): Allocation => ({
  ...(invoice_id === null ? {} : { invoice_id }),
  ...(expense_id === null ? {} : { expense_id }),
  ...(credit_note_id === null ? {} : { credit_note_id })
})
