import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { described } from "../../kernel/Described.ts"
import { pageQuery } from "../../kernel/Envelope.ts"
import { EventName } from "../../kernel/EventName.ts"
import { test_event } from "../events/Event.ts"

const AttemptStatus = Schema.Literals(["delivered", "failed", "exhausted"])

export const Attempt = Schema.Struct({
  id: described(Schema.Int, "Id of the attempt in the log."),
  event_id: described(Schema.String, "Id of the event; it is the same in all attempts and in the header `webhook-id`."),
  event: described(Schema.String, "Name of the event."),
  attempt: described(Schema.Int, "Number of the attempt, from 1."),
  status: described(
    AttemptStatus,
    "`delivered`: answered with 2xx; `failed`: tried again at `next_attempt_at`; `exhausted`: not tried again."
  ),
  response_status: described(Schema.NullOr(Schema.Int), "HTTP status of the answer; null if there was none."),
  response_body: described(Schema.NullOr(Schema.String), "The first 2 KiB of the answer; null if there was none."),
  duration_ms: described(Schema.Int, "Duration of the request in milliseconds."),
  error: described(Schema.NullOr(Schema.String), "Why there was no answer; null if there was one."),
  next_attempt_at: described(Schema.NullOr(Timestamp), "Time of the next attempt; null if there is none."),
  created_at: described(Timestamp, "Time of the attempt.")
}).annotate({ identifier: "DeliveryAttempt", description: "One attempt to deliver an event to a webhook." })
export type Attempt = typeof Attempt.Type

export const logQuery = {
  ...pageQuery,
  status: described(
    Schema.optionalKey(AttemptStatus.annotate({ message: "must be delivered, failed or exhausted." })),
    "Only attempts with this status."
  ),
  event: described(
    Schema.optionalKey(
      Schema.Literals([...EventName.literals, test_event]).annotate({
        message: "must be an event of the catalog or webhook.test."
      })
    ),
    "Only attempts to deliver this event."
  )
}
export type LogQuery = Schema.Struct.Type<typeof logQuery>

export interface Reply {
  readonly response_status: number | null
  readonly response_body: string | null
  readonly duration_ms: number
  readonly error: string | null
  readonly retry_after: string | undefined
}

/** Makes the reply that is recorded for an attempt without an answer. */
export const unansweredReply = (error: string, duration_ms = 0): Reply => ({
  response_status: null,
  response_body: null,
  duration_ms,
  error,
  retry_after: undefined
})

export const isDelivered = ({ response_status }: Reply): boolean =>
  response_status !== null && response_status >= 200 && response_status < 300

/** RFC 9110, 15.5.11: a receiver that answers 410 asks for no further requests. */
export const isGone = ({ response_status }: Reply): boolean => response_status === 410
