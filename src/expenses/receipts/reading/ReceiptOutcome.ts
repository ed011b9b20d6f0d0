import { Option, Schema, Struct } from "effect"
import { searchText } from "../../../kernel/SearchText.ts"
import { category_default, ExpenseFindings } from "../../Expense.ts"
import { amountErrors, withTax } from "../../ExpenseRules.ts"
import { type ExtractedFields, type Extraction, nothing } from "../records/Extraction.ts"
import type { ReadingTrace } from "../records/ReadingTrace.ts"
import type { ReceiptResult, Receipt } from "../records/Receipt.ts"

export interface Outcome {
  readonly status: Receipt["status"]
  readonly result: ReceiptResult
  /** Only the extracted fields that an expense accepts, without defaults. */
  readonly fields: ExtractedFields
  readonly trace: ReadingTrace | null
}

const decodeFindings = Schema.decodeUnknownOption(ExpenseFindings)

const sources = { embedded: "embedded_xml", text_layer: "pdf_text", ocr: "ocr" } as const

export const outcomeOf = ({ source, status, trace, ...found }: Extraction, file_name: string): Outcome => {
  const fields = fitting(found.fields)
  const lost = Struct.keys(found.fields).filter((field) => !(field in fields))
  return {
    // A confident value that no expense accepts must be reviewed by a person.
    status: status === "done" && lost.length > 0 ? "needs_review" : status,
    result: {
      ...found,
      source: sources[source],
      fields: status === "failed" ? fields : postable(fields, file_name),
      warnings: [...found.warnings, ...lost.map((field) => `an expense cannot have this ${field}`)]
    },
    fields,
    trace: trace ?? null
  }
}

/** Removes the fields that an expense would refuse, because clients may send the fields unchanged in a request. */
const fitting = (fields: ExtractedFields): ExtractedFields => {
  const kept = Struct.pick(
    fields,
    Struct.keys(fields).filter((field) => Option.isSome(decodeFindings({ [field]: fields[field] })))
  )
  return taxFits(kept) ? kept : Struct.omit(kept, ["tax_amount", "tax_rates"])
}

const taxFits = (fields: ExtractedFields): boolean =>
  Option.exists(decodeFindings(fields), ({ amount, currency, tax_amount, tax_rates }) => {
    if (amount === undefined || currency === undefined) return true
    const said = { tax_amount: tax_amount ?? null, tax_rates: tax_rates ?? [] }
    return Object.keys(amountErrors(withTax({ amount, currency, tax_amount: null, tax_rates: [] }, said))).length === 0
  })

/** Adds a default category and description, because an expense needs both and a receipt may lack them. */
const postable = (fields: ExtractedFields, file_name: string): ExtractedFields => ({
  ...fields,
  category: fields.category ?? category_default,
  description: fields.description ?? fields.vendor ?? (file_name.trim() === "" ? "Receipt" : file_name)
})

export const failedOutcome = (code: string, message: string): Outcome => ({
  status: "failed",
  result: { source: null, ...nothing, error: { code, message } },
  fields: {},
  trace: null
})

/** Equal for two receipts of one purchase, however the vendor is spelled; null if too few fields are known. */
export const duplicateKeyOf = ({ amount, currency, expense_date, vendor }: ExtractedFields): string | null => {
  if (amount === undefined || expense_date === undefined || vendor === undefined) return null
  const name = searchText([vendor]).replaceAll(/[^\p{L}\p{N}]+/gu, "")
  return name === "" ? null : [name, expense_date, amount, currency ?? ""].join("|")
}
