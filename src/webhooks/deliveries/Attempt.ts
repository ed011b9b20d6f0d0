import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"

/** An attempt to deliver an event, with the delivery's state after it. */
export const Attempt = Schema.Struct({
  id: Schema.Int,
  event_id: Schema.String,
  event: Schema.String,
  attempt: Schema.Int,
  /** A `failed` delivery is retried at `next_attempt_at`; an `exhausted` one is not. */
  status: Schema.Literals(["delivered", "failed", "exhausted"]),
  response_status: Schema.NullOr(Schema.Int),
  /** The first 2 KiB of the response body. */
  response_body: Schema.NullOr(Schema.String),
  duration_ms: Schema.Int,
  /** The reason when there was no response. */
  error: Schema.NullOr(Schema.String),
  next_attempt_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotate({ identifier: "DeliveryAttempt" })
export type Attempt = typeof Attempt.Type

/** The response of the webhook's address. */
export interface Reply {
  readonly response_status: number | null
  readonly response_body: string | null
  readonly duration_ms: number
  readonly error: string | null
  /** Value of the `Retry-After` header. */
  readonly retry_after: string | undefined
}

export const isDelivered = ({ response_status }: Reply): boolean =>
  response_status !== null && response_status >= 200 && response_status < 300

/** RFC 9110, 15.5.11: 410 says that the address does not want further requests. */
export const isGone = ({ response_status }: Reply): boolean => response_status === 410
