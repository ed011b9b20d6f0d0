import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"

/** One attempt to deliver an event, with the state it left the delivery in; contract section 15. */
export const Attempt = Schema.Struct({
  id: Schema.Int,
  event_id: Schema.String,
  event: Schema.String,
  attempt: Schema.Int,
  /** `failed` is tried again at `next_attempt_at`; `exhausted` is not. */
  status: Schema.Literals(["delivered", "failed", "exhausted"]),
  response_status: Schema.NullOr(Schema.Int),
  /** The first 2 KiB of the answer. */
  response_body: Schema.NullOr(Schema.String),
  duration_ms: Schema.Int,
  /** Why there was no answer. */
  error: Schema.NullOr(Schema.String),
  next_attempt_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
})
export type Attempt = typeof Attempt.Type

/** What came back from the address. */
export interface Reply {
  readonly response_status: number | null
  readonly response_body: string | null
  readonly duration_ms: number
  readonly error: string | null
  /** The `Retry-After` header. */
  readonly retry_after: string | undefined
}

export const isDelivered = ({ response_status }: Reply): boolean =>
  response_status !== null && response_status >= 200 && response_status < 300

/** RFC 9110, 15.5.11: the address does not want to be asked again. */
export const isGone = ({ response_status }: Reply): boolean => response_status === 410
