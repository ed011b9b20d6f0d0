import { Effect, Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CsvMapping } from "./CsvColumns.ts"
import { StatementFile, StatementFormat } from "./Statement.ts"
import { StatementRefused } from "./StatementErrors.ts"
import { readStatement } from "./StatementReader.ts"

/** What a child process is asked to read. */
export const StatementJob = Schema.Struct({
  bytes: Schema.Uint8Array,
  /** The account's, for tables that name none. */
  currency: CurrencyCode,
  format: Schema.UndefinedOr(StatementFormat),
  mapping: Schema.UndefinedOr(CsvMapping)
})
export type StatementJob = typeof StatementJob.Type

/** What it answers: the file, or why there is none. */
export const StatementAnswer = Schema.toCodecJson(
  Schema.Union([Schema.Struct({ file: StatementFile }), Schema.Struct({ refused: StatementRefused })])
)

const encode = Schema.encodeEffect(StatementAnswer)

export const answerOf = ({ bytes, ...options }: StatementJob) =>
  readStatement(bytes, options).pipe(
    Effect.match({ onFailure: (refused) => ({ refused }), onSuccess: (file) => ({ file }) }),
    Effect.flatMap(encode)
  )
