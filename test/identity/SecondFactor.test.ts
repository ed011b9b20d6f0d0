import { Option, Redacted } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { codeOf } from "./attacks/Attacker.ts"
import {
  answerAt,
  authorizePath,
  type Browser,
  browser,
  client,
  hiddenFields,
  newVerifier,
  password,
  person,
  tokenRequest
} from "./Visitor.ts"

const mail = await smtp()
const app = useApp({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

const noticeTo = (address: string, subject: string) =>
  until(`the mail "${subject}" to ${address}`, () =>
    mail.received.find((message) => message.to === address && message.header("subject") === subject)
  )

const fill = async (visitor: Browser, action: string, fields: Record<string, string>, page = "/account") =>
  visitor.post(action, { ...hiddenFields((await visitor.get(page)).text, action), ...fields })

const secretIn = (page: string) => /id="secret">([A-Z2-7]+)</.exec(page)?.[1] ?? ""
const recoveryIn = (page: string) => page.match(/(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}/g) ?? []

/**
 * Creates a user with a second factor. It was turned on with the code of the previous time step, so the present code
 * can still be used.
 */
const protectedPerson = async () => {
  const { email, id } = await person(app)
  const visitor = browser(app)
  await visitor.logIn(email)
  const begun = await fill(visitor, "/account/factor/begin", { current_password: password })
  const secret = secretIn(begun.text)
  const fields = hiddenFields(begun.text, "/account/factor/confirm")
  const on = await visitor.post("/account/factor/confirm", { ...fields, code: codeOf(secret, -1) })
  return { email, id, visitor, secret, recovery: recoveryIn(on.text), begun, on }
}

/** Logs in with the password, and stops at the second step. */
const atStep = async (email: string, path?: string) => {
  const visitor = browser(app)
  const asked = await visitor.logIn(email, path)
  return { visitor, asked, answer: (code: string) => fill(visitor, "/login/code", { code }, asked.location) }
}

let ana: Awaited<ReturnType<typeof protectedPerson>>
beforeEach(async () => {
  ana = await protectedPerson()
})

describe("a second factor", () => {
  it("is turned on with the password and a code, and shows ten recovery codes once", async () => {
    expect(ana.begun.text).toContain("<svg")
    expect(ana.on.status).toBe(200)
    expect(new Set(ana.recovery).size).toBe(10)
    expect((await ana.visitor.get("/account")).text).not.toContain(ana.recovery[0])
    await noticeTo(ana.email, "Two-step login is on")
    const stored = await app.inDatabase(
      `select sealed_secret as secret from second_factors where user_id = ${ana.id}
       union all select encode(hash, 'escape') from recovery_codes where user_id = ${ana.id}`
    )
    expect(JSON.stringify(stored)).not.toContain(ana.secret)
    for (const code of ana.recovery) expect(JSON.stringify(stored)).not.toContain(code.replaceAll("-", ""))
  })

  it("is not turned on with a wrong password or code, or by a form of another site", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    expect((await fill(visitor, "/account/factor/begin", { current_password: "wrong" })).status).toBe(422)
    const begun = await fill(visitor, "/account/factor/begin", { current_password: password })
    const fields = hiddenFields(begun.text, "/account/factor/confirm")
    expect((await visitor.post("/account/factor/confirm", { ...fields, code: "000000" })).status).toBe(422)
    expect((await visitor.post("/account/factor/confirm", { code: codeOf(secretIn(begun.text)) })).status).toBe(403)
    expect((await browser(app).logIn(email)).location).toBe("/account")
  })

  it("asks each login for a code, and leads where the login was to lead", async () => {
    const { asked, answer, visitor } = await atStep(ana.email)
    expect([asked.status, asked.location]).toEqual([303, "/login/code"])
    expect((await visitor.get("/account")).location).toBe("/login")
    const before = new Map(visitor.jar)
    expect(await answer(codeOf(ana.secret))).toMatchObject({ status: 303, location: "/account" })
    expect((await visitor.get("/account")).status).toBe(200)
    // The cookie of the first login step must not be valid as the cookie of a session.
    expect(visitor.jar.get("session")).not.toBe(before.get("session"))
    expect((await browser(app).get("/account", { cookie: `session=${before.get("session")}` })).location).toBe("/login")
  })

  it("guards an authorization, too: the client gets its code after the second step only", async () => {
    const registered = await client(app)
    const verifier = newVerifier()
    const first = await browser(app).get(authorizePath(registered, verifier))
    const { answer, asked, visitor } = await atStep(ana.email, first.location)
    expect(asked.location).toMatch(/^\/login\/code\?.*client_id=/)
    expect((await visitor.get(authorizePath(registered, verifier))).location).toMatch(/^\/login\?/)
    const policies = [await visitor.get(asked.location), await answer("000000")].map(({ headers }) =>
      headers.get("content-security-policy")
    )
    for (const policy of policies) expect(policy).toContain("form-action 'self' https://client.example")
    const done = await answer(codeOf(ana.secret))
    expect(answerAt((await visitor.get(done.location)).location)["code"]).toMatch(/^oac_/)
  })

  it("lets its form lead to an app on the user's device", async () => {
    const registered = await client(app, { redirect_uris: ["acme://oauth2redirect"] })
    const first = await browser(app).get(authorizePath(registered, newVerifier()))
    const { asked, visitor } = await atStep(ana.email, first.location)
    const page = await visitor.get(asked.location)
    expect(page.headers.get("content-security-policy")).toMatch(/form-action 'self' acme:$/)
  })

  it("accepts each code once, also when it is sent twice at the same time, and no older code", async () => {
    const logins = await Promise.all([atStep(ana.email), atStep(ana.email), atStep(ana.email)])
    const code = codeOf(ana.secret)
    const raced = await Promise.all(logins.map(({ answer }) => answer(code)))
    expect(raced.map(({ status }) => String(status)).toSorted()).toEqual(["303", "422", "422"])
    const { answer } = await atStep(ana.email)
    expect((await answer(codeOf(ana.secret, -1))).status).toBe(422)
    expect((await answer(codeOf(ana.secret, 5))).status).toBe(422)
    expect((await answer(codeOf(ana.secret, 1))).status).toBe(303)
  })

  it("accepts a recovery code once, in any spelling, and informs the user by mail", async () => {
    const [code = ""] = ana.recovery
    expect((await (await atStep(ana.email)).answer(code.toLowerCase().replaceAll("-", " "))).status).toBe(303)
    await noticeTo(ana.email, "A recovery code was used")
    expect((await (await atStep(ana.email)).answer(code)).status).toBe(422)
    const other = await protectedPerson()
    expect((await (await atStep(other.email)).answer(ana.recovery[1] ?? "")).status).toBe(422)
  })

  it("is not guessed: wrong codes are delayed, and a correct password does not start the count again", async () => {
    const statuses = []
    for (const _ of Array(12)) statuses.push((await (await atStep(ana.email)).answer("000000")).status)
    expect(statuses.filter((status) => status === 422).length).toBeLessThan(10)
    expect(statuses).toContain(429)
  })

  it("is not skipped by a new password, neither mailed nor chosen on the account page", async () => {
    const visitor = browser(app)
    await visitor.post("/forgot", { ...hiddenFields((await visitor.get("/forgot")).text), email: ana.email })
    const { text } = await noticeTo(ana.email, "Set a new password")
    const path = /\/reset\/\S+/.exec(text)?.[0] ?? ""
    const set = await visitor.post(path, { ...hiddenFields((await visitor.get(path)).text), password: "a new horse!" })
    expect(set.location).toBe("/login/code")
    expect((await visitor.get("/account")).location).toBe("/login")
  })

  it("refuses the password grant, which has no second step", async () => {
    const registered = await client(app, { password_grant: true })
    const fields = { grant_type: "password", client_id: registered.id, username: ana.email }
    const { body, status } = await tokenRequest(app, { ...fields, password })
    expect([status, body.error]).toEqual([400, "invalid_grant"])
    expect(body.error_description).toContain("authorization code")
    const wrong = await tokenRequest(app, { ...fields, password: "wrong" })
    expect(wrong.body.error_description).not.toContain("second step")
  })

  it("is turned off, and its recovery codes replaced, with the password and a code", async () => {
    const off = (code: string, current_password = password) =>
      fill(ana.visitor, "/account/factor/off", { current_password, code })
    expect((await off("000000")).status).toBe(422)
    expect((await off(codeOf(ana.secret), "wrong")).status).toBe(422)
    const renewed = await ana.visitor.post("/account/factor/recovery", {
      ...hiddenFields((await ana.visitor.get("/account")).text, "/account/factor/off"),
      current_password: password,
      code: codeOf(ana.secret)
    })
    const [fresh = ""] = recoveryIn(renewed.text)
    expect((await off(ana.recovery[0] ?? "")).status).toBe(422)
    expect((await off(fresh)).status).toBe(303)
    expect((await browser(app).logIn(ana.email)).location).toBe("/account")
    await noticeTo(ana.email, "Two-step login is off")
  })

  it("ends its first step after ten minutes, with a new password and with a log-out everywhere", async () => {
    const { answer } = await atStep(ana.email)
    await app.inDatabase(`update sessions set expires_at = now() where second_step_due and user_id = ${ana.id}`)
    expect((await answer(codeOf(ana.secret))).location).toBe("/login")
  })
})

const stale = (id: number) =>
  app.inDatabase(`update sessions set authenticated_at = now() - interval '6 minutes' where user_id = ${id}`)

const newToken = (visitor: Browser, fields: Record<string, string>) =>
  fill(visitor, "/account/tokens", { name: "Script", access: "read", days: "30", ...fields })

describe("an important change", () => {
  it.each([{ access: "full" }, { days: "" }])("asks for the password again after five minutes: %o", async (fields) => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    expect((await newToken(visitor, fields)).text).toMatch(/pat_/)
    await noticeTo(email, "New access token")
    await stale(id)
    expect((await newToken(visitor, {})).text).toMatch(/pat_/)
    const asked = await newToken(visitor, fields)
    expect(asked.text).not.toMatch(/pat_/)
    const again = { ...hiddenFields(asked.text, "/account/tokens") }
    expect((await visitor.post("/account/tokens", { ...again, current_password: "wrong" })).status).toBe(422)
    expect((await visitor.post("/account/tokens", { ...again, current_password: password })).text).toMatch(/pat_/)
    // The user has just entered the password, so further changes do not ask for it.
    expect((await newToken(visitor, fields)).text).toMatch(/pat_/)
  })
})

