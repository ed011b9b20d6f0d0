import { Schema } from "effect"
import { described } from "../../../kernel/Described.ts"
import { ReadingTrace } from "./ReadingTrace.ts"

const Confidence = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Candidates = Schema.Array(
  Schema.Struct({
    value: described(Schema.String, "A possible value, as text."),
    confidence: described(Confidence, "How likely the value is, 0 to 1.")
  })
)
const Text = Schema.optionalKey(Schema.String)

export const ExtractedFields = Schema.Struct({
  expense_date: described(Text, "Day of the purchase.", "2026-02-27"),
  vendor: described(Text, "Name of the supplier."),
  amount: described(Text, "Amount including taxes, as text with the decimals of the currency.", "118.40"),
  tax_amount: described(Text, "Total of the taxes, as text with the decimals of the currency.", "20.55"),
  currency: described(Text, "Currency of the amounts.", "EUR"),
  category: described(Text, "Category that fits the supplier, else `other`.", "meals"),
  description: described(Text, "Name of the supplier, else of the file, because an expense needs a description."),
  reference: described(Text, "Number of the receipt."),
  payment_method: described(Text, "How the receipt was paid.", "card"),
  tax_rates: described(
    Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          rate: described(Schema.String, "Rate in percent."),
          taxable_amount: described(Schema.String, "Amount without this tax, in the currency of the receipt."),
          tax_amount: described(Schema.String, "Tax of this rate, in the currency of the receipt.")
        })
      )
    ),
    "Taxes by rate, as the receipt states them; amounts are text."
  )
}).annotate({
  identifier: "ReceiptFields",
  description:
    "Fields of an expense that the receipt states. They can be sent as the body of a new expense; uncertain fields are absent."
})
export type ExtractedFields = typeof ExtractedFields.Type

const ExtractionStatus = Schema.Literals(["done", "needs_review", "failed"])

export const Extraction = Schema.Struct({
  source: Schema.Literals(["embedded", "text_layer", "ocr"]),
  status: ExtractionStatus,
  fields: ExtractedFields,
  confidence: described(
    Schema.Struct({
      overall: described(
        Confidence,
        "The lowest confidence of the required fields and of the amounts that were found."
      ),
      expense_date: described(Schema.optionalKey(Confidence), "Confidence of the day, 0 to 1."),
      amount: described(Schema.optionalKey(Confidence), "Confidence of the amount, 0 to 1."),
      tax_amount: described(Schema.optionalKey(Confidence), "Confidence of the tax, 0 to 1."),
      currency: described(Schema.optionalKey(Confidence), "Confidence of the currency, 0 to 1."),
      vendor: described(Schema.optionalKey(Confidence), "Confidence of the supplier, 0 to 1.")
    }),
    "How certain the fields are, from 0 to 1. Fields that were not found are absent."
  ),
  candidates: described(
    Schema.Struct({
      amount: described(Schema.optionalKey(Candidates), "Possible amounts including taxes, as text."),
      expense_date: described(Schema.optionalKey(Candidates), "Possible days."),
      vendor: described(Schema.optionalKey(Candidates), "Possible suppliers.")
    }),
    "Values that the receipt could mean."
  ),
  checks: described(
    Schema.Array(
      Schema.Struct({
        code: described(Schema.String, "Name of the check.", "net_plus_tax_equals_total"),
        passed: described(Schema.Boolean, "True if the fields passed the check.")
      })
    ),
    "Checks of the fields against each other."
  ),
  warnings: described(
    Schema.Array(Schema.String),
    "English sentences about what a person should check, and about values taken from earlier expenses of the supplier."
  ),
  error: described(
    Schema.NullOr(
      Schema.Struct({
        code: described(Schema.String, "Stable name of the reason, for programs."),
        message: described(Schema.String, "The reason, in one English sentence.")
      })
    ),
    "Why the receipt, or its amount, could not be read; null unless the status is `failed`."
  ),
  /** No API response contains this value. Absent if nothing was read. */
  trace: Schema.optionalKey(ReadingTrace)
})
export type Extraction = typeof Extraction.Type

export const nothing = { fields: {}, confidence: { overall: 0 }, candidates: {}, checks: [], warnings: [] } as const

export const failed = (source: Extraction["source"], code: string, message: string): Extraction => ({
  source,
  status: "failed",
  ...nothing,
  error: { code, message }
})
