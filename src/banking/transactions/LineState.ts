import { BigDecimal } from "effect"
import { zero } from "../../kernel/Money.ts"
import type { BankTransaction } from "./BankTransaction.ts"
import { type MatchFacts, partOf } from "./MatchFacts.ts"

/** The line loses its suggestion if one of the undone matches followed it. */
export const withMatches = (
  line: BankTransaction,
  activeMatches: ReadonlyArray<MatchFacts>,
  undone: ReadonlyArray<MatchFacts>
): BankTransaction => {
  const matched_amount = BigDecimal.sumAll(activeMatches.map(({ amount }) => amount))
  const remaining_amount = BigDecimal.subtract(BigDecimal.abs(line.amount), matched_amount)
  const suggestion = undone.some((match) => wasSuggested(line, match)) ? null : line.suggestion
  const status = !BigDecimal.isPositive(remaining_amount)
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

/** A suggestion whose match a user has undone is not made again. */
const wasSuggested = ({ suggestion }: BankTransaction, match: MatchFacts): boolean => {
  if (suggestion === null) return false
  if (suggestion.type === "rule") return match.created_money_record
  if (suggestion.type === "transfer") return suggestion.id === match.transfer_transaction_id
  if (suggestion.type === "fee") return match.exclude?.reason === "fee"
  const documents = suggestion.documents ?? [suggestion]
  return documents.some(({ id, type }) => id === (type === "invoice" ? match.invoice_id : match.expense_id))
}
