import { Effect, Result, Schema } from "effect"
import { BankRuleId } from "../../kernel/Ids.ts"
import { compileRegex, problemOf, type Regex } from "./Regex.ts"
import { RuleLine, ruleEngine, StoredRule, trialOf } from "./RuleEngine.ts"

const CheckJob = Schema.Struct({ pattern: Schema.String })

const MatchJob = Schema.Struct({
  /** The child process caches the latest rules by this key, so that further jobs need not contain them. */
  rules_key: Schema.String,
  rules: Schema.NullOr(Schema.Array(StoredRule)),
  lines: Schema.Array(RuleLine),
  /** Position in `rules` where the search continues; the rules before it do not apply to the first line. */
  first_rule: Schema.Int,
  duration_ms_max: Schema.Finite,
  /** Maximum processor time of one rule for one line; a rule that takes longer is slow. Null for no limit. */
  rule_ms_max: Schema.NullOr(Schema.Finite)
})

const RuleJob = Schema.Union([CheckJob, MatchJob])
export type CheckJob = typeof CheckJob.Encoded
export type MatchJob = typeof MatchJob.Encoded

export const CheckAnswer = Schema.Struct({ problem: Schema.NullOr(Schema.String) })

export const MatchAnswer = Schema.Union([
  /** The child process does not have the rules that belong to the key, e.g. because it was restarted. */
  Schema.Struct({ rules_unknown: Schema.Literal(true) }),
  Schema.Struct({
    /** The rule of each decided line, in the order of the lines; null when no rule applies. */
    rule_ids: Schema.Array(Schema.NullOr(BankRuleId)),
    /** Position of the rule with which the next job continues for the first undecided line. */
    next_rule: Schema.Int,
    /** Rules that never apply, because one of their regular expressions cannot be compiled. */
    refused: Schema.Array(BankRuleId),
    /** Rules that are no longer tested, because their regular expressions take too long. */
    slow: Schema.Array(BankRuleId),
    cpu_ms: Schema.Finite
  })
])

const decodeJob = Schema.decodeUnknownEffect(RuleJob)

const regexes_max = 2_000
/** Heap size at which all compiled expressions are discarded. An expression grows by some 10 MB while it is used. */
const heap_bytes_kept_max = 200_000_000
const rule_sets_max = 8
/** A rule is skipped after this number of slow lines. A single line may be slow because of the garbage collector. */
const slow_lines_max = 2

/** Runs in the child process: executes jobs, and caches compiled expressions and rule engines. */
export const ruleWorker = () => {
  const regexes = latest<Regex | null>(regexes_max)
  const engines = latest<{ readonly search: ReturnType<typeof ruleEngine>; readonly slowness: Slowness }>(rule_sets_max)

  const regexOf = (pattern: string): Regex | null => {
    const known = regexes.get(pattern)
    return known === undefined ? regexes.set(pattern, Result.getOrNull(compileRegex(pattern))) : known
  }

  const match = ({ duration_ms_max, first_rule, lines, rule_ms_max, rules, rules_key }: typeof MatchJob.Type) => {
    if (process.memoryUsage().heapUsed > heap_bytes_kept_max) regexes.clear()
    const engine =
      rules === null
        ? engines.get(rules_key)
        : engines.set(rules_key, {
            search: ruleEngine(rules.map(trialOf)),
            slowness: slownessOf(rule_ms_max ?? Infinity)
          })
    if (engine === undefined) return { rules_unknown: true as const }
    const { search, slowness } = engine
    slowness.begin()

    const end = performance.now() + duration_ms_max
    const refused = new Set<BankRuleId>()
    const options = {
      testRegex: (pattern: string, text: string) => regexOf(pattern)?.test(text),
      isOver: (tested?: BankRuleId) => slowness.note(tested) >= end,
      isSlow: slowness.isSlow,
      refused: (id: BankRuleId) => void refused.add(id)
    }
    const rule_ids: Array<BankRuleId | null> = []
    let next_rule = first_rule
    for (const line of lines) {
      const found = search(line, next_rule, options)
      next_rule = found._tag === "Paused" ? found.next_rule : 0
      if (found._tag === "Paused") break
      rule_ids.push(found.rule_id)
    }
    return { rule_ids, next_rule, refused: [...refused], slow: slowness.slow() }
  }

  return Effect.fnUntraced(function* (job: unknown) {
    const before = process.cpuUsage()
    const asked = yield* decodeJob(job)
    if ("pattern" in asked) return { problem: problemOf(asked.pattern) }
    const found = match(asked)
    const { system, user } = process.cpuUsage(before)
    return { ...found, cpu_ms: (system + user) / 1000 }
  })
}

const timesNow = () => {
  const { system, user } = process.threadCpuUsage()
  return { now: performance.now(), cpu: (system + user) / 1000 }
}

type Slowness = ReturnType<typeof slownessOf>

/**
 * Finds slow rules. Elapsed time is cheap to read, but includes time in which the process was suspended. So the
 * processor time of a rule is read, but only if its elapsed time exceeds the limit.
 */
const slownessOf = (rule_ms_max: number) => {
  const lines = new Map<BankRuleId, number>()
  let noted = { now: 0, cpu: 0 }
  let before = 0
  return {
    begin: () => {
      noted = timesNow()
      before = noted.now
    },
    /** Records that a rule was tested, and returns the current time. */
    note: (tested: BankRuleId | undefined): number => {
      const now = performance.now()
      if (tested !== undefined && now - before > rule_ms_max) {
        const at = timesNow()
        // The processor time since `noted` includes earlier rules. They used at most their elapsed time, which is
        // subtracted.
        if (at.cpu - noted.cpu - (before - noted.now) > rule_ms_max) lines.set(tested, (lines.get(tested) ?? 0) + 1)
        noted = at
      }
      before = now
      return now
    },
    isSlow: (id: BankRuleId): boolean => (lines.get(id) ?? 0) >= slow_lines_max,
    slow: (): ReadonlyArray<BankRuleId> => [...lines].flatMap(([id, count]) => (count >= slow_lines_max ? [id] : []))
  }
}

/** Makes a map of at most `size_max` values. When it is full, it discards the value that was added first. */
const latest = <A>(size_max: number) => {
  const values = new Map<string, A>()
  return {
    get: (key: string): A | undefined => values.get(key),
    set: (key: string, value: A): A => {
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > size_max && oldest !== undefined) values.delete(oldest)
      return value
    },
    clear: () => values.clear()
  }
}
