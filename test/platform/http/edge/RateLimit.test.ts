import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, it } from "vitest"
import { race, statuses } from "../../../support/Billing.ts"
import { movableClock } from "../../../support/service/MovableClock.ts"
import { useApp } from "../../../support/App.ts"
import { seedMember, seedOrganizationToken, seedToken } from "../../../support/database/Seed.ts"

const limit = 5
const clock = movableClock()
const app = useApp({ rateLimitPerMinute: limit }, { clock: clock.layer })
const proxied = useApp({ rateLimitPerMinute: limit, trustedProxies: ["127.0.0.1/32"] })
const two_minutes_ms = 120_000
let now_ms = Date.now()

const { inDatabase } = app

/** Moves the clock ahead, so that the process forgets the callers that it refused. */
const later = () => {
  now_ms = Math.max(now_ms, Date.now()) + two_minutes_ms
  clock.set(now_ms)
}

beforeEach(async () => {
  later()
  await inDatabase("truncate rate_windows")
})

const get = (options: { token?: string; organization?: number } = {}) => app.call("GET", "/api/v1/invoices", options)
const from = async (address: string) =>
  (await proxied.call("GET", "/api/v1/invoices", { headers: { "x-forwarded-for": address } })).status
const useUp = async (options: { token?: string; organization?: number } = {}) => {
  for (let request = 0; request < limit; request++) await get(options)
}

