import { failing_days_max } from "../subscriptions/Webhook.ts"
import type { Reply } from "./Attempt.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Pauses between the attempts: 12 attempts over 97 hours. */
const pauses_ms: ReadonlyArray<number> = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  22 * hour,
  24 * hour
]

/** Fraction by which a pause may vary, so that deliveries that failed together are not retried together. */
const jitter = 0.1

const retry_after_ms_max = 24 * hour

/**
 * Time after which a failed attempt no longer tells whether the address still fails. It is longer than all pauses, so
 * only an address to which nothing had to be sent reaches it.
 */
export const quiet_ms_max = 30 * hour

export const failing_ms_max = failing_days_max * 24 * hour

interface Failure {
  /** Number of the attempt, counted from 1. */
  readonly attempt: number
  readonly reply: Reply
  /** A random number between 0 and 1. */
  readonly random: number
  readonly now_ms: number
}

/** Milliseconds until the next attempt; null when there is none. */
export const pauseAfter = ({ attempt, now_ms, random, reply }: Failure): number | null => {
  const pause = pauses_ms[attempt - 1]
  if (pause === undefined) return null
  const jittered = pause * (1 + jitter * (2 * random - 1))
  return Math.round(Math.max(jittered, retryAfter(reply, now_ms)))
}

/** Retry-After has seconds or a date (RFC 9110, 10.2.3). It counts only with 429 and 503, and for at most a day. */
const retryAfter = ({ response_status, retry_after }: Reply, now_ms: number): number => {
  if (retry_after === undefined || (response_status !== 429 && response_status !== 503)) return 0
  const asked = /^\d{1,10}$/.test(retry_after) ? Number(retry_after) * second : Date.parse(retry_after) - now_ms
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), retry_after_ms_max)
}
