import { Array as Arr, Cause, Clock, Context, Effect, Equal, Layer, Option, Schema } from "effect"
import type { BankTransactionId, OrganizationId } from "../../kernel/Ids.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { Finding } from "../matching/Matcher.ts"
import { feeSuggestion, StoredSuggestion, storedSuggestion } from "../matching/StoredSuggestion.ts"
import { Suggestions } from "../matching/Suggestions.ts"
import { type AppliedRule, ruleBudgets, RuleMatcher } from "../rules/RuleMatcher.ts"
import { inTurns, thenResting } from "../Turns.ts"
import { type OpenLine, OpenLinesRepo } from "../transactions/OpenLinesRepo.ts"
import { SuggestionRefreshesRepo } from "./SuggestionRefreshesRepo.ts"

export class SuggestionRefreshes extends Context.Service<
  SuggestionRefreshes,
  {
    /** Refreshes the suggestions of changed organizations, one after the other, for a limited time. */
    readonly run: Effect.Effect<void>
  }
>()("invoicing/banking/refreshes/SuggestionRefreshes") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SuggestionRefreshesRepo
      const openLines = yield* OpenLinesRepo
      const organizations = yield* Organizations
      const suggestions = yield* Suggestions
      const matching = yield* RuleMatcher

      /** Finds documents as an import does, except those with which the line is or was matched. */
      const findingsOf = Effect.fnUntraced(function* (lines: ReadonlyArray<OpenLine>) {
        const matched = lines.filter(({ has_matches }) => has_matches)
        const isSettled = yield* suggestions.settled(matched.map(({ id }) => id))
        const findings = new Map<BankTransactionId, Finding>()
        for (const [currency, part] of Map.groupBy(lines, (line) => line.currency)) {
          const { find } = yield* suggestions.matcher(currency, part)
          const add = (line: OpenLine) => {
            const settled = (candidate: Parameters<typeof isSettled>[1]) => isSettled(line.id, candidate)
            findings.set(line.id, line.has_matches ? find(line, settled) : find(line))
          }
          yield* inTurns(part, (line) => Effect.sync(() => add(line)))
        }
        return findings
      })

      /**
       * Finds the rule of each line. A line to which the rules are not applied in time keeps its suggested rule if that is
       * active. `is_complete` is false if another try may apply them.
       */
      const rulesOf = Effect.fnUntraced(function* (lines: ReadonlyArray<OpenLine>) {
        const { ruled, rules } = yield* matching.start(ruleBudgets.many)
        const found = new Map<BankTransactionId, AppliedRule | undefined>()
        let is_complete = true
        for (const chunk of rules.size === 0 ? [] : Arr.chunksOf(lines, ruled_lines_max)) {
          const { rules: known, stopped, unruled } = yield* ruled(chunk)
          if (stopped === "busy") is_complete = false
          for (const [index, { id, suggestion }] of chunk.entries()) {
            const kept = suggestion?.type === "rule" ? activeRule(rules, suggestion) : undefined
            found.set(id, unruled.has(index) ? kept : known[index])
          }
        }
        return { found, is_complete }
      })

      const refreshLines = Effect.fnUntraced(function* (organization_id: OrganizationId) {
        const lines = yield* openLines.latest(organization_id)
        const findings = yield* findingsOf(lines)
        const isKept = (line: OpenLine) => isTransferKept(line, findings)
        const unexplained = lines.filter(
          (line) =>
            findings.get(line.id)?._tag === "None" && !line.is_partial && !line.has_declined_rule && !isKept(line)
        )
        const { found: rules, is_complete } = yield* rulesOf(unexplained)
        const changed = yield* inTurns(lines, (line) =>
          Effect.sync(() => {
            const suggestion = isKept(line) ? line.suggestion : newSuggestion(line, findings, rules)
            return Equal.equals(suggestion, line.suggestion) ? [] : [{ ...line, suggestion }]
          })
        )
        let left = 0
        for (const chunk of Arr.chunksOf(changed.flat(), rows_per_chunk)) {
          const rows = chunk.map(({ id, suggestion, version }) => ({ id, version, suggestion: encode(suggestion) }))
          left += chunk.length - (yield* thenResting(repo.suggest(organization_id, rows)))
        }
        return left === 0 && is_complete
      })

      /** True if all lines are refreshed. A failure is logged and retried later, so nobody else has to wait. */
      const isRefreshed = Effect.fnUntraced(
        function* (organization_id: OrganizationId) {
          const organization = yield* organizations.get(organization_id)
          return yield* asSystem(organization)(refreshLines(organization_id))
        },
        Effect.timeout(refresh_duration_max),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.as(Effect.logWarning("suggestions of bank lines are not refreshed", cause), false)
        )
      )

      /** After a crash, another process repeats the refresh when the claim of the crashed process has expired. */
      const refresh = Effect.fn("SuggestionRefreshes.refresh")(function* (organization_id: OrganizationId) {
        yield* Effect.annotateCurrentSpan({ "organization.id": organization_id })
        const claim = yield* repo.claim(organization_id)
        if (Option.isNone(claim) || !claim.value.is_concerned) return
        const begun = yield* Clock.currentTimeMillis
        // A line that changed or was locked meanwhile is refreshed by the next run.
        const is_complete = yield* isRefreshed(organization_id).pipe(Effect.annotateLogs({ organization_id }))
        const position = is_complete ? claim.value.entries : 0
        const duration_ms = (yield* Clock.currentTimeMillis) - begun
        yield* repo.finish({ organization_id, position, duration_ms })
      })

      const run = Effect.gen(function* () {
        const begun = yield* Clock.currentTimeMillis
        for (const { organization_id } of yield* repo.due) {
          if ((yield* Clock.currentTimeMillis) - begun > run_ms_max) break
          yield* refresh(organization_id)
        }
      })

      return SuggestionRefreshes.of({ run })
    })
  ).pipe(
    Layer.provide([SuggestionRefreshesRepo.layer, OpenLinesRepo.layer, Organizations.layer]),
    Layer.provide([Suggestions.layer, RuleMatcher.layer])
  )
}