describe("the rate limit", () => {
  it("answers an unknown route with 404 in JSON and the rate headers", async () => {
    const { body, headers, status } = await app.call("GET", "/api/v1/nothing")
    expect(status).toBe(404)
    expect(body).toEqual({ success: false, message: "Not found.", code: "not_found" })
    expect(headers.get("x-ratelimit-limit")).toBe("5")
    expect(headers.get("x-ratelimit-remaining")).toBe("4")
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("counts down, and answers 429 with exactly the prescribed body and when to try again", async () => {
    const remaining = []
    for (let request = 0; request < limit; request++) remaining.push((await get()).headers.get("x-ratelimit-remaining"))
    expect(remaining).toEqual(["4", "3", "2", "1", "0"])
    const asked = clock.now() / 1000
    const { headers, status, text } = await get()
    const answered = clock.now() / 1000
    expect([status, text]).toEqual([429, '{"message":"Too Many Attempts."}'])
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
    const wait = Number(headers.get("retry-after"))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    const reset = Number(headers.get("x-ratelimit-reset"))
    // `wait` and `reset` are rounded to whole seconds.
    expect(reset).toBeGreaterThanOrEqual(asked + wait - 1)
    expect(reset).toBeLessThanOrEqual(answered + wait + 1)
    expect(headers.get("x-ratelimit-remaining")).toBe("0")
  })

  it("is shared by all tokens of a user, in all organizations", async () => {
    const { id: organization, owner } = await app.organization()
    const second = await app.run(seedToken(owner.id, ["*"]))
    await useUp({ token: owner.token, organization })
    expect((await get({ token: second, organization })).status).toBe(429)
    const colleague = await app.run(seedMember(organization, "viewer"))
    expect((await get({ token: colleague.token, organization })).status).toBe(200)
  })

  it("is separate for each organization token", async () => {
    const { id: organization } = await app.organization()
    const first = await app.run(seedOrganizationToken(organization))
    const second = await app.run(seedOrganizationToken(organization))
    await useUp({ token: first })
    expect((await get({ token: first })).status).toBe(429)
    expect((await get({ token: second })).status).toBe(200)
  })

  it("is counted per address without a valid token, and does not affect callers that have one", async () => {
    const { id: organization, owner } = await app.organization()
    await get({ token: "pat_guess1" })
    await get({ token: "pat_guess2" })
    await get()
    await get()
    await get()
    expect((await get({ token: "pat_guess3" })).status).toBe(429)
    expect((await get({ token: owner.token, organization })).status).toBe(200)
  })

  it("ignores an address that a client claims for itself", async () => {
    await useUp()
    const claimed = await app.call("GET", "/api/v1/invoices", { headers: { "x-forwarded-for": "203.0.113.7" } })
    expect(claimed.status).toBe(429)
  })

  it("is counted per address that a trusted proxy names", async () => {
    for (let request = 0; request < limit; request++) expect(await from("192.0.2.1")).toBe(401)
    expect(await from("192.0.2.1")).toBe(429)
    expect(await from("192.0.2.2")).toBe(401)
  })

  it("is counted per IPv6 network, because a client may use all of its addresses", async () => {
    for (let request = 0; request < limit; request++) expect(await from(`2001:db8:0:1::${request}`)).toBe(401)
    expect(await from("2001:db8:0:1:f::1")).toBe(429)
    expect(await from("2001:db8:0:2::1")).toBe(401)
  })

  it("lets exactly the limit through when twenty requests come at once", async () => {
    const { id: organization, owner } = await app.organization()
    const answers = await race(20, () => get({ token: owner.token, organization }))
    expect(statuses(answers)).toEqual({ 200: 5, 429: 15 })
  })

  it("carries out nothing that it refuses", async () => {
    const { id: organization, owner } = await app.organization()
    const create = () =>
      app.call("POST", "/api/v1/customers", { token: owner.token, organization, body: { name: "Beta" } })
    expect(statuses(await race(8, create))).toEqual({ 201: 5, 429: 3 })
    later()
    await inDatabase("truncate rate_windows")
    expect((await app.call("GET", "/api/v1/customers", { token: owner.token, organization })).body.meta.total).toBe(5)
  })

  it("starts again a minute after the first request of the window", async () => {
    await useUp()
    expect((await get()).status).toBe(429)
    later()
    await inDatabase("update rate_windows set started_at = now() - interval '50 seconds'")
    expect((await get()).status).toBe(429)
    later()
    await inDatabase("update rate_windows set started_at = now() - interval '60 seconds'")
    const { headers, status } = await get()
    expect([status, headers.get("x-ratelimit-remaining")]).toEqual([401, "4"])
  })

  it("does not ask the database about a refused caller again until its window ends", async () => {
    const { id: organization, owner } = await app.organization()
    const caller = { token: owner.token, organization }
    const asked = async () =>
      (
        await app.run(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql<{ sum: number }>`select sum(used)::integer from rate_windows`
          )
        )
      )[0]?.sum
    await useUp(caller)
    const refused = await get(caller)
    const before = await asked()
    const again = await get(caller)
    expect([again.status, again.text]).toEqual([429, refused.text])
    for (const name of ["cache-control", "x-ratelimit-limit", "x-ratelimit-remaining"]) {
      expect([name, again.headers.get(name)]).toEqual([name, refused.headers.get(name)])
    }
    expect(Number(again.headers.get("retry-after"))).toBeLessThanOrEqual(Number(refused.headers.get("retry-after")))
    expect(await asked()).toBe(before)
    // Requests with an unknown token count for their address. The address can still send requests with a valid token.
    await useUp({ token: "pat_nobody" })
    expect((await get({ token: "pat_nobody" })).status).toBe(429)
    const counted = await asked()
    for (const token of ["pat_nobody", "pat_other", "x".repeat(8_000)]) {
      expect((await get({ token })).status).toBe(429)
    }
    expect(await asked()).toBe(counted)
    expect((await get({ token: `pat_${"x".repeat(43)}` })).status).toBe(429)
    expect(await asked()).toBe((counted ?? 0) + 1)
    const colleague = await app.run(seedMember(organization, "viewer"))
    expect((await get({ token: colleague.token, organization })).status).toBe(200)
    later()
    await inDatabase("truncate rate_windows")
    expect((await get(caller)).status).toBe(200)
  })

  it("does not apply to the health checks", async () => {
    await useUp()
    const { body, headers, status } = await app.call("GET", "/health/ready")
    expect(status).toBe(200)
    expect(body).toEqual({ status: "ready", checks: { database: "ok", storage: "ok", disk: "ok" } })
    expect(headers.get("x-ratelimit-limit")).toBeNull()
  })
})
