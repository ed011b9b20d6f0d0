import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress } from "../ClientAddress.ts"

/** Interval between requests of one address: 50 per second, which is more than the probes of a whole cluster need. */
const interval_ms = 20
/** An address may send 20 requests without a pause. */
const burst_ms = 20 * interval_ms
const wait_ms_max = 1_000
/** Time after which an address can be forgotten, because none of its requests is still waiting. */
const kept_ms = 2_000

/** Slows down clients of routes without a rate limit: an address that sends requests too fast waits for each answer. */
export const pacing = () => {
  const waitOf = waitTimes()
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (now_ms) => {
      const wait_ms = waitOf(clientAddress(request), now_ms)
      return wait_ms === 0 ? Effect.void : Effect.sleep(wait_ms)
    })
}

export const waitTimes = () => {
  let next = new Map<string, number>()
  let former = next
  let begun_ms = 0
  return (address: string, now_ms: number): number => {
    if (Math.abs(now_ms - begun_ms) >= kept_ms) {
      former = next
      next = new Map()
      begun_ms = now_ms
    }
    const due_ms = next.get(address) ?? former.get(address) ?? 0
    // A due time that is too far in the future means that the clock was set back.
    const known_ms = due_ms > now_ms + wait_ms_max + interval_ms ? now_ms : due_ms
    const turn_ms = Math.min(Math.max(known_ms, now_ms - burst_ms), now_ms + wait_ms_max)
    next.set(address, turn_ms + interval_ms)
    return Math.max(0, turn_ms - now_ms)
  }
}
