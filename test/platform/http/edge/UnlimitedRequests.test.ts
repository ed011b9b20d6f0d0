import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

/** Stands still, so that no machine is too slow to ask often within a second. */
const now_ms = Date.now()
const standing = Layer.succeed(
  Clock.Clock,
  Object.assign(Object.create(Clock.Clock.defaultValue()), {
    currentTimeMillisUnsafe: () => now_ms,
    currentTimeMillis: Effect.succeed(now_ms)
  })
)
const app = useApp({ trustedProxies: ["127.0.0.1/32"] }, { clock: standing })

const ask = (path: string, address: string) => app.call("GET", path, { headers: { "x-forwarded-for": address } })
const askFirst = (address: string) =>
  app.call("OPTIONS", "/api/v1/invoices", { headers: { "x-forwarded-for": address, origin: "https://app.example" } })

it("what has no rate limit answers all that an address asks, but beyond a hundred in a second not at once", async () => {
  const statuses = []
  for (let request = 0; request < 100; request++) statuses.push((await ask("/health/live", "192.0.2.1")).status)
  expect(statuses).toEqual(Array(100).fill(200))
  const paths = ["/health/ready", "/metrics", "/openapi.json", "/.well-known/oauth-authorization-server"]
  for (const path of paths) {
    const started = performance.now()
    expect((await ask(path, "192.0.2.1")).status).toBe(200)
    // A few milliseconds less, for two clocks.
    expect(performance.now() - started).toBeGreaterThan(240)
  }
})

it("so does what a browser asks before it may call", async () => {
  const statuses = []
  for (let request = 0; request < 100; request++) statuses.push((await askFirst("192.0.2.2")).status)
  expect(statuses).toEqual(Array(100).fill(204))
  const started = performance.now()
  expect((await askFirst("192.0.2.2")).status).toBe(204)
  expect(performance.now() - started).toBeGreaterThan(240)
})
