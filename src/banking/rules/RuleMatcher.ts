import { BigDecimal, Clock, Context, Effect, Fiber, Layer, Schema } from "effect"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { BankRuleId, OrganizationId } from "../../kernel/Ids.ts"
import { childPool } from "../../platform/children/ChildPool.ts"
import { fairTurns } from "../../platform/children/FairTurns.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { BankRule } from "./BankRule.ts"
import type { Condition } from "./Condition.ts"
import { RuleCheckUnavailable, type RuleStop } from "./RuleErrors.ts"
import { type ActiveRule, asActive, BankRulesRepo } from "./BankRulesRepo.ts"
import { type DecidedLines, matchHere, type RuledLine, type StoredRule } from "./RuleEngine.ts"
import { ruleChild } from "./RuleChild.ts"
import { CheckAnswer, type CheckJob, MatchAnswer, type MatchJob } from "./RuleJob.ts"

const megabyte = 1_000_000

/** One child process serves all organizations in turns, so rules use at most one processor core. */
const limits = {
  size: 1,
  start_duration_max: "1 minute",
  job_duration_max: "30 seconds",
  job_cpu_max: "10 seconds",
  heap_megabytes_max: 512,
  memory_bytes_max: 1_000 * megabyte,
  memory_bytes_kept_max: 600 * megabyte,
  jobs_per_child_max: 100_000,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "30 seconds",
  low_priority: true
} as const

/** Callers that wait for longer have given up, so their turns are not needed any more. */
const turn_limits = {
  size: limits.size,
  held_per_owner_max: 1,
  waiting_max: 1_000,
  waiting_per_owner_max: 100,
  waiting_duration_max: "40 seconds"
} as const

/** Duration of an organization's turn in the child process; a rule with 20 slow expressions may exceed it. */
const turn_ms = 100
const lines_per_turn_min = 5
const lines_per_turn_max = 500
const characters_per_turn_max = 262_144

/**
 * If an organization's rules have at most this number of conditions, they are applied in this process first. A line then
 * takes 0.5 ms, at worst 6 ms, and other requests run between the lines.
 */
const conditions_here_max = 2_000

/** Time limits for applying rules in one request. */
interface RuleBudget {
  /** Maximum processor time in this process. The child process applies the rules to the lines that are left. */
  readonly here_ms_max: number
  /** Maximum processor time in the child process. */
  readonly cpu_ms_max: number
  /** Maximum elapsed time in the child process, including all waiting. */
  readonly wait_ms_max: number
  /** Maximum processor time of one rule for one line; a rule that exceeds it twice is skipped. Null: no limit. */
  readonly rule_ms_max: number | null
}

export const ruleBudgets = {
  import: { here_ms_max: 1_000, cpu_ms_max: 5_000, wait_ms_max: 20_000, rule_ms_max: 50 },
  many: { here_ms_max: 1_000, cpu_ms_max: 3_000, wait_ms_max: 15_000, rule_ms_max: null },
  one: { here_ms_max: 1_000, cpu_ms_max: 1_000, wait_ms_max: 5_000, rule_ms_max: null }
} as const satisfies Record<string, RuleBudget>

/** Maximum time for checking all expressions of a rule. On a busy machine, starting the child takes most of it. */
const check_wait_max = "40 seconds"

export type AppliedRule = Pick<BankRule, "id" | "auto_add" | "actions">

interface Ruled {
  /** The rule of each line; undefined if no rule applies, or if the rules were not applied to the line. */
  readonly rules: ReadonlyArray<AppliedRule | undefined>
  /** Positions of the lines to which the rules were not applied: a rule that was not tested might apply to them. */
  readonly unruled: ReadonlySet<number>
  /** Null if the rules were applied to all lines. */
  readonly stopped: RuleStop | null
  /** Rules with a regular expression that cannot be compiled; they never apply. */
  readonly refused: ReadonlyArray<BankRuleId>
  /** Rules that were skipped, because their regular expressions take too long. */
  readonly slow: ReadonlyArray<BankRuleId>
}

/** The active rules of an organization at one moment. All calls of `ruled` share one time budget. */
export interface RuleRun {
  readonly rules: ReadonlyMap<BankRuleId | null, AppliedRule>
  readonly ruled: (lines: ReadonlyArray<RuledLine>) => Effect.Effect<Ruled>
}

/**
 * Finds the rules of bank lines. Regular expressions and very many rules run in a child process, which organizations use
 * in fair turns.
 */
