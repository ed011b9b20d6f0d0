import { Schema, Struct } from "effect"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { ExpenseId, ReceiptRef } from "../../../kernel/Ids.ts"
import { Extraction } from "./Extraction.ts"
import { described } from "../../../kernel/Described.ts"

const Common = {
  receipt_ref: ReceiptRef,
  receipt_path: described(Schema.String, "Path by which an expense names the receipt."),
  expense_id: described(
    Schema.NullOr(ExpenseId),
    "Expense named by the upload, or else the one with the path of the receipt; null if none."
  )
}

export const PendingReceipt = Schema.Struct({
  ...Common,
  status: described(Schema.Literal("processing"), "Always `processing`: the receipt is being read."),
  poll_url: described(
    Schema.String,
    "Address that returns the result.",
    "/api/v1/expenses/ocr/7b0e6c7e-3f0d-4c0f-9f0a-0d7f5a1f2c11"
  )
}).annotate({ identifier: "PendingReceipt", description: "A receipt that is being read." })
export type PendingReceipt = typeof PendingReceipt.Type

export const pendingReceipt = (
  receipt: Pick<PendingReceipt, "receipt_ref" | "receipt_path" | "expense_id">
): PendingReceipt => ({ ...receipt, status: "processing", poll_url: `/api/v1/expenses/ocr/${receipt.receipt_ref}` })

export const ReceiptResult = Schema.Struct({
  source: described(
    Schema.NullOr(Schema.Literals(["embedded_xml", "pdf_text", "ocr"])),
    "What was read: an XML invoice, the text of a PDF, or an image by text recognition. Null if the file could not be read."
  ),
  ...Struct.pick(Extraction.fields, ["fields", "confidence", "candidates", "checks", "warnings", "error"])
})
export type ReceiptResult = typeof ReceiptResult.Type

export const Receipt = Schema.Struct({
  ...Common,
  status: described(
    Schema.Literals(["done", "needs_review", "failed"]),
    "`done`: the fields are certain; `needs_review`: a person should look at them; `failed`: no amount was found or the file could not be read."
  ),
  ...ReceiptResult.fields,
  duplicate_of: described(
    Schema.NullOr(ReceiptRef),
    "Earlier receipt with the same file, or with the same supplier, date and amount; null if there is none."
  ),
  completed_at: described(Timestamp, "Time at which the reading ended."),
  expires_at: described(
    Schema.NullOr(Timestamp),
    "Time at which the receipt is removed unless an expense uses it by then; null while one uses it. The retention begins anew when the last expense that used the receipt is deleted or gets another `receipt_path`."
  )
}).annotate({ identifier: "Receipt", description: "A receipt that was read, or could not be read." })
export type Receipt = typeof Receipt.Type
