import { Context, Effect, Layer } from "effect"
import { addDays } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { CounterpartiesRepo } from "../counterparties/CounterpartiesRepo.ts"
import type { Candidate } from "./candidates/Candidate.ts"
import { CandidatesRepo } from "./CandidatesRepo.ts"
import { type DocumentSource, lineMatcher, type RecordedQuery } from "./LineMatcher.ts"
import type { Matcher } from "./Matcher.ts"
import type { MatchedLine } from "./candidates/Subject.ts"

/** Maximum age of a suggested document in days (18 months). */
const candidate_days_max = 548

export class Suggestions extends Context.Service<
  Suggestions,
  {
    readonly source: (currency: CurrencyCode) => Effect.Effect<DocumentSource, never, CurrentOrganization>
    readonly matcher: (
      currency: CurrencyCode,
      lines: ReadonlyArray<MatchedLine>
    ) => Effect.Effect<Matcher, never, CurrentOrganization>
    /**
     * Returns a function that tells whether it is settled what a line pays of a document: nothing, because a user has
     * undone their match, or the part of the line that is matched.
     */
    readonly settled: (
      ids: ReadonlyArray<BankTransactionId>
    ) => Effect.Effect<(id: BankTransactionId, candidate: Candidate) => boolean, never, CurrentOrganization>
  }
>()("invoicing/banking/matching/Suggestions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CandidatesRepo
      const parties = yield* CounterpartiesRepo

      const source = Effect.fnUntraced(function* (currency: CurrencyCode) {
        const { id: organization_id, settings } = yield* CurrentOrganization
        const since = addDays(yield* todayHere, -candidate_days_max)
        return {
          auto_threshold: settings.reconciliation_auto_threshold,
          candidates: repo.open(organization_id, currency, since),
          recorded: (query: RecordedQuery) => repo.recorded(organization_id, currency, query),
          owners: (ibans: ReadonlyArray<string>) => parties.owners(organization_id, ibans),
          confirmed: repo.confirmed(organization_id),
          mentioned: (exact: ReadonlyArray<string>, endings: ReadonlyArray<string>) =>
            repo.mentioned(organization_id, exact, endings)
        }
      })

      const matcher = Effect.fn("Suggestions.matcher")(function* (
        currency: CurrencyCode,
        lines: ReadonlyArray<MatchedLine>
      ) {
        return yield* lineMatcher(yield* source(currency), lines)
      })

      const settled = Effect.fn("Suggestions.settled")(function* (ids: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const pairs = ids.length === 0 ? [] : yield* repo.settled({ organization_id, transaction_ids: ids })
        const known = new Set(
          pairs.map(({ bank_transaction_id, credit_note_id, expense_id, invoice_id, payment_refund_id }) => {
            if (payment_refund_id !== null) return pairOf(bank_transaction_id, "refund", payment_refund_id)
            if (credit_note_id !== null) return pairOf(bank_transaction_id, "credit_note", credit_note_id)
            return pairOf(
              bank_transaction_id,
              invoice_id === null ? "expense" : "invoice",
              invoice_id ?? expense_id ?? 0
            )
          })
        )
        return (id: BankTransactionId, { id: document, type }: Candidate) => known.has(pairOf(id, type, document))
      })

      return Suggestions.of({ source, matcher, settled })
    })
  ).pipe(Layer.provide([CandidatesRepo.layer, CounterpartiesRepo.layer]))
}

const pairOf = (id: number, type: Candidate["type"], document: number): string => `${id} ${type} ${document}`
