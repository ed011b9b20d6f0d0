import { type Duration, Schema } from "effect"
import { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/**
 * The attempts outlast outages of a day. The job's id follows from the receipt, so each receipt is read once.
 */
export const ReceiptQueue = job({
  name: "receipts.ocr",
  payload: Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef }),
  attempts_max: 80,
  back_off: backOff("5 seconds", "20 minutes"),
  // The worker replaces this by the number of processes with an OCR engine.
  concurrency: 1,
  // Two attempts to start a process (2 minutes each) and to read (5 minutes each) fit into it. A job that has to wait
  // for a process longer than that is attempted again.
  time_limit: "15 minutes"
})

/** Number of processes without an OCR engine. While a file hangs in one of them, the other one reads. */
export const text_readers = 2

/**
 * E-invoices and PDF files are first read without an OCR engine, so that none of them waits for the pictures of any
 * organization. Those that need an engine are moved to `ReceiptQueue`, with the same id.
 */
export const ReceiptTextQueue = job({ ...ReceiptQueue, name: "receipts.text", concurrency: text_readers })

/** The queues of an unread receipt, in the order in which it passes through them. */
export const receiptQueues = [ReceiptTextQueue, ReceiptQueue] as const

/** Pauses before the attempts after the reader was stopped, mostly by a timeout; they add up to a day. */
const pauses: ReadonlyArray<Duration.Input> = ["10 minutes", "1 hour", "5 hours", "18 hours"]

/** Each attempt after a timeout is a separate job. */
export const readingJobId = (receipt_ref: ReceiptRef, timeouts: number): string =>
  timeouts === 0 ? receipt_ref : `${receipt_ref}/${timeouts}`

/** Pause before the next attempt after this number of timeouts; undefined after the last attempt. */
export const pauseAfter = (timeouts: number): Duration.Input | undefined => pauses[timeouts - 1]
