import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExpenseId, ReceiptRef } from "../../kernel/Ids.ts"
import { Extraction } from "./Extraction.ts"

const Common = {
  receipt_ref: ReceiptRef,
  /** The path by which an expense names the receipt. */
  receipt_path: Schema.String,
  /** The expense that the upload named, else the expense that names the receipt's path. */
  expense_id: Schema.NullOr(ExpenseId)
}

/** A receipt that is still being read, as an upload answers it. */
export const PendingReceipt = Schema.Struct({
  ...Common,
  status: Schema.Literal("processing"),
  poll_url: Schema.String
}).annotate({ identifier: "PendingReceipt" })
export type PendingReceipt = typeof PendingReceipt.Type

export const pendingReceipt = (
  receipt: Pick<PendingReceipt, "receipt_ref" | "receipt_path" | "expense_id">
): PendingReceipt => ({ ...receipt, status: "processing", poll_url: `/api/v1/expenses/ocr/${receipt.receipt_ref}` })

/** The result of reading the file. `fields` has the names of the expense body, so it can be posted as it is. */
export const ReceiptResult = Schema.Struct({
  /** Null when the file could not be read at all. */
  source: Schema.NullOr(Schema.Literals(["embedded_xml", "pdf_text", "ocr"])),
  ...Struct.pick(Extraction.fields, ["fields", "confidence", "candidates", "checks", "warnings", "error"])
})
export type ReceiptResult = typeof ReceiptResult.Type

/** A receipt that has been read, or whose reading has failed. */
export const Receipt = Schema.Struct({
  ...Common,
  status: Schema.Literals(["done", "needs_review", "failed"]),
  ...ReceiptResult.fields,
  /** An earlier receipt with the same file, or with the same vendor, date and amount. */
  duplicate_of: Schema.NullOr(ReceiptRef),
  completed_at: Timestamp,
  /** Time at which the receipt is removed unless an expense takes the receipt; null when one has. */
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Receipt" })
export type Receipt = typeof Receipt.Type
