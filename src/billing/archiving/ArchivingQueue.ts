import { Schema } from "effect"
import { DepositKey } from "../../archive/deposits/Deposit.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** Printing and archiving one issued document. Attempts are for outages of the storage, and spread over an hour. */
export const ArchivingQueue = job({
  name: "billing.archiving",
  payload: Schema.Struct(DepositKey.fields),
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 2,
  time_limit: "2 minutes"
})
