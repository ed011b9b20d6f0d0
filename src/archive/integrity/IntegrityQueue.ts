import { Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** Proves one organization. The pauses between attempts add up to about 2.5 hours, to bridge a storage outage. */
export const IntegrityQueue = job({
  name: "archive.proof",
  payload: Schema.Struct({ organization_id: OrganizationId }),
  attempts_max: 10,
  back_off: backOff("1 minute", "30 minutes"),
  concurrency: 1,
  // An attempt that takes longer is stopped, and the next attempt continues the proof.
  time_limit: "1 hour"
})
