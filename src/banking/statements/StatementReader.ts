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
export const formatOf = (text: string): StatementFormat => (isCamt053(text) ? "camt053" : isCoda(text) ? "coda" : "csv")

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
  const format = options.format ?? formatOf(text)
  if (format === "camt053") return yield* parseCamt053(text)
  return yield* Effect.fromResult(
    format === "coda" ? parseCoda(text) : parseCsv(text, options.currency, options.mapping)
  )
})