describe("a session", () => {
  it("shows its network, browser and last use, and can end all others", async () => {
    const { email } = await person(app)
    const [here, elsewhere] = [browser(app), browser(app)]
    await here.logIn(email)
    await elsewhere.logIn(email)
    const page = (await here.get("/account")).text
    expect(page).toContain("127.0.0.0/24")
    expect(page).toContain("last used")
    await fill(here, "/account/sessions/end-others", {})
    expect((await elsewhere.get("/account")).location).toBe("/login")
    expect((await here.get("/account")).status).toBe(200)
  })

  it("ends after an hour without a request", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const idle = (minutes: number) =>
      app.inDatabase(`update sessions set last_used_at = now() - interval '${minutes} minutes' where user_id = ${id}`)
    await idle(59)
    expect((await visitor.get("/account")).status).toBe(200)
    await idle(61)
    expect((await visitor.get("/account")).location).toBe("/login")
  })

  it("is announced by mail when the browser is unknown, in the user's language, but not the first one", async () => {
    const { email } = await person(app)
    const known = browser(app)
    const dutch = { "accept-language": "nl" }
    const form = hiddenFields((await known.get("/login", dutch)).text)
    await known.post("/login", { ...form, email, password }, dutch)
    await browser(app).logIn(email)
    const notice = await noticeTo(email, "Nieuwe login op uw account")
    expect(notice.text).toContain("127.0.0.0/24")
    await known.logIn(email)
    expect(mail.received.filter(({ to }) => to === email).length).toBe(1)
  })
})
