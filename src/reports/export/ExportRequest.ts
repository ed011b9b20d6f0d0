import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { described } from "../../kernel/Described.ts"

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
export const ExportResource = Schema.Literals(resources).annotate({
  identifier: "ExportResource",
  description: "Kind of the records."
})
export type ExportResource = typeof ExportResource.Type

const ExportFormat = Schema.Literals(["csv", "json"])
export type ExportFormat = typeof ExportFormat.Type

export const ExportRequest = Schema.Struct({
  resource: ExportResource.annotate({ message: `must be one of: ${resources.join(", ")}.` }),
  format: described(
    Schema.optionalKey(Schema.NullOr(ExportFormat.annotate({ message: "must be csv or json." }))),
    "`csv` (default) or `json`."
  ),
  start_date: described(
    Schema.optionalKey(Schema.NullOr(Day)),
    "First day; documents count by their date, customers and contacts by their creation."
  ),
  end_date: described(Schema.optionalKey(Schema.NullOr(Day)), "Last day.")
}).annotate({
  identifier: "RecordsExportRequest",
  description:
    "Which records to export. An export has records of every status, but the VAT report leaves out draft and void " +
    "invoices, draft credit notes, and draft, rejected and not VAT-deductible expenses."
})
export type ExportRequest = typeof ExportRequest.Type

export const ExportedRows = Schema.Struct({
  success: described(Schema.Literal(true), "Always `true`."),
  data: described(
    Schema.Array(
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
    "The records. The names of the columns are those of the CSV file."
  ),
  meta: described(
    Schema.Struct({
      resource: described(ExportResource, "Kind of the records."),
      count: described(Schema.Int, "Number of records."),
      generated_at: described(Timestamp, "Time of the export.")
    }),
    "Facts about the export."
  )
}).annotate({
  identifier: "ExportedRecords",
  description: "Records as rows. Ids and counts are numbers, amounts are texts."
})

/**
 * Decides how a cell is written. `words` is text that users wrote, so CSV disables formulas in it. Numbers with
 * decimals are text in JSON, so that no digit is lost. `json` is an object or a list in JSON, and its text in CSV.
 */
export type ColumnKind = "words" | "code" | "id" | "amount" | "decimal" | "day" | "moment" | "flag" | "json"

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/** A record as text cells in the order of the columns; null for an empty cell. */
export type Cells = ReadonlyArray<string | null>
