import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress } from "../ClientAddress.ts"

/** Of one address; not even the probes of a whole cluster are as many. */
const requests_per_second_max = 100
const pause_ms = 250

/** For what has no rate limit: beyond so many requests of an address in a second, each waits a while for its answer. */
export const unhurried = () => {
  const isFirst = firstOfSecond(requests_per_second_max)
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(Clock.currentTimeMillis, (now_ms) =>
      isFirst(clientAddress(request), now_ms) ? Effect.void : Effect.sleep(pause_ms)
    )
}

const window_ms = 1_000

/** Whether a request is among the first ones of its address in a second. Nothing is kept for longer than that. */
export const firstOfSecond = (requests_max: number) => {
  const asked = new Map<string, number>()
  let started_ms = 0
  return (address: string, now_ms: number): boolean => {
    // A clock may be set back.
    if (Math.abs(now_ms - started_ms) >= window_ms) {
      asked.clear()
      started_ms = now_ms
    }
    const count = (asked.get(address) ?? 0) + 1
    asked.set(address, count)
    return count <= requests_max
  }
}
