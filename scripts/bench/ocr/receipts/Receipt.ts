import type { Cents } from "./Money.ts"

export const languages = ["en", "fr", "nl", "de", "es", "it"] as const
export type Language = (typeof languages)[number]

export const kinds = [
  "supermarket",
  "restaurant",
  "fuel",
  "taxi",
  "hotel",
  "hardware",
  "pharmacy",
  "train",
  "invoice"
] as const
export type Kind = (typeof kinds)[number]

/** A `photo` shows paper on a table; a `scan` is flat without margin; PDFs contain text, a picture or an XML file. */
export const media = ["photo", "scan", "text_pdf", "scanned_pdf", "structured_pdf"] as const
export type Medium = (typeof media)[number]

export type TaxDetail = "none" | "sum" | "rates"

interface TruthTaxRow {
  /** Percentage as decimal text without trailing zeros. */
  readonly rate: string
  readonly taxable_amount: string
  readonly tax_amount: string
}

/** Values that a careful bookkeeper would enter; amounts with two decimals, the day as `Y-m-d`. */
export interface Truth {
  readonly vendor: string
  readonly expense_date: string
  /** Paid amount: after cash rounding, with the tip. */
  readonly amount: string
  readonly currency: string
  readonly tax_rates: ReadonlyArray<TruthTaxRow>
  /** Absent if the paper does not state it. */
  readonly tax_amount?: string
  readonly reference: string
  readonly payment_method: "cash" | "card" | "bank_transfer"
  /** Absent if bookkeepers would choose different categories. */
  readonly category?: string
}

/** Facts that the service knows about its user when the receipt arrives. */
export interface Circumstances {
  readonly country: string
  readonly currency: string
  readonly language: Language
  readonly today: string
  readonly own_names: ReadonlyArray<string>
}

export interface Receipt {
  readonly seed: number
  readonly name: string
  readonly media_type: "image/jpeg" | "image/png" | "application/pdf"
  readonly bytes: Uint8Array
  readonly truth: Truth
  readonly circumstances: Circumstances
  /** Classes such as `language:fr`, `kind:fuel`, `medium:photo`, `rates:2`, `effect:skew`. */
  readonly classes: ReadonlyArray<string>
}

/** A printed line. Its price is the printed one: with tax, except on invoices and in the United States. */
export interface Line {
  readonly name: string
  readonly quantity: number
  readonly unit_price: Cents
  readonly total: Cents
  readonly permille: number
}
