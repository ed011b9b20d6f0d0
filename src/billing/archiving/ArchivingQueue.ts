import { Schedule, Schema } from "effect"
import { DepositKey } from "../../archive/deposits/Deposit.ts"
import { job } from "../../platform/jobs/Jobs.ts"

const back_off_min = "2 seconds"
const back_off_max = "10 minutes"

/** Printing and archiving one issued document. Attempts are for outages of the storage, and spread over an hour. */
export const ArchivingQueue = job({
  name: "billing.archiving",
  payload: Schema.Struct(DepositKey.fields),
  attempts_max: 12,
  back_off: Schedule.min([Schedule.exponential(back_off_min), Schedule.spaced(back_off_max)]),
  concurrency: 2,
  time_limit: "2 minutes"
})
