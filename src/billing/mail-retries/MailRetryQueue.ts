import { Schedule } from "effect"
import { job } from "../../platform/jobs/Jobs.ts"
import { SendKey } from "../sending/retries/MailRetriesRepo.ts"

/**
 * Repeats the deferred messages of one send, or continues an interrupted send. The pauses between the attempts of a job
 * are for a document in use.
 */
export const MailRetryQueue = job({
  name: "billing.mail-retries",
  payload: SendKey,
  attempts_max: 5,
  back_off: Schedule.spaced("30 seconds"),
  concurrency: 4,
  time_limit: "2 minutes"
})
