import { Array as Arr, BigDecimal, Effect, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { BankRuleId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { BankAccount } from "../accounts/BankAccount.ts"
import { CsvMapping } from "../csv/CsvMapping.ts"
import { type DocumentSource, lineMatching } from "../matching/LineMatcher.ts"
import { addsUp, Statement, StatementLine } from "../records/Statement.ts"
import { AccountMismatch, InvalidStatement, StatementRefused } from "../records/StatementErrors.ts"
import { StatementFile, StatementFormat } from "../statements/StatementFile.ts"
import type { RuledLine } from "../rules/RuleEngine.ts"
import { readStatement } from "../statements/StatementReader.ts"
import { type Own, ownStatements, requireBalanced } from "./OwnStatements.ts"
import { type LineRules, rowsOf } from "./Rows.ts"

/** The account of a file, and the options for reading the file. */
export const PreparationOrder = Schema.Struct({
  account: Schema.Struct(
    Struct.pick(BankAccount.fields, ["id", "currency", "iban", "account_number", "bank_code", "csv_mapping"])
  ),
  format: Schema.UndefinedOr(StatementFormat),
  mapping: Schema.UndefinedOr(CsvMapping),
  strict: Schema.Boolean,
  accept_unbalanced: Schema.Boolean,
  /** False if the organization has no active rules. */
  has_rules: Schema.Boolean
})
export type PreparationOrder = typeof PreparationOrder.Type

const Tally = Schema.Struct({ count: Schema.Int, sum: Schema.String })

const Part = Schema.Struct({
  ...Struct.omit(Statement.fields, ["lines"]),
  first_day: Schema.NullOr(Day),
  balance_check: Schema.Literals(["passed", "failed", "unavailable"])
})

/** The facts of a file that an import needs besides the rows of its lines. */
export const Prepared = Schema.Struct({
  ...StatementFile.fields,
  statements: Schema.Array(Part),
  lines_total: Schema.Int,
  first_day: Schema.NullOr(Day),
  last_day: Schema.NullOr(Day),
  credits: Tally,
  debits: Tally,
  shown: Schema.Array(StatementLine),
  /** Number of lines to which rules were applied. */
  ruled: Schema.Int,
  /** Rules that apply to nothing, because one of their regular expressions cannot be compiled. */
  refused_rules: Schema.Array(BankRuleId),
  /** Rules that were skipped, because their regular expressions take too long. */
  slow_rules: Schema.Array(BankRuleId)
})
export type Prepared = typeof Prepared.Type

export const PreparationRefused = Schema.Union([...StatementRefused.members, AccountMismatch])
export type PreparationRefused = typeof PreparationRefused.Type

/** Provides the data of the database that the preparation needs, and receives the prepared rows. */
export interface PreparationSource extends DocumentSource {
  readonly rulesOf: (lines: ReadonlyArray<RuledLine>) => Effect.Effect<LineRules>
  /** Receives the rows of some lines as a compressed JSON text. */
  readonly keep: (chunk: Uint8Array) => Effect.Effect<void>
}

const lines_shown_max = 20
/** Number of lines per query for their rules. */
const ruled_lines_max = 500
/** Number of lines whose documents are searched together, so that the findings for all lines need not fit in memory. */
const matched_lines_max = 5_000
/** Number of rows that one statement inserts. */
const rows_per_chunk = 250

/**
 * Reads a file and prepares the rows of its lines, each with a suggestion of the document that the line may belong to.
 * For large files a child process does this, so that the service only forwards the rows to the database.
 */
export const prepare = Effect.fn("prepare")(function* (
  content: Effect.Effect<Uint8Array>,
  order: PreparationOrder,
  source: PreparationSource
) {
  const { parts, prepared, rules } = yield* readWhole(content, order, source)
  const matcherOf = yield* lineMatching(source)
  const rowsIn = rowsOf(order.account.id)
  // A part is removed from the list before it is matched, so that lines whose rows are stored take no memory.
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const { find } = yield* matcherOf(part)
    for (const chunk of Arr.chunksOf(part, rows_per_chunk)) yield* source.keep(yield* rowsIn(chunk, find, rules))
  }
  return prepared
})

/** Reads the file, and divides its lines into parts; nothing else references the lines afterwards. */
const readWhole = Effect.fnUntraced(function* (
  content: Effect.Effect<Uint8Array>,
  order: PreparationOrder,
  source: PreparationSource
) {
  const own = yield* ownOf(content, order)
  const found = order.has_rules ? yield* allRules(own, order, source) : noRules(own)
  const prepared = preparedOf(own, order.account, found)
  return { parts: [...Arr.chunksOf(own.lines, matched_lines_max)], prepared, rules: found.rules }
})

const ownOf = Effect.fnUntraced(function* (content: Effect.Effect<Uint8Array>, order: PreparationOrder) {
  const { account, format, strict } = order
  const { currency, iban } = account
  // The bytes are not kept in a variable, because this function's variables live until the import is prepared.
  const read = (mapping: CsvMapping | undefined) =>
    Effect.flatMap(content, (bytes) => readStatement(bytes, { format, mapping, currency, iban }))
  const kept = order.mapping ?? account.csv_mapping ?? undefined
  // The mapping of earlier files may not fit this file, so a file may be read a second time without any mapping.
  const file = yield* read(kept).pipe(
    Effect.catch((refused) =>
      order.mapping === undefined && kept !== undefined ? read(undefined) : Effect.fail(refused)
    )
  )
  const [error] = file.errors
  // A table without any readable row is not stored, so that the client can send it again with a mapping.
  const isEmpty = file.statements.every(({ lines }) => lines.length === 0)
  if (error !== undefined && (strict || isEmpty)) {
    return yield* InvalidStatement.of(error.message.replace(/\.$/, ""), error.row)
  }
  const own = yield* Effect.fromResult(ownStatements(account, file))
  if (!order.accept_unbalanced) yield* Effect.fromResult(requireBalanced(own, account))
  return own
})

const noRules = ({ lines }: Own): LineRules => ({ rules: lines.map(() => null), refused: [], slow: [] })

const allRules = Effect.fnUntraced(function* (
  { lines }: Own,
  { account }: PreparationOrder,
  { rulesOf }: PreparationSource
) {
  const rules: Array<LineRules["rules"][number]> = []
  const refused = new Set<BankRuleId>()
  let slow: LineRules["slow"] = []
  for (const chunk of Arr.chunksOf(lines, ruled_lines_max)) {
    const found = yield* rulesOf(chunk.map((line) => ({ ...line, bank_account_id: account.id })))
    rules.push(...found.rules)
    for (const id of found.refused) refused.add(id)
    slow = found.slow
    if (found.rules.length < chunk.length) break
  }
  return { rules, refused: [...refused], slow }
})

const preparedOf = (
  own: Own,
  { currency }: PreparationOrder["account"],
  { refused, rules, slow }: LineRules
): Prepared => {
  const { lines, statements, ...file } = own
  const tally = (part: ReadonlyArray<StatementLine>) => ({
    count: part.length,
    sum: formatAmount(BigDecimal.sumAll(part.map(({ amount }) => amount)), exponentOf(currency))
  })
  const days = daysOf(lines)
  return {
    ...file,
    statements: statements.map(({ lines, ...part }) => ({
      ...part,
      first_day: daysOf(lines)[0] ?? null,
      balance_check:
        part.opening === null || part.closing === null
          ? "unavailable"
          : addsUp(part.opening, lines, part.closing)
            ? "passed"
            : "failed"
    })),
    lines_total: lines.length,
    first_day: days[0] ?? null,
    last_day: days.at(-1) ?? null,
    credits: tally(lines.filter(({ amount }) => BigDecimal.isPositive(amount))),
    debits: tally(lines.filter(({ amount }) => BigDecimal.isNegative(amount))),
    shown: lines.slice(0, lines_shown_max),
    ruled: rules.length,
    refused_rules: refused,
    slow_rules: slow
  }
}

const daysOf = (lines: ReadonlyArray<StatementLine>): ReadonlyArray<Day> =>
  [...new Set(lines.map(({ booking_date }) => booking_date))].toSorted()
