import { Context, Effect, Layer } from "effect"
import { addDays, today as todayIn } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { StoredSuggestion } from "../transactions/BankTransaction.ts"
import type { BankRule } from "../rules/BankRule.ts"
import type { Candidate } from "./Candidate.ts"
import { CandidatesRepo } from "./CandidatesRepo.ts"
import { type Finding, type Matcher, matcher } from "./Matcher.ts"

/** Age up to which documents are candidates: 18 months. */
const candidate_days_max = 548

/** Finds documents for bank lines of the current organization. */
export class Suggestions extends Context.Service<
  Suggestions,
  {
    /** Prepares a matcher for the documents that are open now. */
    readonly matcher: (currency: CurrencyCode) => Effect.Effect<Matcher, never, CurrentOrganization>
    /** Tells which pairs of a line and a document a user has unmatched. */
    readonly declined: (
      ids: ReadonlyArray<BankTransactionId>
    ) => Effect.Effect<(id: BankTransactionId, candidate: Candidate) => boolean, never, CurrentOrganization>
  }
>()("invoicing/banking/matching/Suggestions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CandidatesRepo

      const prepared = Effect.fn("Suggestions.matcher")(function* (currency: CurrencyCode) {
        const { id: organization_id, settings, timezone } = yield* CurrentOrganization
        const since = addDays(yield* todayIn(timezone), -candidate_days_max)
        const open = yield* repo.open(organization_id, currency, since)
        return yield* matcher(open, settings.reconciliation_auto_threshold)
      })

      const declined = Effect.fn("Suggestions.declined")(function* (ids: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const pairs = ids.length === 0 ? [] : yield* repo.declined({ organization_id, transaction_ids: ids })
        const known = new Set(
          pairs.map(({ bank_transaction_id, expense_id, invoice_id }) =>
            pairOf(bank_transaction_id, invoice_id === null ? "expense" : "invoice", invoice_id ?? expense_id ?? 0)
          )
        )
        return (id: BankTransactionId, { id: document, type }: Candidate) => known.has(pairOf(id, type, document))
      })

      return Suggestions.of({ matcher: prepared, declined })
    })
  ).pipe(Layer.provide(CandidatesRepo.layer))
}

const pairOf = (id: number, type: Candidate["type"], document: number): string => `${id} ${type} ${document}`

/** The suggestion that is stored with a line: the document found, else the rule that applies, else null. */
export const suggestionOf = (finding: Finding, rule: Pick<BankRule, "id"> | undefined): StoredSuggestion | null => {
  if (finding._tag === "Suggested" || finding._tag === "Ambiguous") {
    const { candidate, difference, score, signals } = finding.best
    return { type: candidate.type, id: candidate.id, score, signals, difference }
  }
  const [first] = finding._tag === "Combined" ? finding.parts : []
  if (first !== undefined) return { type: first.type, id: first.id, score: 0, signals: [], difference: null }
  return rule === undefined ? null : { type: "rule", id: rule.id, score: 0, signals: [], difference: null }
}
