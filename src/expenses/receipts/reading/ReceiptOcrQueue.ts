import { Schema } from "effect"
import { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/**
 * Reading one receipt. Attempts are for outages of the storage or the reader, and so spread over nearly an hour. The job
 * has the receipt's ref as its id: a receipt is read once.
 */
export const ReceiptOcrQueue = job({
  name: "receipts.ocr",
  payload: Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef }),
  attempts_max: 12,
  back_off: backOff("5 seconds", "10 minutes"),
  // Replaced by the number of processes that read.
  concurrency: 1,
  // Fetching the file; starting a process and reading for a minute, twice over.
  time_limit: "4 minutes"
})
