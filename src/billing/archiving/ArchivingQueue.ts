import { Schema } from "effect"
import { DepositKey } from "../../archive/deposits/Deposit.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** Archives one issued document. The pauses between attempts add up to about 37 minutes, to bridge a storage outage. */
export const ArchivingQueue = job({
  name: "billing.archiving",
  payload: Schema.Struct(DepositKey.fields),
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 2,
  time_limit: "2 minutes"
})
