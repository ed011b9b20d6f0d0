import { Schema } from "effect"

const sales_kinds = ["invoice", "credit_note", "payment"] as const
export type SalesKind = (typeof sales_kinds)[number]

export const record_kinds = [...sales_kinds, "expense"] as const
export type RecordKind = (typeof record_kinds)[number]

/** A row of the books: a document with a number, a payment or an expense. */
export interface StoredRecord {
  readonly id: number
  /** `numbered` means a draft that already has a number. */
  readonly state: "numbered" | "sealed" | "void"
  readonly number: string | null
  /** The sealed fields as canonical JSON, whose SHA-256 is the seal; null for a draft and for an unreadable row. */
  readonly facts: string | null
  /** True if an invoice's stored sums equal its payments and credit notes, and its sales entries equal its lines. */
  readonly isBalanced: boolean
}

/** The next number of a series of document numbers, as the counter in the database says. */
export const Counter = Schema.Struct({
  document: Schema.Literals(["invoice", "credit_note"]),
  series: Schema.String,
  next: Schema.Int
})
export type Counter = typeof Counter.Type
