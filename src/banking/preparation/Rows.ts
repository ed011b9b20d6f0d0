import { BigDecimal, Effect, Schema } from "effect"
import { type BankAccountId, BankRuleId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { packed } from "../../platform/storage/PackedText.ts"
import type { Finding, Matcher } from "../matching/Matcher.ts"
import { feeSuggestion, StoredSuggestion, storedSuggestion } from "../matching/StoredSuggestion.ts"
import type { StatementLine } from "../records/Statement.ts"
import type { TransactionStatus } from "../records/TransactionStatus.ts"
import { RuleStop } from "../rules/RuleErrors.ts"
import { lineKeys } from "../statements/LineKey.ts"
import { referenceIn } from "../texts/References.ts"
import { inTurns } from "../Turns.ts"

export const LineRules = Schema.Struct({
  /** The rule of each line; null if no rule applies, or if the rules were not applied to the line. */
  rules: Schema.Array(Schema.NullOr(Schema.Struct({ id: BankRuleId, auto_add: Schema.Boolean }))),
  /** Number of lines to which the rules were not applied, because of `stopped`. */
  unruled: Schema.Int,
  stopped: Schema.NullOr(RuleStop),
  refused: Schema.Array(BankRuleId),
  slow: Schema.Array(BankRuleId)
})
export type LineRules = typeof LineRules.Type

/**
 * Returns the line with the structured reference in its text as its reference, if the file states none. The key of
 * a line does not depend on this reference, so that lines of earlier imports are recognized.
 */
export const withReference = (line: StatementLine): StatementLine =>
  line.reference === null ? { ...line, reference: referenceIn(line.remittance_text) ?? null } : line

const encodeSuggestion = Schema.encodeSync(Schema.toCodecJson(StoredSuggestion))

/** Builds the database rows of bank lines as compressed JSON. `rules` contains the rule for each line. */
export const rowsOf = (account: BankAccountId) => {
  const keyOf = lineKeys()
  let position = 0

  const stateOf = (
    finding: Finding,
    line: StatementLine,
    rule: LineRules["rules"][number] | undefined
  ): { readonly status: TransactionStatus; readonly suggestion?: unknown; readonly rule_id?: number } => {
    // A line with the amount zero moves no money, so it cannot belong to a document.
    if (BigDecimal.isZero(line.amount)) return { status: "excluded" }
    const suggestion = storedSuggestion(finding, rule ?? undefined) ?? feeSuggestion(line, account)
    if (suggestion === null) return { status: "unmatched" }
    const state = { status: "suggested", suggestion: encodeSuggestion(suggestion) } as const
    // A rule books a line automatically only if no document matches the line (rules/banking.md, Rules).
    return finding._tag === "None" && rule?.auto_add === true ? { ...state, rule_id: rule.id } : state
  }

  const rowOf = (finding: Finding, line: StatementLine, rule: LineRules["rules"][number] | undefined) => {
    const { identity, occurrence } = keyOf(line)
    return {
      ...withReference(line),
      bank_id: undefined,
      amount: BigDecimal.format(line.amount),
      position: position++,
      line_key: `${sha256Hex(identity)}#${occurrence}`,
      ...stateOf(finding, line, rule)
    }
  }

  return (
    lines: ReadonlyArray<StatementLine>,
    find: Matcher["find"],
    rules: LineRules["rules"]
  ): Effect.Effect<Uint8Array> =>
    Effect.map(
      inTurns(lines, (line, index) => Effect.sync(() => rowOf(find(line), line, rules[index]))),
      (rows) => packed(JSON.stringify(rows))
    )
}
