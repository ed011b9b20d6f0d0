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
