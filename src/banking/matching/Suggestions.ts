import { Context, Effect, Layer } from "effect"
import { addDays, today as todayIn } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { Candidate } from "./Candidate.ts"
import { CandidatesRepo } from "./CandidatesRepo.ts"
import { type DocumentSource, lineMatcher } from "./LineMatcher.ts"
import type { Matcher } from "./Matcher.ts"
import type { MatchedLine } from "./Subject.ts"

/** Documents that are older than this number of days (18 months) are not suggested. */
const candidate_days_max = 548

/** Finds documents for bank lines of the current organization. */
export class Suggestions extends Context.Service<
  Suggestions,
  {
    /**
     * Returns functions that read the documents in this currency that are open now, and the data about their payers.
     */
    readonly source: (currency: CurrencyCode) => Effect.Effect<DocumentSource, never, CurrentOrganization>
    /** Prepares a matcher for lines that are all in one currency, with the documents that are currently open. */
    readonly matcher: (
      currency: CurrencyCode,
      lines: ReadonlyArray<MatchedLine>
    ) => Effect.Effect<Matcher, never, CurrentOrganization>
    /** Returns a function that tells whether a user has undone a match of a line and a document. */
    readonly declined: (
      ids: ReadonlyArray<BankTransactionId>
    ) => Effect.Effect<(id: BankTransactionId, candidate: Candidate) => boolean, never, CurrentOrganization>
  }
>()("invoicing/banking/matching/Suggestions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CandidatesRepo

      const source = Effect.fnUntraced(function* (currency: CurrencyCode) {
        const { id: organization_id, settings, timezone } = yield* CurrentOrganization
        const since = addDays(yield* todayIn(timezone), -candidate_days_max)
        return {
          auto_threshold: settings.reconciliation_auto_threshold,
          candidates: repo.open(organization_id, currency, since),
          owners: (ibans: ReadonlyArray<string>) => repo.owners(organization_id, ibans),
          confirmed: repo.confirmed(organization_id),
          quoted: (exact: ReadonlyArray<string>, endings: ReadonlyArray<string>) =>
            repo.quoted(organization_id, exact, endings)
        }
      })

      const matcher = Effect.fn("Suggestions.matcher")(function* (
        currency: CurrencyCode,
        lines: ReadonlyArray<MatchedLine>
      ) {
        return yield* lineMatcher(yield* source(currency), lines)
      })

      const declined = Effect.fn("Suggestions.declined")(function* (ids: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const pairs = ids.length === 0 ? [] : yield* repo.declined({ organization_id, transaction_ids: ids })
        const known = new Set(
          pairs.map(({ bank_transaction_id, credit_note_id, expense_id, invoice_id }) => {
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

      return Suggestions.of({ source, matcher, declined })
    })
  ).pipe(Layer.provide(CandidatesRepo.layer))
}

const pairOf = (id: number, type: Candidate["type"], document: number): string => `${id} ${type} ${document}`
