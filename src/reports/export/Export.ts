import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"

const resources = [
  "invoices",
  "quotes",
  "customers",
  "contacts",
  "payments",
  "expenses",
  "credit_notes",
  "bank_transactions"
] as const
export const ExportResource = Schema.Literals(resources)
export type ExportResource = typeof ExportResource.Type

const ExportFormat = Schema.Literals(["csv", "json"])
export type ExportFormat = typeof ExportFormat.Type

/** By the date of the documents; of customers and contacts, by the day they were added. Drafts are exported, too. */
export const ExportRequest = Schema.Struct({
  resource: ExportResource.annotate({ message: `must be one of: ${resources.join(", ")}.` }),
  format: Schema.optionalKey(Schema.NullOr(ExportFormat.annotate({ message: "must be csv or json." }))),
  start_date: Schema.optionalKey(Schema.NullOr(Day)),
  end_date: Schema.optionalKey(Schema.NullOr(Day))
})
export type ExportRequest = typeof ExportRequest.Type

/** The JSON form, contract section 13: ids and counts are numbers, amounts are decimal strings. */
export const ExportedRows = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Array(
    Schema.Record(
      Schema.String,
      Schema.NullOr(
        Schema.Union([
          Schema.String,
          Schema.Int,
          Schema.Boolean,
          Schema.Record(Schema.String, Schema.Json),
          Schema.Array(Schema.Json)
        ])
      )
    )
  ),
  meta: Schema.Struct({ resource: ExportResource, count: Schema.Int, generated_at: Timestamp })
})

/**
 * What a column holds, which decides how it is written: `words` are what people wrote; everything else is the service's
 * own writing. Numbers with decimals are text in JSON, so that none is lost. `json` is an object or a list there, and its text in
 * CSV.
 */
export type ColumnKind = "words" | "code" | "id" | "amount" | "decimal" | "day" | "moment" | "flag" | "json"

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/** A record as text, in the order of the columns; null where it has nothing. */
export type Cells = ReadonlyArray<string | null>
