import { Schema } from "effect"
import { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/**
 * Reads one receipt. The attempts bridge outages of the storage or the reader, so they take nearly an hour. The job's
 * id is the receipt's reference, so each receipt is read once.
 */
export const ReceiptQueue = job({
  name: "receipts.ocr",
  payload: Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef }),
  attempts_max: 12,
  back_off: backOff("5 seconds", "10 minutes"),
  // The worker replaces this by the number of reading processes.
  concurrency: 1,
  // Time for fetching the file, and for twice starting a process and reading for a minute.
  time_limit: "4 minutes"
})