export class RuleMatcher extends Context.Service<
  RuleMatcher,
  {
    readonly check: (
      conditions: ReadonlyArray<Condition>
    ) => Effect.Effect<void, ValidationFailed | RuleCheckUnavailable, CurrentOrganization>
    /** Loads the active rules. If a draft is given, it replaces the stored rule with the same id. */
    readonly start: (budget: RuleBudget, draft?: BankRule) => Effect.Effect<RuleRun, never, CurrentOrganization>
  }
>()("invoicing/banking/rules/RuleMatcher") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankRulesRepo
      const turn = yield* childTurns
      let runs = 0

      const check = Effect.fn("RuleMatcher.check")(
        function* (conditions: ReadonlyArray<Condition>) {
          const { id } = yield* CurrentOrganization
          const errors: Record<string, ReadonlyArray<string>> = {}
          for (const [index, condition] of conditions.entries()) {
            if (condition.type !== "remittance_regex") continue
            const problem = yield* problemOf(turn(id, { pattern: condition.value }))
            const field = `conditions.${index}.value`
            if (problem !== null) errors[field] = [`The ${field} field ${problem}`]
          }
          if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
        },
        Effect.timeoutOrElse({ duration: check_wait_max, orElse: () => notChecked("no process is ready in time") })
      )

      const start = Effect.fn("RuleMatcher.start")(function* (budget: RuleBudget, draft?: BankRule) {
        const { id: organization_id } = yield* CurrentOrganization
        const others = (yield* repo.active({ organization_id })).filter(({ id }) => id !== draft?.id)
        const drafted = draft?.is_active === true ? [yield* asActive(draft)] : []
        const rules = [...others, ...drafted].toSorted((a, b) => a.priority - b.priority || a.id - b.id)
        const byId = new Map<BankRuleId | null, AppliedRule>(rules.map((rule) => [rule.id, rule]))
        const conditions = rules.reduce((sum, { conditions_count }) => sum + conditions_count, 0)
        const tests = rules.map(testPart)
        const here = conditions <= conditions_here_max ? yield* matchHere(tests, budget.here_ms_max) : decidesNothing
        const apart = matchApart((job) => turn(organization_id, job), { key: String(++runs), rules: tests }, budget)

        const ruled = Effect.fn("RuleMatcher.ruled")(function* (lines: ReadonlyArray<RuledLine>) {
          const decided = yield* here(lines)
          const open = lines.flatMap((line, position) => (decided.has(position) ? [] : [{ line, position }]))
          const { rule_ids, ...found } = yield* apart(open.map(({ line }) => line))
          for (const [index, { position }] of open.slice(0, rule_ids.length).entries()) {
            decided.set(position, rule_ids[index] ?? null)
          }
          const unruled = new Set(open.slice(rule_ids.length).map(({ position }) => position))
          return { ...found, unruled, rules: lines.map((_, position) => byId.get(decided.get(position) ?? null)) }
        })
        return { rules: byId, ruled }
      })

      return RuleMatcher.of({ check, start })
    })
  ).pipe(Layer.provide(BankRulesRepo.layer))
}

/** Lets organizations use the child process in turns. */
const childTurns = Effect.gen(function* () {
  const pool = yield* childPool({ ...limits, entry: ruleChild })
  const { inTurn } = fairTurns(turn_limits)
  const scope = yield* Effect.scope
  // A disconnecting client must not interrupt its turn, because that would kill the shared child process.
  return (organization_id: OrganizationId, job: CheckJob | MatchJob) =>
    inTurn(organization_id)(Effect.flatMap(Effect.forkIn(pool.run(job), scope), Fiber.join))
})
type Turn = Effect.Success<typeof childTurns>
type Asked = ReturnType<Turn>

const decodeCheck = Schema.decodeUnknownEffect(CheckAnswer)
const decodeMatch = Schema.decodeUnknownEffect(MatchAnswer)

const notChecked = (reason: string) =>
  Effect.andThen(Effect.logError(`regular expressions are not checked: ${reason}`), RuleCheckUnavailable.of())

const problemOf = (asked: Asked) =>
  asked.pipe(
    Effect.flatMap((answer) => Effect.orDie(decodeCheck(answer))),
    Effect.map(({ problem }) => problem),
    Effect.catchTags({
      ChildTimedOut: ({ limit }) =>
        limit === "cpu" ? Effect.succeed("takes too long to compile.") : notChecked("it takes too long"),
      ChildFailed: ({ cause, reason }) =>
        cause === "ended" ? notChecked(reason) : Effect.succeed("takes too much memory to compile."),
      NoTurn: () => notChecked("too many requests wait for the process"),
      ChildUnavailable: ({ reason }) => notChecked(reason)
    })
  )

