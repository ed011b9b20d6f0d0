import { Schema } from "effect"
import { described } from "../../kernel/Described.ts"

const Confidence = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Candidates = Schema.Array(
  Schema.Struct({
    value: described(Schema.String, "A possible value, as text."),
    confidence: described(Confidence, "How likely the value is, 0 to 1.")
  })
)
const Text = Schema.optionalKey(Schema.String)

/**
 * The names are those of the expense body, so that the fields can be posted as they are; uncertain fields are absent.
 */
export const ExtractedFields = Schema.Struct({
  expense_date: Text,
  vendor: Text,
  /** Amount including taxes, as text with the currency's decimals. */
  amount: Text,
  tax_amount: Text,
  currency: Text,
  category: Text,
  /** No receipt has a description, so one is added to the answer, which the client can then post. */
  description: Text,
  reference: Text,
  payment_method: Text,
  tax_rates: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        rate: described(Schema.String, "Rate in percent."),
        taxable_amount: described(Schema.String, "Amount without this tax, in the currency of the receipt."),
        tax_amount: described(Schema.String, "Tax of this rate, in the currency of the receipt.")
      })
    )
  )
}).annotate({ identifier: "ReceiptFields" })
export type ExtractedFields = typeof ExtractedFields.Type

const ExtractionStatus = Schema.Literals(["done", "needs_review", "failed"])

/** The stored result of reading a receipt. */
export const Extraction = Schema.Struct({
  source: Schema.Literals(["embedded", "text_layer", "ocr"]),
  status: ExtractionStatus,
  fields: ExtractedFields,
  confidence: Schema.Struct({
    /** The lowest confidence of the required fields and of the extracted amounts. */
    overall: Confidence,
    expense_date: Schema.optionalKey(Confidence),
    amount: Schema.optionalKey(Confidence),
    tax_amount: Schema.optionalKey(Confidence),
    currency: Schema.optionalKey(Confidence),
    vendor: Schema.optionalKey(Confidence)
  }),
  candidates: Schema.Struct({
    amount: Schema.optionalKey(Candidates),
    expense_date: Schema.optionalKey(Candidates),
    vendor: Schema.optionalKey(Candidates)
  }),
  checks: Schema.Array(
    Schema.Struct({
      code: described(Schema.String, "Name of the check.", "net_plus_tax_equals_total"),
      passed: described(Schema.Boolean, "True if the fields passed the check.")
    })
  ),
  warnings: Schema.Array(Schema.String),
  error: described(
    Schema.NullOr(
      Schema.Struct({
        code: described(Schema.String, "Stable name of the reason, for programs."),
        message: described(Schema.String, "The reason, in one English sentence.")
      })
    ),
    "Why nothing could be read; null unless the status is `failed`."
  )
})
export type Extraction = typeof Extraction.Type

/** The empty result of a receipt from which nothing could be read. */
export const nothing = { fields: {}, confidence: { overall: 0 }, candidates: {}, checks: [], warnings: [] } as const
