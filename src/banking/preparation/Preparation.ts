import { Array as Arr, BigDecimal, Effect, Iterable, Result, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { BankRuleId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { BankAccount } from "../accounts/BankAccount.ts"
import { CsvMapping } from "../csv/cells/CsvMapping.ts"
import { type DocumentSource, lineMatching } from "../matching/LineMatcher.ts"
import { addsUp } from "../records/KeptLines.ts"
import { Statement, StatementLine } from "../records/Statement.ts"
import { AccountMismatch, InvalidStatement, StatementRefused } from "../records/StatementErrors.ts"
import { type KeptFile, StatementFile, StatementFormat } from "../statements/formats/StatementFile.ts"
import type { RuledLine } from "../rules/RuleEngine.ts"
import { RuleStop } from "../rules/RuleErrors.ts"
import { type FilePieces, readStatement } from "../statements/StatementReader.ts"
import { sharedIds } from "../statements/LineKey.ts"
import { ownStatements, requireBalanced } from "./OwnStatements.ts"
import { type FiledLine, type LineRules, rowsOf, withReference } from "./Rows.ts"

export const PreparationOrder = Schema.Struct({
  account: Schema.Struct(
    Struct.pick(BankAccount.fields, ["id", "currency", "iban", "account_number", "bank_code", "csv_mapping"])
  ),
  format: Schema.UndefinedOr(StatementFormat),
  mapping: Schema.UndefinedOr(CsvMapping),
  strict: Schema.Boolean,
  accept_unbalanced: Schema.Boolean,
  has_rules: Schema.Boolean
})
export type PreparationOrder = typeof PreparationOrder.Type

const Tally = Schema.Struct({ count: Schema.Int, sum: Schema.String })

const Part = Schema.Struct({
  ...Struct.omit(Statement.fields, ["lines"]),
  first_day: Schema.NullOr(Day),
  balance_check: Schema.Literals(["passed", "failed", "unavailable"])
})

export const Prepared = Schema.Struct({
  ...StatementFile.fields,
  statements: Schema.Array(Part),
  lines_total: Schema.Int,
  first_day: Schema.NullOr(Day),
  last_day: Schema.NullOr(Day),
  credits: Tally,
  debits: Tally,
  shown: Schema.Array(StatementLine),
  /** Number of lines to which the rules were not applied, because of `rules_stopped`. */
  unruled: Schema.Int,
  rules_stopped: Schema.NullOr(RuleStop),
  /** Rules that never apply, because one of their regular expressions cannot be compiled. */
  refused_rules: Schema.Array(BankRuleId),
  /** Rules that were skipped, because their regular expressions take too long. */
  slow_rules: Schema.Array(BankRuleId)
})
export type Prepared = typeof Prepared.Type

export const PreparationRefused = Schema.Union([...StatementRefused.members, AccountMismatch])
export type PreparationRefused = typeof PreparationRefused.Type

export interface PreparationSource extends DocumentSource {
  readonly rulesOf: (lines: ReadonlyArray<RuledLine>) => Effect.Effect<LineRules>
  /** Receives the rows of some lines, as compressed JSON text. */
  readonly keep: (chunk: Uint8Array) => Effect.Effect<void>
}

const lines_shown_max = 20
/** Number of lines for which one query finds the rules. */
const ruled_lines_max = 500
/**
 * Number of lines for which documents are found together, and whose rows one SQL statement inserts. A limit keeps the
 * memory small for long files.
 */
const lines_per_part = 250

/**
 * Reads a file and prepares the rows of its lines with suggestions. For large files, a child process does this, so that
 * the service only forwards the rows to the database.
 */
export const prepare = Effect.fn("prepare")(function* (
  content: FilePieces,
  order: PreparationOrder,
  source: PreparationSource
) {
  const own = yield* ownOf(content, order)
  const matcherOf = yield* lineMatching(source)
  const rowsIn = rowsOf(order.account.id, sharedIds(own.statements.map(({ lines }) => lines)))
  const { found, rulesOf } = ruling(order, source)
  for (const part of partsOf(own)) {
    const lines = part.map(({ line }) => line)
    const rules = yield* rulesOf(lines)
    const { find } = yield* matcherOf(lines)
    yield* source.keep(yield* rowsIn(part, find, rules))
  }
  return preparedOf(own, order.account, found())
})

function* linesIn({ statements }: KeptFile): Iterable<FiledLine> {
  for (const { file, lines } of statements) for (const line of lines) yield { file, line }
}

/** Divides the lines of a file into parts, so that only one part at a time is in memory. */
function* partsOf(file: KeptFile): Iterable<ReadonlyArray<FiledLine>> {
  let part: Array<FiledLine> = []
  for (const line of linesIn(file)) {
    part.push(line)
    if (part.length < lines_per_part) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

/**
 * Reads the file with the stored mapping of earlier files. If rows are unreadable, also reads it without that mapping,
 * which may not fit this file, and returns the result with fewer unreadable rows.
 */
const readBetter = Effect.fnUntraced(function* <E>(
  mapped: Effect.Effect<KeptFile, E>,
  detected: Effect.Effect<KeptFile, E>
) {
  const first = yield* Effect.result(mapped)
  if (Result.isSuccess(first) && first.success.errors.length === 0) return first.success
  if (Result.isFailure(first)) return yield* detected
  const second = yield* Effect.result(detected)
  const isBetter = Result.isSuccess(second) && second.success.errors.length < first.success.errors.length
  return isBetter ? second.success : first.success
})

const ownOf = Effect.fnUntraced(function* (content: FilePieces, order: PreparationOrder) {
  const { account, format, strict } = order
  const { currency, iban } = account
  const read = (mapping: CsvMapping | undefined) => readStatement(content, { format, mapping, currency, iban })
  const file = yield* order.mapping === undefined && account.csv_mapping !== null
    ? readBetter(read(account.csv_mapping), read(undefined))
    : read(order.mapping)
  const [error] = file.errors
  // A file without any readable row is refused, so that the client can send it again with a mapping.
  const isEmpty = file.statements.every(({ lines }) => lines.count === 0)
  if (error !== undefined && (strict || isEmpty)) {
    return yield* InvalidStatement.of(error.message.replace(/\.$/, ""), error.row)
  }
  const own = yield* Effect.fromResult(ownStatements(account, file))
  if (!order.accept_unbalanced) yield* Effect.fromResult(requireBalanced(own, account))
  return own
})

const ruling = ({ account, has_rules }: PreparationOrder, source: PreparationSource) => {
  const refused = new Set<BankRuleId>()
  let slow: LineRules["slow"] = []
  let stopped: LineRules["stopped"] = null
  let unruled = 0
  const rulesOf = Effect.fnUntraced(function* (lines: ReadonlyArray<StatementLine>) {
    const rules: Array<LineRules["rules"][number]> = []
    for (const page of has_rules ? Arr.chunksOf(lines, ruled_lines_max) : []) {
      const found = yield* source.rulesOf(page.map((line) => ({ ...withReference(line), bank_account_id: account.id })))
      rules.push(...found.rules)
      for (const id of found.refused) refused.add(id)
      slow = found.slow
      stopped ??= found.stopped
      unruled += found.unruled
    }
    return rules
  })
  return { rulesOf, found: () => ({ unruled, stopped, refused: [...refused], slow }) }
}

const preparedOf = (
  own: KeptFile,
  { currency }: PreparationOrder["account"],
  { refused, slow, stopped, unruled }: Omit<LineRules, "rules">
): Prepared => {
  const { statements, ...file } = own
  const all = statements.map(({ lines }) => lines)
  const tally = (side: "credits" | "debits") => ({
    count: all.reduce((count, lines) => count + lines[side].count, 0),
    sum: formatAmount(BigDecimal.sumAll(all.map((lines) => lines[side].sum)), exponentOf(currency))
  })
  const days = all.flatMap(({ first_day, last_day }) => [first_day ?? [], last_day ?? []].flat()).toSorted()
  return {
    ...file,
    statements: statements.map(({ lines, ...part }) => ({
      ...Struct.omit(part, ["file"]),
      first_day: lines.first_day,
      balance_check:
        part.opening === null || part.closing === null
          ? "unavailable"
          : addsUp({ ...part, lines })
            ? "passed"
            : "failed"
    })),
    lines_total: all.reduce((count, lines) => count + lines.count, 0),
    first_day: days[0] ?? null,
    last_day: days.at(-1) ?? null,
    credits: tally("credits"),
    debits: tally("debits"),
    shown: Array.from(Iterable.take(linesIn(own), lines_shown_max), ({ line }) => withReference(line)),
    unruled,
    rules_stopped: stopped,
    refused_rules: refused,
    slow_rules: slow
  }
}
