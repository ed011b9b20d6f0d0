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

export const FollowUp = Schema.Struct({
  ...EinvoiceKey.fields,
  /** Only jobs from before 2026-11-30 have it; it is true for an extra poll, which now enters `ExtraPollQueue`. */
  is_extra: Schema.optionalKey(Schema.Boolean),
  /**
   * Number of planned polls of the document when this poll was planned. If more are planned meanwhile, this poll is a
   * repetition, for example after a crash, and does nothing. Jobs from before 2026-11-29 lack it.
   */
  polls: Schema.optionalKey(Schema.Int)
})

/** Polls that are planned. A poll that is due enters `PollQueue`. */
export const FollowUpQueue = job({
  name: "einvoices.follow-up",
  payload: FollowUp,
  attempts_max: 5,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 4,
  time_limit: "2 minutes"
})

/** Polls that are due. In this queue, organizations take turns, because a network may answer slowly. */
export const PollQueue = job({ ...FollowUpQueue, name: "einvoices.poll" })

/**
 * Polls that a message of the network or another event causes. The planned polls of the document may be over, so nothing
 * repeats a lost extra poll, and its attempts continue for more than a day. Organizations take turns here, too.
 */
export const ExtraPollQueue = job({
  name: "einvoices.extra-poll",
  payload: EinvoiceKey,
  attempts_max: 60,
  back_off: backOff("5 seconds", "30 minutes"),
  concurrency: 2,
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
