import { Effect } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { isCamt053, parseCamt053 } from "./Camt053.ts"
import { isCoda, parseCoda } from "./Coda.ts"
import { parseCsv } from "./Csv.ts"
import type { CsvMapping } from "./CsvColumns.ts"
import { textOf } from "./Encoding.ts"
import type { StatementFormat } from "./Statement.ts"
import { InvalidStatement } from "./StatementErrors.ts"

/** Contract section 10: by content; what is neither CAMT.053 nor CODA is a table. */
const formatOf = (text: string): StatementFormat => (isCamt053(text) ? "camt053" : isCoda(text) ? "coda" : "csv")

/** Of one file: days of a year, each of several accounts. */
const statements_max = 1_000

interface ReadingOptions {
  /** The account's, for tables that name none. */
  readonly currency: CurrencyCode
  readonly format: StatementFormat | undefined
  readonly mapping: CsvMapping | undefined
}

/** Reads a statement file, whichever of the formats it is in. */
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
