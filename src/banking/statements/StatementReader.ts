import { Effect } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { isCamt053, parseCamt053 } from "./Camt053.ts"
import { isCoda, parseCoda } from "./Coda.ts"
import { parseCsv } from "./Csv.ts"
import type { CsvMapping } from "./CsvColumns.ts"
import { textOf } from "./Encoding.ts"
import type { StatementFormat } from "./Statement.ts"
import { InvalidStatement } from "./StatementErrors.ts"

/** The content decides the format; a file that is neither CAMT.053 nor CODA is read as CSV. */
const formatOf = (text: string): StatementFormat => (isCamt053(text) ? "camt053" : isCoda(text) ? "coda" : "csv")

/** Highest number of statements in one file: a year of daily statements for several accounts. */
const statements_max = 1_000

interface ReadingOptions {
  /** Currency of the account, for tables without a currency column. */
  readonly currency: CurrencyCode
  readonly format: StatementFormat | undefined
  readonly mapping: CsvMapping | undefined
}

/** Parses a statement file of any supported format. */
export const readStatement = Effect.fn("readStatement")(function* (bytes: Uint8Array, options: ReadingOptions) {
  const text = (yield* Effect.fromResult(textOf(bytes, options.mapping?.encoding))).replace(/^\ufeff/, "")
  if (text.trim() === "") return yield* InvalidStatement.of("it is empty")
  const file = yield* parsed(options.format ?? formatOf(text), text, options)
  if (file.statements.length <= statements_max) return file
  return yield* InvalidStatement.of(`it has more than ${statements_max} statements`)
})

const parsed = (format: StatementFormat, text: string, { currency, mapping }: ReadingOptions) => {
  switch (format) {
    case "camt053":
      return parseCamt053(text)
    case "coda":
      return Effect.fromResult(parseCoda(text))
    case "csv":
      return Effect.fromResult(parseCsv(text, currency, mapping))
  }
}
