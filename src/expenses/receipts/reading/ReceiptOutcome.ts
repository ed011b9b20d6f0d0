import { Option, Schema, Struct } from "effect"
import { searchText } from "../../../kernel/SearchText.ts"
import { ExpenseFindings } from "../../Expense.ts"
import type { ExtractedFields, Extraction } from "../Extraction.ts"
import type { ReadingResult, Receipt } from "../Receipt.ts"

/** What reading a receipt came to. */
export interface Outcome {
  readonly status: Receipt["status"]
  readonly result: ReadingResult
  /** What was found, and nothing else. */
  readonly fields: ExtractedFields
}

const sources = { embedded: "embedded_xml", text_layer: "pdf_text", ocr: "ocr" } as const

/** Contract section 9, Category: where nothing says more. */
const category_default = "other"

/**
 * An expense must have a category and a description, which a receipt need not: they are filled in, so that the fields
 * can be posted as they are.
 */
const postable = (fields: ExtractedFields, file_name: string): ExtractedFields => ({
  ...fields,
  category: fields.category ?? category_default,
  description: fields.description ?? fields.vendor ?? (file_name.trim() === "" ? "Receipt" : file_name)
})

export const outcomeOf = ({ source, status, ...found }: Extraction, file_name: string): Outcome => ({
  status,
  result: {
    ...found,
    source: sources[source],
    fields: status === "failed" ? found.fields : postable(found.fields, file_name)
  },
  fields: found.fields
})

/** Nothing could be made of the receipt. */
export const gaveUp = (code: string, message: string): Outcome => ({
  status: "failed",
  result: {
    source: null,
    fields: {},
    confidence: { overall: 0 },
    candidates: {},
    checks: [],
    warnings: [],
    error: { code, message }
  },
  fields: {}
})

/** The same for two receipts of one purchase, however the vendor is spelled; null when there is too little to say so. */
export const duplicateKeyOf = ({ amount, currency, expense_date, vendor }: ExtractedFields): string | null => {
  if (amount === undefined || expense_date === undefined || vendor === undefined) return null
  const name = searchText([vendor]).replaceAll(/[^\p{L}\p{N}]+/gu, "")
  return name === "" ? null : [name, expense_date, amount, currency ?? ""].join("|")
}

const decodeFinding = Schema.decodeUnknownOption(ExpenseFindings)

/** What an expense can take over; what it could not hold is left out. */
export const findingsOf = (fields: ExtractedFields & { readonly receipt_path: string }): ExpenseFindings =>
  Struct.keys(fields).reduce<ExpenseFindings>(
    (findings, key) => ({ ...findings, ...Option.getOrElse(decodeFinding({ [key]: fields[key] }), () => ({})) }),
    {}
  )
