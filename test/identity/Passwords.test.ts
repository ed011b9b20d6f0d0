import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { PasswordResets } from "../../src/identity/accounts/PasswordResets.ts"
import { PasswordResetsRepo } from "../../src/identity/users/PasswordResetsRepo.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { OrganizationBindingLive } from "../../src/organizations/OrganizationBindingLive.ts"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { useApp } from "../support/App.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { type Browser, browser, client, hiddenFields, password, person, tokenRequest, tokensFor } from "./Visitor.ts"

const mail = await smtp()
const app = useApp({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

const mailTo = (address: string) =>
  until(`the mail to ${address}`, () => mail.received.findLast(({ to }) => to === address))

const next = "another horse, entirely"

const ask = async (email: string, headers: Record<string, string> = {}, visitor = browser(app)) =>
  visitor.post("/forgot", { ...hiddenFields((await visitor.get("/forgot")).text), email }, headers)

const pathIn = ({ text }: { readonly text: string }) => /\/reset\/\S+/.exec(text)?.[0] ?? ""

const shown = ({ text }: { readonly text: string }) => text.replace(/value="[^"]*"/g, "")

/** Requests a link, and returns its path from the mail. */
const linkFor = async (email: string) => {
  await ask(email)
  return pathIn(
    await until(`the link to ${email}`, () => mail.received.findLast((one) => one.to === email && pathIn(one) !== ""))
  )
}

const setIn = async (path: string, secret: string, visitor: Browser = browser(app)) =>
  visitor.post(path, { ...hiddenFields((await visitor.get(path)).text), password: secret })

const canLogIn = async (email: string, secret: string) =>
  (await browser(app).logIn(email, "/login", secret)).status === 303

let ana: { readonly id: number; readonly email: string }
beforeAll(async () => {
  ana = await person(app)
})

describe("a forgotten password", () => {
  it("is replaced by a link that was mailed, which logs in and works once", async () => {
    const { email } = await person(app)
    expect((await browser(app).get("/login")).text).toContain('href="/forgot"')
    const path = await linkFor(email)
    const visitor = browser(app)
    expect(await setIn(path, next, visitor)).toMatchObject({ status: 303, location: "/account?password=changed" })
    expect((await visitor.get("/account")).status).toBe(200)
    expect(await canLogIn(email, next)).toBe(true)
    expect(await canLogIn(email, password)).toBe(false)
    expect(await browser(app).get(path)).toMatchObject({ status: 410 })
    expect((await setIn(path, password)).status).toBe(410)
  })

  it("is not mailed a second time after it was set, although the mail server did not confirm the first mail", async () => {
    const email = "lost-visitor@example.com"
    await app.run(
      Effect.flatMap(Users, (users) => users.create({ name: "Ana", email }, Redacted.make(password))).pipe(
        Effect.provide(Users.layer)
      )
    )
    await setIn(await linkFor(email), next)
    await until("the end of all mails", async () => {
      await app.inDatabase("update jobs set visible_at = localtimestamp where queue_name = 'identity.password_mail'")
      const waiting = "select from jobs where queue_name = 'identity.password_mail' and state = 'pending'"
      return (await app.inDatabase(waiting)).length === 0 ? true : undefined
    })
    expect(mail.received.filter((one) => one.to === email && pathIn(one) !== "")).toHaveLength(1)
  })

  it("gets the same answer for an unknown address, and no mail", async () => {
    const before = mail.received.length
    const unknown = await ask("nobody-at-all@example.com")
    const known = await ask(ana.email)
    expect([unknown.status, shown(unknown)]).toEqual([known.status, shown(known)])
    expect(pathIn(await mailTo(ana.email))).toContain("/reset/rst_")
    expect(mail.received.length).toBe(before + 1)
  })

  it("logs out every browser and application", async () => {
    const user = await person(app)
    const mobile = await client(app)
    const before = browser(app)
    await before.logIn(user.email)
    const { refresh_token } = await tokensFor(app, mobile, user.email)
    await setIn(await linkFor(user.email), next)
    expect((await before.get("/account")).location).toBe("/login")
    const refreshed = await tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
    expect(refreshed.status).toBe(400)
  })

  it("informs the user by mail that it was changed, in the language of the browser", async () => {
    const { email } = await person(app)
    await ask(email, { "accept-language": "nl" })
    const link = await mailTo(email)
    expect(link.header("subject")).toBe("Nieuw wachtwoord instellen")
    mail.received.length = 0
    await setIn(pathIn(link), next)
    expect((await mailTo(email)).header("subject")).toBe("Your password has been changed")
  })

  it("can be mailed three times an hour, however often strangers ask", async () => {
    const { email } = await person(app)
    const before = mail.received.length
    for (const _ of Array(5)) await ask(email)
    const sql = <A extends object>(read: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
      app.run(Effect.flatMap(SqlClient.SqlClient, read).pipe(Effect.orDie))
    await mailTo(email)
    const [row] = await sql<{ n: number }>(
      (sql) => sql`select count(*) as n from password_resets r join users u on u.id = r.user_id where email = ${email}`
    )
    expect(Number(row?.n)).toBeLessThanOrEqual(3)
    expect(mail.received.length - before).toBeLessThanOrEqual(3)
  })

  it("is set by one of two links, or of two uses, at the same time", async () => {
    const { email } = await person(app)
    const first = await linkFor(email)
    mail.received.length = 0
    const second = await linkFor(email)
    const answers = await Promise.all([first, first, second].map((path, n) => setIn(path, `${next} ${n}`)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["303", "410", "410"])
    const pages = [await browser(app).get(first), await browser(app).get(second)]
    const texts = pages.map(({ text }) => /has been used already|another one was used/.exec(text)?.[0])
    expect(new Set(texts)).toEqual(new Set(["another one was used", "has been used already"]))
  })

  it("is not set by a link that another one replaced while its transaction waited", async () => {
    const { email } = await person(app)
    const first = await linkFor(email)
    mail.received.length = 0
    const second = await linkFor(email)
    const state = await app.run(
      Effect.gen(function* () {
        const { transaction } = yield* Database
        const { find } = yield* PasswordResetsRepo
        const hash = hashToken(second.slice("/reset/".length))
        return yield* transaction(
          Effect.andThen(
            find(hash),
            Effect.andThen(
              Effect.promise(() => setIn(first, next)),
              find(hash)
            )
          )
        )
      }).pipe(Effect.provide(PasswordResetsRepo.layer), Effect.orDie)
    )
    expect(Option.map(state, (link) => link.state)).toEqual(Option.some("replaced"))
  })

  it("can be mailed three times an hour besides the links that an operator made", async () => {
    const { email } = await person(app)
    const resets = PasswordResets.layer.pipe(Layer.provide(OrganizationBindingLive))
    const three = ({ issue }: PasswordResets["Service"]) => Effect.all([issue(email), issue(email), issue(email)])
    const links = await app.run(PasswordResets.use(three).pipe(Effect.provide(resets)))
    expect(links).toHaveLength(3)
    expect(await linkFor(email)).toContain("/reset/rst_")
  })

  it("refuses short, common and unreadable passwords, an unknown link and one that expired", async () => {
    const { email, id } = await person(app)
    const path = await linkFor(email)
    expect((await setIn(path, "short")).status).toBe(422)
    const common = await setIn(path, "Password1")
    expect(common.status).toBe(422)
    expect(common.text).toContain("too common")
    expect((await setIn(path, email.toUpperCase())).status).toBe(422)
    expect((await browser(app).get("/reset/rst_unknown")).status).toBe(404)
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update password_resets set expires_at = now() where user_id = ${id}`
      ).pipe(Effect.orDie)
    )
    expect((await browser(app).get(path)).status).toBe(410)
  })

  it("refuses forms of other sites and other browsers", async () => {
    const visitor = browser(app)
    const fields = hiddenFields((await visitor.get("/forgot")).text)
    const sent = { ...fields, email: ana.email }
    expect((await visitor.post("/forgot", sent, { origin: "https://evil.example" })).status).toBe(403)
    expect((await browser(app).post("/forgot", sent)).status).toBe(403)
    const path = await linkFor((await person(app)).email)
    expect((await browser(app).post(path, { password: next })).status).toBe(403)
  })
})

const change = async (visitor: Browser, current_password: string, new_password: string) =>
  visitor.post("/account/password", {
    ...hiddenFields((await visitor.get("/account")).text, "/account/password"),
    current_password,
    new_password
  })

describe("a password that its user knows", () => {
  it("is changed with the current one, which logs out the other browsers", async () => {
    const { email } = await person(app)
    const [here, elsewhere] = [browser(app), browser(app)]
    await here.logIn(email)
    await elsewhere.logIn(email)
    expect((await change(here, "wrong", next)).status).toBe(422)
    expect((await change(here, password, "password1")).status).toBe(422)
    const changed = await change(here, password, next)
    expect(changed).toMatchObject({ status: 303, location: "/account?password=changed" })
    expect((await here.get(changed.location)).text).toContain("Your password has been changed.")
    expect((await elsewhere.get("/account")).location).toBe("/login")
    expect(await canLogIn(email, next)).toBe(true)
    expect((await mailTo(email)).header("subject")).toBe("Your password has been changed")
  })

  it("is not guessed here either: wrong ones count as failed logins", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const statuses = []
    for (const _ of Array(24)) statuses.push((await change(visitor, "wrong", next)).status)
    expect(statuses).toContain(429)
  })

  it("is not changed from another site or without a session", async () => {
    const visitor = browser(app)
    expect((await visitor.post("/account/password", {})).location).toBe("/login")
    await visitor.logIn(ana.email)
    expect((await visitor.post("/account/password", { current_password: password, new_password: next })).status).toBe(
      403
    )
  })
})

describe("the address of a form that has no page", () => {
  it("leads to the account and changes nothing", async () => {
    const visitor = browser(app)
    await visitor.logIn((await person(app)).email)
    const paths = ["/account/tokens", "/account/password", "/account/factor/begin", "/logout"]
    for (const path of paths) expect([path, (await visitor.get(path)).location]).toEqual([path, "/account"])
    expect((await visitor.get("/account")).status).toBe(200)
  })
})
