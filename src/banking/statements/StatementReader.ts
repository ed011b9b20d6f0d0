import { Effect } from "effect"
import { type CsvOptions, parseCsv } from "../csv/Csv.ts"
import { isCamt053, parseCamt053 } from "./Camt053.ts"
import { isCoda, parseCoda } from "./Coda.ts"
import { textOf } from "./Encoding.ts"
import { InvalidStatement } from "./StatementErrors.ts"
import type { StatementFormat } from "./StatementFile.ts"

/** The content decides the format; a file that is neither CAMT.053 nor CODA is read as CSV. */
const formatOf = (text: string): StatementFormat => (isCamt053(text) ? "camt053" : isCoda(text) ? "coda" : "csv")

/** Highest number of statements in one file: a year of daily statements for several accounts. */
const statements_max = 1_000

export interface ReadingOptions extends CsvOptions {
  readonly format: StatementFormat | undefined
}

/** Parses a statement file of any supported format. */
export const readStatement = Effect.fn("readStatement")(function* (bytes: Uint8Array, options: ReadingOptions) {
  const text = (yield* Effect.fromResult(textOf(bytes, options.mapping?.encoding))).replace(/^\ufeff/, "")
  if (text.trim() === "") return yield* InvalidStatement.of("it is empty")
  const file = yield* parsed(options.format ?? formatOf(text), text, options)
  if (file.statements.length <= statements_max) return file
  return yield* InvalidStatement.of(`it has more than ${statements_max} statements`)
})

const parsed = (format: StatementFormat, text: string, options: CsvOptions) => {
  switch (format) {
    case "camt053":
      return parseCamt053(text)
    case "coda":
      return Effect.fromResult(parseCoda(text))
    case "mt940":
    case "csv":
      return Effect.fromResult(parseCsv(text, options))
  }
}
