import type { Readable } from "node:stream"

/** Limits of all discarded bodies together: a burst is read at full speed, the rest at a fixed rate. */
const burst_bytes = 12 * 1024 * 1024
const bytes_per_second = 4 * 1024 * 1024
const rest_ms = 20

/**
 * Reads and discards the rest of a body, because its client sees the answer only after sending all of it. Reading slows
 * down after too many unwanted bytes.
 */
export const discardingBodies = (): ((body: Readable) => void) => {
  let budget_bytes = burst_bytes
  let counted_ms = performance.now()

  const spend = (bytes: number) => {
    const now_ms = performance.now()
    const earned_bytes = ((now_ms - counted_ms) / 1_000) * bytes_per_second
    budget_bytes = Math.min(burst_bytes, budget_bytes + earned_bytes) - bytes
    counted_ms = now_ms
    return budget_bytes >= 0
  }
  const goOn = (body: Readable) => {
    if (body.destroyed) return
    if (spend(0)) body.resume()
    else setTimeout(goOn, rest_ms, body)
  }
  return (body) => {
    body.unpipe().on("data", ({ length }: Uint8Array) => {
      if (spend(length)) return
      body.pause()
      setTimeout(goOn, rest_ms, body)
    })
    body.resume()
  }
}
