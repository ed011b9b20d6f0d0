import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { EventKey } from "./Event.ts"

/** Archives one event. The pauses between attempts add up to about 37 minutes, to bridge an outage of the storage. */
export const EventArchivingQueue = job({
  name: "webhooks.event-archiving",
  payload: EventKey,
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 1,
  time_limit: "2 minutes"
})
