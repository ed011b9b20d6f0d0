import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { useApp } from "../../support/App.ts"

/** Stands still, so that no machine is too slow to ask often within a second. */
let now_ms = Date.now()
const standing = Layer.succeed(
  Clock.Clock,
  Object.assign(Object.create(Clock.Clock.defaultValue()), {
    currentTimeMillisUnsafe: () => now_ms,
    currentTimeMillis: Effect.sync(() => now_ms)
  })
)
const app = useApp({ trustedProxies: ["127.0.0.1/32"] }, { clock: standing })

const ask = (path: string, address: string) => app.call("GET", path, { headers: { "x-forwarded-for": address } })

it("what has no rate limit answers an address a hundred times a second, and 429 beyond, until the next second", async () => {
  const statuses = []
  for (let request = 0; request < 100; request++) statuses.push((await ask("/health/live", "192.0.2.1")).status)
  expect(statuses).toEqual(Array(100).fill(200))
  const { headers, status, text } = await ask("/docs", "192.0.2.1")
  expect([status, text, headers.get("retry-after")]).toEqual([429, '{"message":"Too Many Attempts."}', "1"])
  expect((await ask("/health/live", "192.0.2.2")).status).toBe(200)
  now_ms += 1_000
  expect((await ask("/health/live", "192.0.2.1")).status).toBe(200)
})
