import { BigDecimal, Effect, Schema } from "effect"
import { BankAccountId } from "../../kernel/Ids.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { folded, lettersAndDigits } from "../texts/Words.ts"
import { inTurns } from "../Turns.ts"
import { BankRule, DocumentType } from "./BankRule.ts"
import type { Condition } from "./Condition.ts"

const { bank_account_id, conditions, direction, id } = BankRule.fields

/** The part of a rule that decides to which lines it applies. */
export const RuleTest = Schema.Struct({
  id,
  bank_account_id,
  direction,
  conditions,
  document_type: Schema.NullOr(DocumentType)
})
export type RuleTest = typeof RuleTest.Type

/** A rule as stored. Its conditions are decoded only where they are tested, because there may be 10,000 of them. */
export const StoredRule = Schema.Struct({
  ...RuleTest.fields,
  conditions: Schema.fromJsonString(RuleTest.fields.conditions)
})

const RuledLine = Schema.Struct({
  bank_account_id: BankAccountId,
  amount: Schema.BigDecimal,
  currency: CurrencyCode,
  counterparty_name: Schema.NullOr(Schema.String),
  counterparty_iban: Schema.NullOr(Schema.String),
  remittance_text: Schema.String,
  reference: Schema.NullOr(Schema.String)
})
export type RuledLine = typeof RuledLine.Type

/** A bank line in the form in which it is sent to the child process. */
export const RuleLine = Schema.Struct({ ...RuledLine.fields, amount: Schema.BigDecimalFromString })

/** A line whose texts `folded` normalizes once, however many conditions compare them. */
interface Subject extends Omit<RuledLine, "amount"> {
  readonly is_debit: boolean
  readonly is_nothing: boolean
  readonly amount_absolute: BigDecimal.BigDecimal
  readonly texts: Readonly<Record<string, string>>
}

type Test = (subject: Subject) => boolean

/**
 * Tests a text that `folded` has normalized; undefined if the expression cannot be compiled, so the rule never applies.
 */
type RegexTest = (pattern: string, folded_text: string) => boolean | undefined

type Search =
  | { readonly _tag: "Decided"; readonly rule_id: BankRule["id"] | null }
  /** The rule at position `next_rule` is not tested, because the time ran out or because it needs an expression. */
  | { readonly _tag: "Paused"; readonly next_rule: number }

interface RuleEngineOptions {
  /** Null if no expression may run here. Then the search pauses before the first rule that needs one. */
  readonly testRegex: RegexTest | null
  /**
   * True if the time has run out. The engine calls this before each line, and after each rule with regular expressions.
   */
  readonly isOver: (tested?: BankRule["id"]) => boolean
  /** True if the rule's regular expressions take too long. */
  readonly isSlow: (id: BankRule["id"]) => boolean
  readonly refused: (id: BankRule["id"]) => void
}

/** Prepares the conditions of a rule for many lines. */
export const trialOf = (rule: RuleTest) => ({
  rule,
  tests: rule.conditions.filter((condition) => condition.type !== "remittance_regex").map(testOf),
  regexes: rule.conditions.filter((condition) => condition.type === "remittance_regex")
})

/** Finds the first rule, in the given order, all of whose conditions are true for a line. */
export const ruleEngine =
  (trials: ReadonlyArray<ReturnType<typeof trialOf>>) =>
  (line: RuledLine, first: number, { isOver, isSlow, refused, testRegex }: RuleEngineOptions): Search => {
    if (isOver()) return { _tag: "Paused", next_rule: first }
    const subject = subjectOf(line)
    for (let index = first; index < trials.length; index++) {
      const trial = trials[index]
      if (trial === undefined || !concerns(trial.rule, subject)) continue
      // Cheap conditions run first, so that most lines need no regular expression.
      if (!trial.tests.every((test) => test(subject))) continue
      // A rule of lower priority must not apply to a line to which the slow rule might apply.
      if (trial.regexes.length > 0 && isSlow(trial.rule.id)) return { _tag: "Decided", rule_id: null }
      if (trial.regexes.length > 0 && testRegex === null) return { _tag: "Paused", next_rule: index }
      const holds = trial.regexes.every(({ negate, value }) => {
        const matches = testRegex?.(value, subject.texts.remittance ?? "")
        if (matches === undefined) refused(trial.rule.id)
        return matches !== undefined && matches !== (negate === true)
      })
      const is_over = trial.regexes.length > 0 && isOver(trial.rule.id)
      if (holds) return { _tag: "Decided", rule_id: trial.rule.id }
      if (is_over) return { _tag: "Paused", next_rule: index + 1 }
    }
    return { _tag: "Decided", rule_id: null }
  }

