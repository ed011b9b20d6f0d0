import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import { assert, beforeAll, describe, expect, it } from "vitest"
import { codeOf, useAttacker as useService } from "./attacks/Attacker.ts"
import { type Browser, browser, hiddenFields, password, person } from "./Visitor.ts"

const { app, protectedPerson } = useService()
let ana: { readonly id: number; readonly email: string }
let visitor: Browser

beforeAll(async () => {
  ana = await person(app)
  visitor = browser(app)
  await visitor.logIn(ana.email)
})

const rows = async (found: string) => (await app.inDatabase(`select from ${found}`)).length

const tokensOf = (user_id: number) => rows(`tokens where kind = 'personal' and user_id = ${user_id}`)
const secretIn = (text: string) => /<code>(pat_[^<]+)<\/code>/.exec(text)?.[1]
const target = "/account/tokens"

describe("a form that is sent twice", () => {
  it("creates one token, which both answers show", async () => {
    const fields = { ...hiddenFields((await visitor.get("/account")).text, target), access: "read", days: "30" }
    const send = (name: string) => visitor.post(target, { ...fields, name })
    const answers = [...(await Promise.all([send("Shop"), send("Shop")])), await send("Shop")]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ text }) => secretIn(text))).size).toBe(1)
    expect(answers[2]?.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await tokensOf(ana.id)).toBe(1)
    expect(JSON.stringify(await app.inDatabase("select * from idempotency_keys"))).not.toContain("Shop")
    // After the back button, the same form with other input is another form.
    expect(secretIn((await send("Till")).text)).not.toBe(secretIn(answers[0]?.text ?? ""))
    expect(await tokensOf(ana.id)).toBe(2)
  })

  it("is another form a minute later, because a page may return from the history of the browser", async () => {
    const fields = {
      ...hiddenFields((await visitor.get("/account")).text, target),
      name: "Late",
      access: "read",
      days: "30"
    }
    const first = secretIn((await visitor.post(target, fields)).text)
    await app.inDatabase("update idempotency_keys set created_at = now() - interval '1 minute'")
    const second = secretIn((await visitor.post(target, fields)).text)
    expect([second?.slice(0, 4), second === first]).toEqual(["pat_", false])
  })

  it("goes on when the browser gives up the first request", async () => {
    const fields = {
      ...hiddenFields((await visitor.get("/account")).text, target),
      name: "Left",
      access: "read",
      days: ""
    }
    const left = new AbortController()
    const headers = { cookie: `session=${visitor.jar.get("session")}`, origin: app.url }
    const init = { method: "POST", headers, body: new URLSearchParams(fields) }
    const first = fetch(app.url + target, { ...init, signal: left.signal }).catch(() => undefined)
    await sleep(5)
    left.abort()
    await first
    const before = await tokensOf(ana.id)
    expect(secretIn((await visitor.post(target, fields)).text)).toMatch(/^pat_/)
    expect([before, await tokensOf(ana.id)]).toEqual([expect.any(Number), 5])
  })

  it("runs once, even if its work takes longer than the lease of its key", async () => {
    const form = hiddenFields((await visitor.get("/account")).text, target)
    const send = () => visitor.post(target, { ...form, name: "Slow", access: "read", days: "30" })
    const before = await tokensOf(ana.id)
    const sent = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`select from users where id = ${ana.id} for update`
        const first = send()
        yield* Effect.sleep("500 millis")
        const shorten = "update idempotency_keys set leased_until = now() + interval '7 seconds' where status is null"
        assert.lengthOf(yield* Effect.promise(() => app.inDatabase(`${shorten} returning key`)), 1)
        yield* Effect.sleep("8 seconds")
        const second = send()
        yield* Effect.sleep("500 millis")
        return { first, second }
      }).pipe((work) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(work)))
    )
    const secrets = [secretIn((await sent.first).text), secretIn((await sent.second).text)]
    expect(secrets[0]).toMatch(/^pat_/)
    expect(secrets[1]).toBe(secrets[0])
    expect(await tokensOf(ana.id)).toBe(before + 1)
  }, 20_000)

  it("runs again after it was refused", async () => {
    const fields = {
      ...hiddenFields((await visitor.get("/account")).text, target),
      name: "x".repeat(256),
      access: "read"
    }
    const answers = [await visitor.post(target, fields), await visitor.post(target, fields)]
    expect(answers.map(({ status }) => status)).toEqual([422, 422])
    expect(await rows(`idempotency_keys where route = 'form' and status is null`)).toBe(0)
  })

  it("changes a password once, and stays logged in although the first answer ended the session", async () => {
    const { email } = await person(app)
    const [visitor, late] = [browser(app), browser(app)]
    await visitor.logIn(email)
    for (const [name, value] of visitor.jar) late.jar.set(name, value)
    const form = hiddenFields((await visitor.get("/account")).text, "/account/password")
    const fields = { ...form, current_password: password, new_password: "a new horse!" }
    const first = await visitor.post("/account/password", fields)
    const second = await late.post("/account/password", fields)
    expect([first.location, second.location]).toEqual(["/account?password=changed", "/account?password=changed"])
    expect((await late.get("/account")).status).toBe(200)
  })

  it("sets a password once, and both answers log the browser in with the same session", async () => {
    await app.inDatabase(`insert into password_resets (hash, user_id, expires_at)
      values (sha256('rst_twice'), ${ana.id}, now() + interval '1 hour')`)
    const path = "/reset/rst_twice"
    const stranger = browser(app)
    const fields = { ...hiddenFields((await stranger.get(path)).text), password: `${password} again` }
    const [first, second] = await Promise.all([stranger.post(path, fields), stranger.post(path, fields)])
    expect([first?.status, second?.status]).toEqual([303, 303])
    expect(first?.headers.getSetCookie()).toEqual(second?.headers.getSetCookie())
    expect((await stranger.get("/account")).status).toBe(200)
  })
})

