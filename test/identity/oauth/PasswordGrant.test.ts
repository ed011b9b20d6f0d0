import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { mobileScopes } from "../../../src/identity/Scope.ts"
import { useApp } from "../../support/App.ts"
import { client, duringStorm, password, person, type Registered, tokenRequest } from "../Visitor.ts"

const app = useApp({ trustedProxies: ["127.0.0.0/8"] })
let ana: { readonly email: string }
let mobile: Registered
let website: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
  website = await client(app, { confidential: true, password_grant: true })
})

const login = (registered: Registered, changes: Record<string, string | undefined> = {}, from?: string) => {
  const fields = {
    grant_type: "password",
    client_id: registered.id,
    client_secret: registered.secret,
    username: ana.email,
    password,
    ...changes
  }
  return tokenRequest(app, fields, from === undefined ? {} : { "x-forwarded-for": from })
}

const guessAt = (username: string, from?: string) => login(website, { username, password: "wrong password" }, from)

/**
 * Sets all counters of failed logins: those of each account and network (`site`), or those of each IP address
 * (`address`). Also ends the delays.
 */
const failed = (kind: "site" | "address", failures: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update login_failures set failures = ${failures}, blocked_until = now() where key like ${`${kind}:%`}`
    })
  )

/** Measures the CPU microseconds of the answer to a wrong password, including hashing in other threads. */
const cost = async (username: string) => {
  const before = process.cpuUsage()
  await login(website, { username, password: "wrong password" })
  const { system, user } = process.cpuUsage(before)
  return system + user
}

describe("the password grant", () => {
  it("works only for clients that have it", async () => {
    const answer = await login(mobile)
    expect([answer.status, answer.body.error]).toEqual([400, "unauthorized_client"])
    expect((await login(website)).body.scope).toBe(mobileScopes.join(" "))
    expect((await login(website, { username: ana.email.toUpperCase(), scope: "invoices:read" })).body.scope).toBe(
      "invoices:read"
    )
    expect((await login(website, { scope: "*" })).body.error).toBe("invalid_scope")
    expect((await login(website, { password: undefined })).body.error).toBe("invalid_request")
  })

  it("answers the same for a wrong password, an unknown user and one without a password", async () => {
    const { owner } = await app.organization()
    const other = await person(app)
    const answers = [
      await login(website, { username: other.email, password: "wrong password" }),
      await login(website, { username: "nobody@example.com" }),
      await login(website, { username: "no address" }),
      await login(website, { username: owner.email })
    ]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect([answers[0]?.status, answers[0]?.body.error]).toEqual([400, "invalid_grant"])
  })

  it("takes as long for an unknown user as for a known one", async () => {
    const known = await person(app)
    // Known and unknown addresses alternate, so that other load affects both equally.
    const costs: Array<readonly [unknown: number, known: number]> = []
    for (let index = 0; index < 9; index++) {
      costs.push([await cost(`nobody${index}@example.com`), await cost(known.email)])
    }
    const ratio = costs.map(([unknown, known]) => unknown / known).toSorted((a, b) => a - b)[4]
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it("answers 503 temporarily_unavailable while too many passwords are being checked", async () => {
    const answers = await duringStorm(app, () => Promise.all(Array.from({ length: 8 }, () => login(website))))
    const busy = answers.filter(({ status }) => status !== 200)
    expect(busy.length).toBeGreaterThan(0)
    for (const { body, headers, status } of busy) {
      expect([status, body.error]).toEqual([503, "temporarily_unavailable"])
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    }
    expect((await login(website)).status).toBe(200)
  })

  it("lets one person log in from thirty places at the same time", async () => {
    const busy = await person(app)
    const answers = await Promise.all(Array.from({ length: 30 }, () => login(website, { username: busy.email })))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  })

  it("delays the eleventh guess at an account, even of sixteen at once, and admits the owner afterwards", async () => {
    const victim = await person(app)
    const guess = () => login(website, { username: victim.email, password: "wrong password" })
    const started = performance.now()
    const guesses = await Promise.all(Array.from({ length: 16 }, guess))
    const seconds = (performance.now() - started) / 1000
    const checked = guesses.filter(({ status }) => status === 400)
    const delayed = guesses.filter(({ status }) => status === 429)
    expect(checked.length + delayed.length).toBe(16)
    // The eleventh guess waits for one second. Each further one would wait twice as long as the one before, but a wait
    // of more than a second is refused.
    expect(checked.length).toBeGreaterThanOrEqual(11)
    expect(checked.length).toBeLessThanOrEqual(10 + Math.log2(1 + seconds))
    expect(delayed[0]?.body).toEqual({ message: "Too Many Attempts." })
    const delays = delayed.map(({ headers }) => Number(headers.get("retry-after")))
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1)
    const early = await login(website, { username: victim.email })
    if (early.status === 429) await sleep(Number(early.headers.get("retry-after")) * 1000)
    expect((await login(website, { username: victim.email })).status).toBe(200)
    // A correct password resets the count of failed logins.
    expect((await guess()).status).toBe(400)
  })

  it("doubles the delay up to fifteen minutes and never locks the account", async () => {
    const victim = await person(app)
    const guess = () => login(website, { username: victim.email, password: "wrong password" })
    await guess()
    for (const [failures, seconds] of [
      [13, 16],
      [14, 32],
      [19, 900],
      [5000, 900]
    ] as const) {
      await failed("site", failures)
      const started = performance.now()
      expect((await guess()).status).toBe(400)
      const retry = Number((await guess()).headers.get("retry-after"))
      expect(retry).toBeGreaterThanOrEqual(seconds - (performance.now() - started) / 1000)
      expect(retry).toBeLessThanOrEqual(seconds)
    }
    await failed("site", 5000)
    expect((await login(website, { username: victim.email })).status).toBe(200)
  })
})

describe("guesses from one address", () => {
  it("at many accounts are delayed, too, and one success does not reset them", async () => {
    const own = await person(app)
    // After so many failures, the delay is long enough that the next guess is refused.
    await failed("address", 205)
    expect((await login(website, { username: own.email })).status).toBe(200)
    expect((await guessAt("first@example.com")).status).toBe(400)
    expect((await guessAt("second@example.com")).status).toBe(429)
    await failed("address", 0)
  })

  it("count for its IPv6 network, because a client may use all of its addresses", async () => {
    expect((await guessAt("third@example.com", "2001:db8:0:1::1")).status).toBe(400)
    await failed("address", 205)
    expect((await guessAt("fourth@example.com", "2001:db8:0:1::2")).status).toBe(400)
    expect((await guessAt("fifth@example.com", "2001:db8:0:1:f::3")).status).toBe(429)
    expect((await guessAt("fifth@example.com", "2001:db8:0:2::1")).status).toBe(400)
    await failed("address", 0)
  })

  it("do not count while they are refused, so a script with an old password delays no other account", async () => {
    const [office, script] = ["203.0.113.20", "script@example.com"]
    await guessAt(script, office)
    await failed("site", 5000)
    await failed("address", 195)
    expect((await guessAt(script, office)).status).toBe(400)
    for (let count = 0; count < 15; count++) expect((await guessAt(script, office)).status).toBe(429)
    expect((await guessAt("sixth@example.com", office)).status).toBe(400)
    expect((await guessAt("seventh@example.com", office)).status).toBe(400)
    await failed("address", 0)
  })

  it("are forgotten a day after the first of them, although others followed", async () => {
    const office = "203.0.113.21"
    await guessAt("eighth@example.com", office)
    await failed("address", 5000)
    expect((await guessAt("ninth@example.com", office)).status).toBe(400)
    expect((await guessAt("tenth@example.com", office)).status).toBe(429)
    await app.inDatabase(`update login_failures set blocked_until = now(), first_at = now() - interval '24 hours'
      where key = 'address:${office}'`)
    expect((await guessAt("eleventh@example.com", office)).status).toBe(400)
    expect((await guessAt("twelfth@example.com", office)).status).toBe(400)
    await failed("address", 0)
  })
})
