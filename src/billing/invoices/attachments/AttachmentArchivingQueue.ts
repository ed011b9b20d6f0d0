import { Schema } from "effect"
import { InvoiceId, OrganizationId } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/** Archiving the files of one invoice. The attempts outlast an outage of the storage of an hour. */
export const AttachmentArchivingQueue = job({
  name: "billing.attachment-archiving",
  payload: Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId }),
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 1,
  // The 100 files of an invoice may hold 1 GiB.
  time_limit: "10 minutes"
})
