import { Schema } from "effect"
import { Environment } from "../../kernel/Environment.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { ProviderCode } from "../providers/Network.ts"

/** Delay of a repair. It is longer than the lease of a change, so that the change has ended when its repair begins. */
export const repair_delay = "1 minute"

/** Repairs the entry of an organization in its network. The attempts continue for 23 hours. */
export const EnrollmentRepairQueue = job({
  name: "einvoicing.enrollment-repair",
  payload: Schema.Struct({
    organization_id: OrganizationId,
    provider: ProviderCode,
    /** Jobs from before 2026-11-29 lack it. */
    environment: Schema.optionalKey(Environment)
  }),
  attempts_max: 30,
  back_off: backOff("30 seconds", "1 hour"),
  concurrency: 1,
  time_limit: "1 minute"
})
