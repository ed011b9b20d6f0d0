import { Array as Arr, Effect, Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { inTurns } from "../Turns.ts"
import { CsvMapping } from "../csv/CsvMapping.ts"
import { Statement, StatementLine } from "../records/Statement.ts"
import { StatementRefused } from "../records/StatementErrors.ts"
import { StatementFile, StatementFormat } from "./StatementFile.ts"
import { readStatement } from "./StatementReader.ts"

/** The job for a child process: parse a statement file. */
export const StatementJob = Schema.Struct({
  bytes: Schema.Uint8Array,
  /** Currency of the account, for tables without a currency column. */
  currency: CurrencyCode,
  iban: Schema.NullOr(Schema.String),
  format: Schema.UndefinedOr(StatementFormat),
  mapping: Schema.UndefinedOr(CsvMapping)
})
export type StatementJob = typeof StatementJob.Type

const Refusal = Schema.Struct({ refused: StatementRefused })

/** Number of lines in one text of an answer; decoding them takes about a millisecond. */
const lines_per_page = 100
const Page = Schema.fromJsonString(Schema.toCodecJson(Schema.Array(StatementLine)))
const encodePage = Schema.encodeEffect(Page)
const decodePage = Schema.decodeUnknownEffect(Page)

/**
 * The child answers the parsed file, or the reason why it was refused. The lines are pages of JSON, because the parent
 * receives texts at once, but would receive thousands of objects in one long stretch.
 */
const Answer = Schema.Union([
  Schema.Struct({
    file: Schema.Struct({
      ...StatementFile.fields,
      statements: Schema.Array(Schema.Struct({ ...Statement.fields, lines: Schema.Array(Schema.String) }))
    })
  }),
  Refusal
])
const encode = Schema.encodeEffect(Schema.toCodecJson(Answer))
const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(Answer))

const paged = Effect.fnUntraced(function* (file: StatementFile) {
  const statements = yield* Effect.forEach(file.statements, (statement) =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(statement.lines, lines_per_page), (page) => encodePage(page)),
      (lines) => ({ ...statement, lines })
    )
  )
  return { file: { ...file, statements } }
})

export const answerOf = ({ bytes, ...options }: StatementJob) =>
  readStatement(bytes, options).pipe(
    Effect.matchEffect({ onFailure: (refused) => Effect.succeed({ refused }), onSuccess: paged }),
    Effect.flatMap(encode)
  )

/** Decodes the answer of a child process, and serves other requests meanwhile. */
export const fileOf = Effect.fn("fileOf")(function* (answer: unknown) {
  const received = yield* Effect.orDie(decode(answer))
  if ("refused" in received) return yield* received.refused
  const { file } = received
  const statements = yield* Effect.forEach(file.statements, (statement) =>
    Effect.map(
      inTurns(statement.lines, (page) => decodePage(page)),
      (pages) => ({ ...statement, lines: pages.flat() })
    )
  ).pipe(Effect.orDie)
  return { ...file, statements }
})