describe("a refused form of the account page", () => {
  const expired = { csrf: "x.y", name: "Till & Shop", access: "full", days: "365" }

  it("shows its input again after it has expired, but not what another site sent", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const ours = await visitor.post(target, expired)
    expect([ours.status, ours.text.includes("Till &amp; Shop")]).toEqual([403, true])
    expect(ours.text).toMatch(/<option value="365" selected/)
    const others = await visitor.post(target, expired, { origin: "https://evil.example" })
    expect([others.status, others.text.includes("Till &amp; Shop")]).toEqual([403, false])
  })

  it("creates no token about which the user cannot be notified", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    await app.inDatabase(`create function refuse_mail() returns trigger language plpgsql as
      $$ begin raise exception 'no mail'; end $$`)
    await app.inDatabase(`create trigger refuse_mail before insert on jobs for each row
      when (new.queue_name = 'identity.password_mail') execute function refuse_mail()`)
    const form = hiddenFields((await visitor.get("/account")).text, target)
    const before = await tokensOf(id)
    const refused = await visitor.post(target, { ...form, name: "Silent", access: "read", days: "30" })
    await app.inDatabase("drop function refuse_mail cascade")
    expect(refused.status).toBe(500)
    expect(await tokensOf(id)).toBe(before)
  })

  it("says when the password may be tried again", async () => {
    const { email } = await person(app)
    const guesser = browser(app)
    await guesser.logIn(email)
    // A browser that the account does not know has fewer attempts.
    guesser.jar.delete("device")
    const guess = async () => {
      const fields = hiddenFields((await guesser.get("/account")).text, "/account/password")
      return guesser.post("/account/password", { ...fields, current_password: "wrong", new_password: "a new horse!" })
    }
    let answer = await guess()
    for (let guesses = 1; guesses < 20 && answer.status === 422; guesses++) answer = await guess()
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})

describe("POST /login", () => {
  it("leads on when its form is sent again after the login", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login?to=%2Fadmin")).text), email, password }
    expect((await visitor.post("/login", fields)).location).toBe("/admin")
    expect(await visitor.post("/login", fields)).toMatchObject({ status: 303, location: "/admin" })
  })
})

describe("POST /login/code", () => {
  it("logs in once when its form is sent twice, and both answers have the same session", async () => {
    const { email, secret } = await protectedPerson()
    const visitor = browser(app)
    const { location } = await visitor.logIn(email)
    const fields = { ...hiddenFields((await visitor.get(location)).text, "/login/code"), code: codeOf(secret) }
    const answers = await Promise.all([visitor.post("/login/code", fields), visitor.post("/login/code", fields)])
    expect(answers.map((answer) => answer.location)).toEqual(["/account", "/account"])
    expect(answers[0]?.headers.getSetCookie()).toEqual(answers[1]?.headers.getSetCookie())
  })

  it("keeps the login when the second click arrives after the first answer ended the unfinished login", async () => {
    const { email, secret } = await protectedPerson()
    const [visitor, late] = [browser(app), browser(app)]
    const { location } = await visitor.logIn(email)
    for (const [name, value] of visitor.jar) late.jar.set(name, value)
    const fields = { ...hiddenFields((await visitor.get(location)).text, "/login/code"), code: codeOf(secret) }
    await visitor.post("/login/code", fields)
    expect((await late.post("/login/code", fields)).location).toBe("/account")
    expect((await late.get("/account")).status).toBe(200)
  })
})
