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

/** `photo`: of paper on a table. `scan`: flat, no margin. The PDFs: with text, with a picture only, with XML attached. */
export const media = ["photo", "scan", "text_pdf", "scanned_pdf", "structured_pdf"] as const
export type Medium = (typeof media)[number]

/** How much a receipt says of the tax in it. */
export type TaxDetail = "none" | "sum" | "rates"

interface TruthTaxRow {
  /** Percent, in decimal text without trailing zeros. */
  readonly rate: string
  readonly taxable_amount: string
  readonly tax_amount: string
}

/** What a careful bookkeeper would enter; amounts with two decimals, the day as `Y-m-d`. */
export interface Truth {
  readonly vendor: string
  readonly expense_date: string
  /** What was paid: after cash rounding, with the tip. */
  readonly amount: string
  readonly currency: string
  readonly tax_rates: ReadonlyArray<TruthTaxRow>
  /** Absent when the paper does not say it. */
  readonly tax_amount?: string
  readonly reference: string
  readonly payment_method: "cash" | "card" | "bank_transfer"
  /** Absent where bookkeepers differ. */
  readonly category?: string
}

/** What the service knows of its user when the receipt arrives. */
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
  /** `language:fr`, `kind:fuel`, `medium:photo`, `rates:2`, `effect:skew` and so on. */
  readonly classes: ReadonlyArray<string>
}

/** One basket line as printed. The price is what the paper shows: with tax, except on invoices and in the United States. */
export interface Line {
  readonly name: string
  readonly quantity: number
  readonly unit_price: Cents
  readonly total: Cents
  /** Tax rate in tenths of a percent. */
  readonly permille: number
}
