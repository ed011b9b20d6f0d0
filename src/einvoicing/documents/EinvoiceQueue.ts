import { Schema } from "effect"
import { EinvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

const payload = Schema.Struct({ organization_id: OrganizationId, id: EinvoiceId })

/** Bringing one document to its network. Attempts are for outages of it or of the archive: about six hours of them. */
export const TransmissionQueue = job({
  name: "einvoices.transmission",
  payload,
  attempts_max: 20,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 4,
  time_limit: "2 minutes"
})

/** Asking the network once what became of one document; the next time is another job. */
export const FollowUpQueue = job({
  name: "einvoices.follow-up",
  payload,
  attempts_max: 5,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 4,
  time_limit: "2 minutes"
})
