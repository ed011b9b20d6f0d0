import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { LoginThrottle } from "../../src/identity/users/LoginThrottle.ts"
import { useApp } from "../support/App.ts"
import {
  type Browser,
  browser,
  client,
  duringStorm,
  hiddenFields,
  password,
  person,
  type Registered,
  tokenRequest
} from "./Visitor.ts"

const app = useApp({ trustedProxies: ["127.0.0.0/8"] })
let website: Registered

beforeAll(async () => {
  website = await client(app, { confidential: true, password_grant: true })
})

let networks = 0
const newAddress = () => `198.51.${100 + Math.floor(++networks / 250)}.${1 + (networks % 250)}`

/** Uses the password grant, which has no cookies. */
const grant = (username: string, from: string, secret = password) => {
  const fields = { grant_type: "password", client_id: website.id, client_secret: website.secret }
  return tokenRequest(app, { ...fields, username, password: secret }, { "x-forwarded-for": from })
}

const guess = (username: string, from: string) => grant(username, from, "wrong password")

/** Submits the login page like a browser that is logged out. */
const logIn = async (visitor: Browser, email: string, from: string, secret = password) => {
  visitor.jar.delete("session")
  const headers = { "x-forwarded-for": from }
  const { text } = await visitor.get("/login", headers)
  return visitor.post("/login", { ...hiddenFields(text), email, password: secret }, headers)
}

/** Returns a browser that has logged in before. */
const knownBrowser = async (email: string) => {
  const visitor = browser(app)
  expect((await logIn(visitor, email, newAddress())).status).toBe(303)
  return visitor
}

/** Sets every counter of failed logins of this kind to this number, and ends the delays. */
const setFailures = (kind: string, failures: number) =>
  app.inDatabase(`update login_failures set failures = ${failures}, blocked_until = now() where key like '${kind}:%'`)

/** Delays every login to the account from this network by 15 minutes. */
const besiege = async (email: string, from: string) => {
  await guess(email, from)
  await setFailures("site", 5000)
  expect((await guess(email, from)).status).toBe(400)
}

const deviceFailures = (id: number) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{ failures: number }>`select failures from login_devices where user_id = ${id} order by failures desc`
    )
  )

describe("wrong passwords from one network", () => {
  it("delay that network only: the owner logs in elsewhere at once", async () => {
    const owner = await person(app)
    const attacker = newAddress()
    for (let count = 0; count < 11; count++) expect((await guess(owner.email, attacker)).status).toBe(400)
    expect((await guess(owner.email, attacker)).status).toBe(429)
    expect((await grant(owner.email, newAddress())).status).toBe(200)
    await besiege(owner.email, attacker)
    expect((await grant(owner.email, attacker)).status).toBe(429)
    expect((await logIn(browser(app), owner.email, newAddress())).status).toBe(303)
  })

  it("show a delay on the page, which admits the owner afterwards", async () => {
    const victim = await person(app)
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email: victim.email }
    const guess = () => visitor.post("/login", { ...fields, password: "wrong password" })
    for (let count = 0; count < 11; count++) expect((await guess()).status).toBe(422)
    let delayed = await guess()
    // A delay may end before the next guess. Each delay is twice as long as the one before, so a few more guesses
    // suffice.
    for (let more = 0; more < 4 && delayed.status === 422; more++) delayed = await guess()
    expect(delayed.status).toBe(429)
    const seconds = Number(delayed.headers.get("retry-after"))
    expect(seconds).toBeGreaterThanOrEqual(1)
    await sleep(seconds * 1000)
    expect((await visitor.post("/login", { ...fields, password })).status).toBe(303)
  })

  it("do not delay a browser there that has logged in before", async () => {
    const owner = await person(app)
    const visitor = await knownBrowser(owner.email)
    const shared = newAddress()
    await besiege(owner.email, shared)
    // Failed logins to other accounts have also used up the limit of the IP address.
    await setFailures("address", 220)
    await guess("nobody@example.com", shared)
    expect((await logIn(browser(app), owner.email, shared)).status).toBe(429)
    expect((await logIn(visitor, owner.email, shared, "mistyped")).status).toBe(422)
    expect((await logIn(visitor, owner.email, shared)).status).toBe(303)
    await setFailures("address", 0)
  })

  it("count for the /48 network of IPv6 at one account", async () => {
    const owner = await person(app)
    for (let subnet = 1; subnet <= 10; subnet++) await guess(owner.email, `2001:db8:7:${subnet}::1`)
    await setFailures("site", 14)
    expect((await guess(owner.email, "2001:db8:7:aaaa::1")).status).toBe(400)
    expect((await grant(owner.email, "2001:db8:7:bbbb::1")).status).toBe(429)
    expect((await grant(owner.email, "2001:db8:8:1::1")).status).toBe(200)
  })
})