const decodeRule = Schema.decodeEffect(StoredRule)

/** The rules of the decided lines by their positions; null if no rule applies. */
export type DecidedLines = Map<number, BankRule["id"] | null>

/**
 * Decides lines in this process, as far as no regular expression is needed: a slow one would block all requests. The
 * rules are prepared once for all calls.
 */
export const matchHere = Effect.fnUntraced(function* (
  rules: ReadonlyArray<typeof StoredRule.Encoded>,
  cpu_ms_max: number
) {
  const trials = inTurns(rules, (rule) => Effect.map(decodeRule(rule), trialOf))
  const engine = yield* Effect.cached(Effect.orDie(Effect.map(trials, ruleEngine)))
  const options = { testRegex: null, isOver: () => false, isSlow: () => false, refused: () => {} }
  let cpu_ms = 0

  return Effect.fnUntraced(function* (lines: ReadonlyArray<RuledLine>) {
    const search = yield* engine
    const decided: DecidedLines = new Map()
    yield* inTurns(lines, (line, position) =>
      Effect.sync(() => {
        if (cpu_ms >= cpu_ms_max) return
        const before = process.threadCpuUsage()
        const found = search(line, 0, options)
        const { system, user } = process.threadCpuUsage(before)
        cpu_ms += (system + user) / 1_000
        if (found._tag === "Decided") decided.set(position, found.rule_id)
      })
    )
    return decided
  })
})

const subjectOf = (line: RuledLine): Subject => ({
  ...line,
  is_debit: BigDecimal.isNegative(line.amount),
  is_nothing: BigDecimal.isZero(line.amount),
  amount_absolute: BigDecimal.abs(line.amount),
  texts: {
    counterparty: folded(line.counterparty_name ?? ""),
    remittance: folded(line.remittance_text),
    reference: lettersAndDigits(line.reference ?? "")
  }
})

const concerns = ({ bank_account_id: account, direction: wanted, document_type }: RuleTest, line: Subject): boolean => {
  if (line.is_nothing || (account !== null && account !== line.bank_account_id)) return false
  // A rule for any direction may have a document type, which fits only one of the two directions.
  if (document_type !== null && (document_type === "expense") !== line.is_debit) return false
  return wanted === "any" || (wanted === "debit") === line.is_debit
}

const testOf = (condition: Exclude<Condition, { readonly type: "remittance_regex" }>): Test => {
  const holds = predicateOf(condition)
  return condition.negate === true ? (line) => !holds(line) : holds
}

const predicateOf = (condition: Exclude<Condition, { readonly type: "remittance_regex" }>): Test => {
  switch (condition.type) {
    case "counterparty_iban":
      return ({ counterparty_iban }) => counterparty_iban === condition.value
    case "currency_equals":
      return ({ currency }) => currency === condition.value
    case "amount_between":
      return ({ amount_absolute }) =>
        BigDecimal.between(amount_absolute, { minimum: condition.min, maximum: condition.max })
    case "amount_equals":
      return ({ amount_absolute }) => BigDecimal.equals(amount_absolute, condition.value)
    case "amount_min":
      return ({ amount_absolute }) => BigDecimal.isGreaterThanOrEqualTo(amount_absolute, condition.value)
    case "amount_max":
      return ({ amount_absolute }) => BigDecimal.isLessThanOrEqualTo(amount_absolute, condition.value)
    case "reference_equals": {
      const wanted = lettersAndDigits(condition.value)
      // A rule of an older version may have a value without letters and digits, which no reference equals.
      return ({ texts }) => wanted !== "" && texts.reference === wanted
    }
    default: {
      const [subject = "", operator = ""] = condition.type.split(/_(.*)/s)
      const wanted = folded(condition.value)
      return ({ texts }) => compare(operator, texts[subject] ?? "", wanted)
    }
  }
}

const compare = (operator: string, text: string, wanted: string): boolean => {
  if (operator === "equals") return text === wanted
  return operator === "contains" ? text.includes(wanted) : text.startsWith(wanted)
}
