import { type Duration, Schema } from "effect"
import { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/**
 * Reads one receipt. The attempts bridge outages of the storage or the reader, so they take nearly an hour. The job's
 * id names the receipt, so each receipt is read once.
 */
export const ReceiptQueue = job({
  name: "receipts.ocr",
  payload: Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef }),
  attempts_max: 12,
  back_off: backOff("5 seconds", "10 minutes"),
  // The worker replaces this by the number of reading processes.
  concurrency: 1,
  // Time for fetching the file, and for twice starting a process (2 minutes) and reading for five minutes.
  time_limit: "15 minutes"
})

/** Pauses before a reading that ran out of time is tried again; they add up to a day. */
const pauses: ReadonlyArray<Duration.Input> = ["10 minutes", "1 hour", "5 hours", "18 hours"]

/** Id of the job that reads a receipt; each further try is a job of its own. */
export const readingJobId = (receipt_ref: ReceiptRef, timeouts: number): string =>
  timeouts === 0 ? receipt_ref : `${receipt_ref}/${timeouts}`

/** Pause before the next try of a receipt whose readings ran out of time so often; undefined after the last try. */
export const pauseAfter = (timeouts: number): Duration.Input | undefined => pauses[timeouts - 1]
