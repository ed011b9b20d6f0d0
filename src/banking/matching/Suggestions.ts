import { Context, Effect, Layer } from "effect"
import { addDays, today as todayIn } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { BankTransactionId, CounterpartyId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { BankRule } from "../rules/BankRule.ts"
import type { StoredSuggestion } from "./StoredSuggestion.ts"
import { inTurns } from "../Turns.ts"
import type { Candidate } from "./Candidate.ts"
import { CandidatesRepo } from "./CandidatesRepo.ts"
import { habitsOf } from "./Habits.ts"
import { type Finding, type Matcher, matcher } from "./Matcher.ts"
import { quotedKeys } from "./quotes/Quotes.ts"
import { type MatchedLine, quotingText } from "./Subject.ts"

/** Age up to which documents are candidates: 18 months. */
const candidate_days_max = 548

/** Finds documents for bank lines of the current organization. */
export class Suggestions extends Context.Service<
  Suggestions,
  {
    /** Prepares a matcher of these lines, all in one currency, for the documents that are open now. */
    readonly matcher: (
      currency: CurrencyCode,
      lines: ReadonlyArray<MatchedLine>
    ) => Effect.Effect<Matcher, never, CurrentOrganization>
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

      const prepared = Effect.fn("Suggestions.matcher")(function* (
        currency: CurrencyCode,
        lines: ReadonlyArray<MatchedLine>
      ) {
        const { id: organization_id, settings, timezone } = yield* CurrentOrganization
        const since = addDays(yield* todayIn(timezone), -candidate_days_max)
        const open = yield* repo.open(organization_id, currency, since)
        const ibans = new Set(lines.flatMap(({ counterparty_iban }) => counterparty_iban ?? []))
        const owners = new Map<string, Set<CounterpartyId>>()
        for (const { counterparty_id, iban } of yield* repo.owners(organization_id, [...ibans])) {
          owners.set(iban, (owners.get(iban) ?? new Set()).add(counterparty_id))
        }
        const habits = habitsOf(yield* repo.confirmed(organization_id))
        let quoted: ReadonlyMap<string, string> = new Map()
        const quotedElsewhere = (text: string) => {
          if (quoted.size === 0) return undefined
          const { endings, exact } = quotedKeys(text)
          return [...exact, ...endings].map((key) => quoted.get(key)).find((number) => number !== undefined)
        }
        const auto_threshold = settings.reconciliation_auto_threshold
        const found = yield* matcher(open, { auto_threshold, owners, habits, quotedElsewhere })
        const findings = yield* inTurns(lines, (line) => Effect.sync(() => found.find(line)))
        const first = new Map(lines.map((line, index) => [line, findings[index]]))
        // Only a line that would get a suggestion is searched for documents that forbid the suggestion.
        const suggested = lines.filter((line) => first.get(line)?._tag !== "None")
        quoted = yield* quotedOf(organization_id, suggested, found)
        let is_taken = false
        const find: Matcher["find"] = (line, isDeclined) => {
          const finding = first.get(line)
          if (finding?._tag === "None") return finding
          const is_final = !is_taken && isDeclined === undefined && quotedElsewhere(quotingText(line)) === undefined
          return finding !== undefined && is_final ? finding : found.find(line, isDeclined)
        }
        const take: Matcher["take"] = (document, amount) => {
          is_taken = true
          found.take(document, amount)
        }
        return { ...found, find, take }
      })

      /** Finds the documents that lines quote and that are not among the candidates, by the quoted text. */
      const quotedOf = Effect.fnUntraced(function* (
        organization_id: Parameters<typeof repo.quoted>[0],
        lines: ReadonlyArray<MatchedLine>,
        { has }: Matcher
      ) {
        const keys = yield* inTurns(lines, (line) => Effect.sync(() => quotedKeys(quotingText(line))))
        const exact = new Set(keys.flatMap((each) => each.exact))
        const endings = new Set(keys.flatMap((each) => each.endings))
        const rows = yield* repo.quoted(organization_id, [...exact], [...endings])
        return new Map(rows.flatMap(({ id, key, number, type }) => (has({ id, type }) ? [] : [[key, number] as const])))
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

/** The suggestion that is stored with a line: the documents found, else the rule that applies, else null. */
export const suggestionOf = (finding: Finding, rule: Pick<BankRule, "id"> | undefined): StoredSuggestion | null => {
  if (finding._tag !== "None") {
    const { difference, documents, score, signals } = finding.best
    const { id, type } = documents[0].candidate
    const parts = documents.map(({ candidate, open }) => ({ type: candidate.type, id: candidate.id, amount: open }))
    return { type, id, score, signals, difference, ...(parts.length > 1 ? { documents: parts } : {}) }
  }
  return rule === undefined ? null : { type: "rule", id: rule.id, score: 0, signals: [], difference: null }
}
