import { Option, Schema, Struct } from "effect"
import { searchText } from "../../../kernel/SearchText.ts"
import { ExpenseFindings } from "../../Expense.ts"
import { amountErrors, withTax } from "../../ExpenseRules.ts"
import { type ExtractedFields, type Extraction, nothing } from "../Extraction.ts"
import type { ReadingResult, Receipt } from "../Receipt.ts"

/** What reading a receipt came to. */
export interface Outcome {
  readonly status: Receipt["status"]
  readonly result: ReadingResult
  /** What was found that an expense can hold, and nothing else. */
  readonly fields: ExtractedFields
}

const decodeFindings = Schema.decodeUnknownOption(ExpenseFindings)

const sources = { embedded: "embedded_xml", text_layer: "pdf_text", ocr: "ocr" } as const

/** Contract section 9, Category: where nothing says more. */
const category_default = "other"

export const outcomeOf = ({ source, status, ...found }: Extraction, file_name: string): Outcome => {
  const fields = fitting(found.fields)
  const lost = Struct.keys(found.fields).filter((field) => !(field in fields))
  return {
    // What was sure, but is nothing that an expense can be of, is for a person.
    status: status === "done" && lost.length > 0 ? "needs_review" : status,
    result: {
      ...found,
      source: sources[source],
      fields: status === "failed" ? fields : postable(fields, file_name),
      warnings: [...found.warnings, ...lost.map((field) => `${field} cannot be an expense's`)]
    },
    fields
  }
}

/** Contract section 9: the fields can be posted as they are, so what an expense would refuse is left out. */
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

/** An expense must have a category and a description, which a receipt need not. */
const postable = (fields: ExtractedFields, file_name: string): ExtractedFields => ({
  ...fields,
  category: fields.category ?? category_default,
  description: fields.description ?? fields.vendor ?? (file_name.trim() === "" ? "Receipt" : file_name)
})

/** Nothing could be made of the receipt. */
export const gaveUp = (code: string, message: string): Outcome => ({
  status: "failed",
  result: { source: null, ...nothing, error: { code, message } },
  fields: {}
})

/** The same for two receipts of one purchase, however the vendor is spelled; null when there is too little to say so. */
export const duplicateKeyOf = ({ amount, currency, expense_date, vendor }: ExtractedFields): string | null => {
  if (amount === undefined || expense_date === undefined || vendor === undefined) return null
  const name = searchText([vendor]).replaceAll(/[^\p{L}\p{N}]+/gu, "")
  return name === "" ? null : [name, expense_date, amount, currency ?? ""].join("|")
}
