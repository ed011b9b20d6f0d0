import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

/** The clock stands still, so that no machine is too slow to send enough requests within a second. */
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

it("routes without a rate limit answer all requests of an address, but delay those beyond the pace", async () => {
  const asked = Array.from({ length: 40 }, () => ask("/health/live", "192.0.2.1"))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  const paths = ["/health/ready", "/metrics", "/.well-known/oauth-authorization-server"]
  for (const path of paths) {
    const started = performance.now()
    expect((await ask(path, "192.0.2.1")).status).toBe(200)
    // The fortieth request waits for 400 ms, less a few milliseconds, because two clocks are compared.
    expect(performance.now() - started).toBeGreaterThan(390)
  }
})

it("preflights of browsers are delayed in the same way", async () => {
  const asked = Array.from({ length: 40 }, () => askFirst("192.0.2.2"))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(40).fill(204))
  const started = performance.now()
  expect((await askFirst("192.0.2.2")).status).toBe(204)
  expect(performance.now() - started).toBeGreaterThan(390)
})
