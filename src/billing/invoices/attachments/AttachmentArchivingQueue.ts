import { Schema } from "effect"
import { InvoiceId, OrganizationId } from "../../../kernel/Ids.ts"
import { backOff, job } from "../../../platform/jobs/Jobs.ts"

/** Each job archives the files of one invoice. The retries cover a storage outage of about half an hour. */
export const AttachmentArchivingQueue = job({
  name: "billing.attachment-archiving",
  payload: Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId }),
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 1,
  // An invoice may have 100 files with 1 GiB in total.
  time_limit: "10 minutes"
})