describe("wrong passwords from many networks", () => {
  it("have a common limit: first 300, then one in 5 seconds", async () => {
    const attempted = app.run(
      Effect.gen(function* () {
        const throttle = yield* LoginThrottle
        const attempt = (_: unknown, index: number) =>
          throttle
            .attempt("distributed@example.com", { address: `203.0.${Math.floor(index / 250)}.${index % 250}` })
            .pipe(Effect.timeoutOption("2 seconds"), Effect.option, Effect.map(Option.flatten))
        return yield* Effect.forEach(Array.from({ length: 400 }), attempt, { concurrency: "unbounded" })
      }).pipe(Effect.provide(LoginThrottle.layer))
    )
    const started = performance.now()
    const admitted = (await attempted).filter(Option.isSome).length
    const seconds = (performance.now() - started) / 1000
    expect(admitted).toBeGreaterThanOrEqual(300)
    // After 300 failures, each attempt waits: 1, 2, 4 and then always 5 seconds.
    expect(admitted).toBeLessThanOrEqual(301 + Math.log2(1 + seconds))
  })

  it("admit the owner from a new network after 5 seconds, without an error", async () => {
    const owner = await person(app)
    await guess(owner.email, newAddress())
    await setFailures("newcomers", 5000)
    expect((await guess(owner.email, newAddress())).status).toBe(400)
    const started = performance.now()
    expect((await grant(owner.email, newAddress())).status).toBe(200)
    const seconds = (performance.now() - started) / 1000
    expect(seconds).toBeGreaterThan(3)
    expect(seconds).toBeLessThan(8)
  })

  it("delay returning networks more than new ones", async () => {
    const owner = await person(app)
    const returning = [newAddress(), newAddress()] as const
    for (const from of [...returning, ...returning, ...returning, ...returning]) await guess(owner.email, from)
    await setFailures("returning", 5000)
    expect((await guess(owner.email, returning[0])).status).toBe(400)
    const refused = await guess(owner.email, returning[1])
    expect(refused.status).toBe(429)
    const retry = Number(refused.headers.get("retry-after"))
    expect(retry).toBeGreaterThan(30)
    expect(retry).toBeLessThanOrEqual(60)
    expect((await grant(owner.email, newAddress())).status).toBe(200)
  })

  it("are still counted after the owner logs in", async () => {
    const owner = await person(app)
    await app.inDatabase("delete from login_failures")
    await guess(owner.email, newAddress())
    await setFailures("newcomers", 250)
    expect((await grant(owner.email, newAddress())).status).toBe(200)
    const shared = await app.inDatabase("select failures from login_failures where key like 'newcomers:%'")
    expect(shared).toEqual([{ failures: 250 }])
  })
})

describe("a device cookie", () => {
  it("makes no difference for a text that is no address", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    visitor.jar.delete("session")
    expect((await visitor.logIn("ana\u0000@example.com")).status).toBe(422)
  })

  it("does not help when it is forged, another account's, expired or revoked", async () => {
    const owner = await person(app)
    const other = await person(app)
    const known = await knownBrowser(owner.email)
    const expired = await knownBrowser(other.email)
    await app.inDatabase(`update login_devices set expires_at = now() where user_id = ${other.id}`)
    const foreign = await knownBrowser(other.email)
    const forged = browser(app)
    forged.jar.set("device", `dev_${"a".repeat(43)}`)
    const attacker = newAddress()
    await besiege(owner.email, attacker)
    await guess(other.email, attacker)
    await setFailures("site", 5000)
    for (const { email } of [owner, other]) expect((await guess(email, attacker)).status).toBe(400)
    for (const [visitor, email] of [
      [forged, owner.email],
      [foreign, owner.email],
      [known, other.email],
      [expired, other.email]
    ] as const) {
      expect((await logIn(visitor, email, attacker)).status).toBe(429)
    }
    for (let count = 0; count < 10; count++) {
      expect((await logIn(known, owner.email, attacker, "wrong password")).status).toBe(422)
    }
    expect((await logIn(known, owner.email, attacker)).status).toBe(429)
    // After another login the browser is a known device again, with another token.
    const revoked = known.jar.get("device")
    expect((await logIn(known, owner.email, newAddress())).status).toBe(303)
    expect(known.jar.get("device")).not.toBe(revoked)
    expect((await logIn(known, owner.email, attacker)).status).toBe(303)
  })

  it("allows no more than ten guesses, however many are made at the same time", async () => {
    const owner = await person(app)
    const visitor = await knownBrowser(owner.email)
    const from = newAddress()
    await besiege(owner.email, from)
    const { jar } = visitor
    jar.delete("session")
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email: owner.email, password: "wrong one" }
    const guesses = Array.from({ length: 30 }, () => visitor.post("/login", fields, { "x-forwarded-for": from }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect(await deviceFailures(owner.id)).toEqual([{ failures: 10 }])
  })

  it("is kept by the next login, which clears its failures", async () => {
    const owner = await person(app)
    const visitor = await knownBrowser(owner.email)
    const token = visitor.jar.get("device")
    const from = newAddress()
    for (let count = 0; count < 9; count++) await logIn(visitor, owner.email, from, "wrong password")
    expect(await deviceFailures(owner.id)).toEqual([{ failures: 9 }])
    expect((await logIn(visitor, owner.email, from)).status).toBe(303)
    expect(visitor.jar.get("device")).toBe(token)
    expect(await deviceFailures(owner.id)).toEqual([{ failures: 0 }])
  })

  it("is checked at once while strangers use all turns", async () => {
    const owner = await person(app)
    const visitors = await Promise.all(Array.from({ length: 4 }, () => knownBrowser(owner.email)))
    const answers = await duringStorm(app, () =>
      Promise.all(visitors.map((visitor) => logIn(visitor, owner.email, newAddress())))
    )
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
  })
})

it("stores no email address and no device token in clear text", async () => {
  const owner = await person(app)
  const visitor = await knownBrowser(owner.email)
  await guess(owner.email, newAddress())
  const rows = JSON.stringify([
    await app.inDatabase("select key from login_failures"),
    await app.inDatabase("select encode(hash, 'escape') as hash from login_devices")
  ])
  expect(rows).not.toContain(owner.email)
  expect(rows).not.toContain(visitor.jar.get("device"))
})
