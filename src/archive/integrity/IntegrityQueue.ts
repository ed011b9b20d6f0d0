import { Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** Proving one organization's archive. Attempts are for outages of the storage, and spread over three hours. */
export const IntegrityQueue = job({
  name: "archive.proof",
  payload: Schema.Struct({ organization_id: OrganizationId }),
  attempts_max: 10,
  back_off: backOff("1 minute", "30 minutes"),
  concurrency: 1,
  // What is not read by then is read by the next attempt.
  time_limit: "1 hour"
})
