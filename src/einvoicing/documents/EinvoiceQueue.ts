import { Duration, Schema } from "effect"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { EinvoiceKey, Message } from "./Einvoice.ts"

/** Submits one document to its network. The attempts outlast a five-hour outage of the network or the archive. */
export const TransmissionQueue = job({
  name: "einvoices.transmission",
  payload: EinvoiceKey,
  attempts_max: 20,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 4,
  time_limit: "2 minutes"
})

/** Time after which a pending submission counts as lost. It is longer than all attempts of the job together. */
export const submitting_max = Duration.hours(12)

/** A regular poll of the network enqueues the next one. An extra poll, caused by a message, does not. */
export const FollowUp = Schema.Struct({ ...EinvoiceKey.fields, is_extra: Schema.optionalKey(Schema.Boolean) })

export const FollowUpQueue = job({
  name: "einvoices.follow-up",
  payload: FollowUp,
  attempts_max: 5,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 4,
  time_limit: "2 minutes"
})

/** Archives the status of a submission after a message. The attempts outlast a half-hour outage of the archive. */
export const SnapshotQueue = job({
  name: "einvoices.snapshot",
  payload: Schema.Struct({ ...EinvoiceKey.fields, message_id: Message.fields.message_id }),
  attempts_max: 12,
  back_off: backOff("2 seconds", "10 minutes"),
  concurrency: 1,
  time_limit: "2 minutes"
})
