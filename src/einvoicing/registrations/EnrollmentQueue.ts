import { Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { ProviderCode } from "../providers/Network.ts"

/** Longer than the lease under which a network is asked. */
export const repair_delay = "1 minute"

/** Telling a network once more what is registered here. Attempts are for its outages: about a day of them. */
export const EnrollmentRepairQueue = job({
  name: "einvoicing.enrollment-repair",
  payload: Schema.Struct({ organization_id: OrganizationId, provider: ProviderCode }),
  attempts_max: 30,
  back_off: backOff("30 seconds", "1 hour"),
  concurrency: 1,
  time_limit: "1 minute"
})
