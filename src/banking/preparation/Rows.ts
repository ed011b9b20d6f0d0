import { BigDecimal, Effect, Schema } from "effect"
import { type BankAccountId, BankRuleId } from "../../kernel/Ids.ts"
import { packed } from "../../platform/storage/PackedText.ts"
import type { Finding, Matcher } from "../matching/Matcher.ts"
import { feeSuggestion, StoredSuggestion, storedSuggestion } from "../matching/StoredSuggestion.ts"
import type { StatedTexts, StatementLine } from "../records/Statement.ts"
import type { TransactionStatus } from "../records/TransactionStatus.ts"
import { RuleStop } from "../rules/RuleErrors.ts"
import { type LineKeys, lineKeys } from "../statements/LineKey.ts"
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

export interface FiledLine {
  readonly line: StatementLine
  /** Index of the line's file in a ZIP. */
  readonly file: number
}

/** The texts of a line as `StatementImportsRepo` joins those of a stored line. */
const joined = ({ counterparty_iban, counterparty_name, reference, remittance_text }: StatedTexts): string =>
  [counterparty_name, counterparty_iban, reference, remittance_text].map((text) => text ?? "").join("|")

const sharedColumns = (line: StatementLine, { shared }: LineKeys) =>
  shared === undefined
    ? {}
    : {
        shared_key: shared.key,
        equal_before: shared.equal_before,
        stored_texts: [line, { ...line, ...line.earlier_texts }].map((texts) => joined(withReference(texts)))
      }

/**
 * Builds the database rows of bank lines as compressed JSON. `rules` contains the rule for each line. A line that
 * several files of a ZIP contain becomes one row.
 */
export const rowsOf = (account: BankAccountId, shared_ids: ReadonlySet<string>) => {
  const keysOf = new Map<number, ReturnType<typeof lineKeys>>()
  /** The file of the row that is stored with the key. */
  const files = new Map<string, number>()
  let position = 0

  /** Returns the keys of a line; undefined if there is a row of this line from another file. */
  const newKeys = ({ file, line }: FiledLine) => {
    const keysIn = keysOf.get(file) ?? lineKeys(shared_ids)
    keysOf.set(file, keysIn)
    const found = keysIn(line)
    if (found.keys.some((key) => (files.get(key) ?? file) !== file)) return undefined
    files.set(found.keys[0], file)
    return found
  }

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

  const rowOf = (filed: FiledLine, find: Matcher["find"], rule: LineRules["rules"][number] | undefined) => {
    const found = newKeys(filed)
    if (found === undefined) return []
    const { line } = filed
    const [line_key, ...other_keys] = found.keys
    const row = {
      ...withReference(line),
      bank_id: undefined,
      earlier_bank_id: undefined,
      csv: undefined,
      earlier_texts: undefined,
      amount: BigDecimal.format(line.amount),
      position: position++,
      line_key,
      other_keys,
      ...sharedColumns(line, found),
      ...stateOf(find(line), line, rule)
    }
    return [row]
  }

  return (
    lines: ReadonlyArray<FiledLine>,
    find: Matcher["find"],
    rules: LineRules["rules"]
  ): Effect.Effect<Uint8Array> =>
    Effect.map(
      inTurns(lines, (line, index) => Effect.sync(() => rowOf(line, find, rules[index]))),
      (rows) => packed(JSON.stringify(rows.flat()))
    )
}
