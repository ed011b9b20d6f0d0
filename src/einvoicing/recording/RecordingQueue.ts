import { Schema } from "effect"
import { DepositKey } from "../../archive/deposits/Deposit.ts"
import { Timestamp } from "../../kernel/Calendar.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { EinvoiceKey } from "../documents/Einvoice.ts"

/**
 * Submits one issued document to an authority that registers all documents. The attempts continue for more than a day.
 */
export const RecordingQueue = job({
  name: "einvoices.recording",
  payload: Schema.Struct(DepositKey.fields),
  attempts_max: 60,
  back_off: backOff("5 seconds", "30 minutes"),
  // A process runs one job at a time, so that the records follow the order of issue as far as possible.
  concurrency: 1,
  time_limit: "1 minute"
})

export const Cancellation = Schema.Struct({
  ...EinvoiceKey.fields,
  /** Jobs from before 2026-11-29 lack it. */
  ordered_at: Schema.optionalKey(Timestamp)
})

export const CancellationQueue = job({
  name: "einvoices.cancellation",
  payload: Cancellation,
  attempts_max: 60,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 1,
  time_limit: "2 minutes"
})
