import { Schedule, Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { job } from "../../platform/jobs/Jobs.ts"

const back_off_min = "1 minute"
const back_off_max = "30 minutes"

/** Proving one organization's archive. Attempts are for outages of the storage, and spread over three hours. */
export const IntegrityQueue = job({
  name: "archive.proof",
  payload: Schema.Struct({ organization_id: OrganizationId }),
  attempts_max: 10,
  back_off: Schedule.min([Schedule.exponential(back_off_min), Schedule.spaced(back_off_max)]),
  concurrency: 1,
  // What is not read by then is read by the next attempt.
  time_limit: "1 hour"
})