/**
 * Time after which a run begins no further refresh. A run starts every minute, so refreshes use about a third of a
 * processor.
 */
const run_ms_max = 20_000
/**
 * Maximum duration of a refresh. It is shorter than a process's claim on an organization, so that two processes never
 * refresh one organization at once.
 */
const refresh_duration_max = "4 minutes"
const ruled_lines_max = 500
/** Number of lines that one SQL statement changes. */
const rows_per_chunk = 250

const encode = Schema.encodeSync(Schema.toCodecJson(Schema.NullOr(StoredSuggestion)))

const activeRule = (rules: ReadonlyMap<unknown, AppliedRule>, { id }: StoredSuggestion) => rules.get(id)

/**
 * True if the line keeps its suggested transfer. Both lines must still suggest each other. Besides, one of them must
 * state the account of the other, or no document may match either of them.
 */
const isTransferKept = (line: OpenLine, findings: ReadonlyMap<number, Finding>): boolean => {
  const { id, is_mutual, is_partial, suggestion } = line
  if (suggestion?.type !== "transfer" || !is_mutual || is_partial) return false
  if (suggestion.signals.some(({ signal }) => signal === "own_account")) return true
  return [id, suggestion.id].every((side) => (findings.get(side)?._tag ?? "None") === "None")
}

/**
 * Returns the suggestion that an import would store for the line now, unless a user has undone that suggestion. What
 * remains of a partially matched line is only compared with documents, because rules and fees apply to whole lines.
 */
const newSuggestion = (
  line: OpenLine,
  findings: ReadonlyMap<number, Finding>,
  rules: ReadonlyMap<number, AppliedRule | undefined>
): StoredSuggestion | null => {
  const suggestion = storedSuggestion(findings.get(line.id) ?? { _tag: "None" }, rules.get(line.id))
  if (suggestion !== null || line.is_partial || line.has_declined_fee) return suggestion
  return feeSuggestion(line, line.bank_account_id)
}