interface RuleSet {
  readonly key: string
  readonly rules: ReadonlyArray<typeof StoredRule.Encoded>
}

interface Found extends Pick<Ruled, "refused" | "slow" | "stopped"> {
  /** The rule of each line; the last lines are missing if the work stopped before them. */
  readonly rule_ids: ReadonlyArray<BankRuleId | null>
}

/** Applies rules turn by turn, until all lines are decided or the time budget is used up. */
const matchApart = (turn: (job: MatchJob) => Asked, { key, rules }: RuleSet, budget: RuleBudget) => {
  let cpu_ms = 0
  let wait_ms = 0
  let stopped: RuleStop | null = null
  let is_known = false
  let lines_next = lines_per_turn_max
  const slow = new Set<BankRuleId>()

  return Effect.fnUntraced(function* (lines: ReadonlyArray<RuledLine>) {
    const rule_ids: Array<BankRuleId | null> = []
    const refused = new Set<BankRuleId>()
    let first_rule = 0
    const work = Effect.gen(function* () {
      while (rule_ids.length < lines.length && cpu_ms < budget.cpu_ms_max) {
        const part = linesOfTurn(lines, rule_ids.length, lines_next)
        const { rule_ms_max } = budget
        const asked = { rules_key: key, lines: part, first_rule, duration_ms_max: turn_ms, rule_ms_max }
        const answer = yield* Effect.orDie(decodeMatch(yield* turn({ ...asked, rules: is_known ? null : rules })))
        is_known = !("rules_unknown" in answer)
        if ("rules_unknown" in answer) continue
        rule_ids.push(...answer.rule_ids)
        for (const id of answer.refused) refused.add(id)
        for (const id of answer.slow) slow.add(id)
        // If few lines were decided in this turn, the expressions are slow, so the next turn gets fewer lines.
        lines_next = Math.min(lines_per_turn_max, lines_per_turn_min + 2 * answer.rule_ids.length)
        first_rule = answer.next_rule
        cpu_ms += answer.cpu_ms
      }
    })
    const stop = (reason: RuleStop, cause: string) => {
      stopped = reason
      return Effect.logWarning(`bank rules are not applied to all lines: ${cause}`)
    }
    const started = yield* Clock.currentTimeMillis
    if (stopped === null && lines.length > 0) {
      yield* work.pipe(
        Effect.timeoutOrElse({
          duration: Math.max(0, budget.wait_ms_max - wait_ms),
          orElse: () => stop("busy", `their process used only ${Math.round(cpu_ms)} ms of processor time in time`)
        }),
        Effect.catch((error) => stop(isOfRules(error) ? "slow" : "busy", error._tag))
      )
    }
    wait_ms += (yield* Clock.currentTimeMillis) - started
    if (stopped === null && rule_ids.length < lines.length) yield* stop("slow", "they take too much processor time")
    const found: Found = {
      rule_ids,
      refused: [...refused],
      slow: [...slow],
      stopped: rule_ids.length < lines.length ? stopped : null
    }
    return found
  })
}

/** True if the rules themselves caused the failure, because they take too much processor time or memory. */
const isOfRules = (error: Effect.Error<Asked>): boolean =>
  (error._tag === "ChildTimedOut" && error.limit === "cpu") || (error._tag === "ChildFailed" && error.cause !== "ended")

const linesOfTurn = (lines: ReadonlyArray<RuledLine>, start: number, count: number): MatchJob["lines"] => {
  let characters = 0
  const part: Array<MatchJob["lines"][number]> = []
  for (const line of lines.slice(start, start + count)) {
    const { bank_account_id, counterparty_iban, counterparty_name, currency, reference, remittance_text } = line
    const texts = { counterparty_iban, counterparty_name, reference, remittance_text }
    part.push({ ...texts, bank_account_id, currency, amount: BigDecimal.format(line.amount) })
    characters += remittance_text.length
    if (characters > characters_per_turn_max) break
  }
  return part
}

const testPart = (rule: ActiveRule): typeof StoredRule.Encoded => {
  const { actions, bank_account_id, conditions, direction, id } = rule
  return { id, bank_account_id, direction, conditions, document_type: actions.document_type ?? null }
}

const decidesNothing = () => Effect.succeed<DecidedLines>(new Map())
