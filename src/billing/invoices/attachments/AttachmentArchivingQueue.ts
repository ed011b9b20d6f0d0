import { backOff, job } from "../../../platform/jobs/Jobs.ts"
import { InvoiceKey } from "./AttachmentsRepo.ts"

/** Each job archives the files of one invoice. The retries cover a storage outage of about half an hour. */
export const AttachmentArchivingQueue = job({
  name: "billing.attachment-archiving",
  payload: InvoiceKey,
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 1,
  // An invoice may have 100 files with 1 GiB in total.
  time_limit: "10 minutes"
})
