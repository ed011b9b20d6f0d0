import { Schema } from "effect"
import { backOff, job } from "../../platform/jobs/Jobs.ts"

/** Has no payload, because one job records all disconnected webhooks that are not recorded yet. */
export const DisconnectionQueue = job({
  name: "webhooks.disconnected",
  payload: Schema.Struct({}),
  attempts_max: 30,
  back_off: backOff("1 second", "1 hour"),
  concurrency: 1,
  time_limit: "10 minutes"
})
