import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { DepositKey } from "../../archive/deposits/Deposit.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

export const ArchivingJob = Schema.Struct({
  ...DepositKey.fields,
  /** Time of the deposit that the job fulfils. If it is absent, the job fulfils any deposit of the document. */
  ordered_at: Schema.optionalKey(Timestamp)
})
export type ArchivingJob = typeof ArchivingJob.Type

/** Archives one issued document. The pauses between attempts add up to about 37 minutes, to bridge a storage outage. */
export const ArchivingQueue = job({
  name: "billing.archiving",
  payload: ArchivingJob,
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 2,
  time_limit: "2 minutes"
})
