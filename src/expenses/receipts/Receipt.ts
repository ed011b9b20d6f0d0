import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExpenseId, ReceiptRef } from "../../kernel/Ids.ts"
import { Extraction } from "./Extraction.ts"

const Common = {
  receipt_ref: ReceiptRef,
  /** What an expense names it by. */
  receipt_path: Schema.String,
  /** The expense it belongs to, since the upload named it or since an expense took its path. */
  expense_id: Schema.NullOr(ExpenseId)
}

/** A capture that is being read; what an upload answers. Contract section 9. */
export const PendingReceipt = Schema.Struct({
  ...Common,
  status: Schema.Literal("processing"),
  poll_url: Schema.String
})
export type PendingReceipt = typeof PendingReceipt.Type

export const pendingReceipt = (
  receipt: Pick<PendingReceipt, "receipt_ref" | "receipt_path" | "expense_id">
): PendingReceipt => ({ ...receipt, status: "processing", poll_url: `/api/v1/expenses/ocr/${receipt.receipt_ref}` })

/** What reading the file came to. `fields` has the keys of an expense's body and can be posted as it is. */
export const ReadingResult = Schema.Struct({
  /** Null when the file could not be read at all. */
  source: Schema.NullOr(Schema.Literals(["embedded_xml", "pdf_text", "ocr"])),
  ...Struct.pick(Extraction.fields, ["fields", "confidence", "candidates", "checks", "warnings", "error"])
})
export type ReadingResult = typeof ReadingResult.Type

/** A capture in a terminal state. */
export const Receipt = Schema.Struct({
  ...Common,
  status: Schema.Literals(["done", "needs_review", "failed"]),
  ...ReadingResult.fields,
  /** An earlier capture of the same file, or of the same vendor, date and amount. */
  duplicate_of: Schema.NullOr(ReceiptRef),
  completed_at: Timestamp,
  /** When it is removed unless an expense takes it; null when one has. */
  expires_at: Schema.NullOr(Timestamp)
})
export type Receipt = typeof Receipt.Type
