import { Effect, Schema } from "effect"
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

/** The child answers the parsed file, or the reason why it was refused. */
const Answer = Schema.Union([Schema.Struct({ file: StatementFile }), Refusal])
const encode = Schema.encodeEffect(Schema.toCodecJson(Answer))

export const answerOf = ({ bytes, ...options }: StatementJob) =>
  readStatement(bytes, options).pipe(
    Effect.match({ onFailure: (refused) => ({ refused }), onSuccess: (file) => ({ file }) }),
    Effect.flatMap(encode)
  )

/** The same answer with lines that are not decoded yet, because there may be thousands. */
const Received = Schema.Union([
  Schema.Struct({
    file: Schema.Struct({
      ...StatementFile.fields,
      statements: Schema.Array(Schema.Struct({ ...Statement.fields, lines: Schema.Array(Schema.Unknown) }))
    })
  }),
  Refusal
])
const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(Received))
const decodeLine = Schema.decodeUnknownEffect(Schema.toCodecJson(StatementLine))

/** Decodes the answer of a child process, and yields to other requests meanwhile. */
export const fileOf = Effect.fn("fileOf")(function* (answer: unknown) {
  const received = yield* Effect.orDie(decode(answer))
  if ("refused" in received) return yield* received.refused
  const { file } = received
  const statements = yield* Effect.forEach(file.statements, (statement) =>
    Effect.map(
      inTurns(statement.lines, (line) => decodeLine(line)),
      (lines) => ({ ...statement, lines })
    )
  ).pipe(Effect.orDie)
  return { ...file, statements }
})
