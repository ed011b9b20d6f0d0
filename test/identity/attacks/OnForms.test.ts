import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { administered, administrationOf } from "../../administration/Administration.ts"
import { opening } from "../../administration/panel/Panel.ts"
import { useApp } from "../../support/App.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import {
  authorizePath,
  type Browser,
  browser,
  client,
  hiddenFields,
  newVerifier,
  password,
  person
} from "../Visitor.ts"
import { codeOf, useAttacker } from "./Attacker.ts"

const { app, linkOf, protectedPerson } = useAttacker()

let path: string
let user: { readonly id: number; readonly email: string }
const visitor = browser(app)
beforeAll(async () => {
  user = await app.run(
    Effect.flatMap(Users, (users) =>
      users.create({ name: "Sam", email: "sam@example.com", superadmin: true }, Redacted.make(password))
    ).pipe(Effect.provide(Users.layer))
  )
  await visitor.logIn(user.email)
  path = await linkOf(await person(app))
})

/** Everything that the forms can change. */
const state = async () => {
  const tables = ["users", "sessions", "tokens", "second_factors", "recovery_codes", "password_resets", "clients"]
  const rows = tables.map((table) =>
    app.inDatabase(`select coalesce(jsonb_agg(to_jsonb(r) - 'last_used_at' order by r::text), '[]') from ${table} r`)
  )
  return JSON.stringify(await Promise.all(rows))
}

const forms = [
  "/login",
  "/logout",
  "/forgot",
  "/reset",
  "/oauth/consent",
  "/account/password",
  "/account/factor/begin",
  "/account/factor/confirm",
  "/account/factor/off",
  "/account/factor/recovery",
  "/account/sessions/end",
  "/account/sessions/end-others",
  "/account/apps/disconnect",
  "/account/tokens",
  "/account/tokens/revoke",
  "/admin/clients/new",
  "/admin/users/1/disable"
]

/** Fields that would be accepted by one of the forms. */
const fields = {
  email: "sam@example.com",
  password,
  current_password: password,
  new_password: "a new horse!",
  name: "x",
  access: "full"
}

/** Posts a form as another site can make a browser post it, with the values that such a site may know. */
const attack = async (victim: Browser, target: string, own: string, more: Record<string, string> = {}) => {
  const others = hiddenFields((await browser(app).get("/login")).text)["csrf"] ?? ""
  const sent = { ...fields, ...more }
  const answers = [
    await victim.post(target, { ...sent, csrf: own }, { origin: "https://evil.example" }),
    await victim.post(target, { ...sent, csrf: own }, { origin: "null" }),
    await victim.post(target, { ...sent, csrf: others }),
    await victim.post(target, sent),
    await victim.request("POST", target, { ...sent, csrf: "" }, { "sec-fetch-site": "cross-site" })
  ]
  // A form cannot be submitted by GET.
  const got = await victim.get(`${target}?${new URLSearchParams({ ...sent, csrf: own }).toString()}`)
  expect(got.status).toBeLessThan(500)
  return answers.map(({ status }) => status)
}

const refused = [403, 403, 403, 403, 403]

const csrfOn = async (victim: Browser, page: string) => hiddenFields((await victim.get(page)).text)["csrf"] ?? ""

describe.each(forms)("a form of another site that posts to %s", (form) => {
  it("changes nothing and is refused, whatever it knows of the user", async () => {
    const target = form === "/reset" ? path : form
    const csrf = await csrfOn(visitor, "/account")
    const before = await state()
    const answers = await attack(visitor, target, csrf)
    // A form of our own page whose session has ended meanwhile leads on: a login to the account, a consent to its page.
    expect(answers).toEqual(["/login", "/oauth/consent"].includes(form) ? [403, 403, 303, 303, 303] : refused)
    expect(await state()).toBe(before)
  })
})

describe("a form of another site", () => {
  it("does not finish the login of a user whose code it has", async () => {
    const user = await protectedPerson()
    const victim = browser(app)
    const { location } = await victim.logIn(user.email)
    const csrf = await csrfOn(victim, location)
    const before = await state()
    expect(await attack(victim, "/login/code", csrf, { code: codeOf(user.secret) })).toEqual(refused)
    expect((await victim.get("/account")).location).toBe("/login")
    expect(await state()).toBe(before)
  })

  it("accepts no invitation for the user who opened its link", async () => {
    const organization = await app.organization()
    const token = `inv_${"A".repeat(43)}`
    const person = await app.run(seedMember(organization.id, "member"))
    const hash = createHash("sha256").update(token).digest("hex")
    await app.inDatabase(`update members set status = 'invited', invitation_hash = decode('${hash}', 'hex'),
      invitation_expires_at = now() + interval '1 day' where user_id = ${person.id}`)
    const status = () => app.inDatabase(`select status from members where user_id = ${person.id}`)
    const victim = browser(app)
    const page = `/invitations/${token}`
    expect((await victim.get(page)).status).toBe(200)
    expect(await attack(victim, page, await csrfOn(victim, page))).toEqual(refused)
    expect(await status()).toEqual([{ status: "invited" }])
  })
})

describe("a form of another site, on an empty installation", () => {
  const empty = useApp(administered)

  it("does not open the first organization with the link that the operator opened", async () => {
    const { link } = await administrationOf(empty)((admin) => admin.CreateSetupLink())
    const page = new URL(Redacted.value(link)).pathname
    const victim = browser(empty)
    const csrf = await csrfOn(victim, page)
    expect(await attack(victim, page, csrf, opening("owner@example.com"))).toEqual(refused)
    expect(await empty.inDatabase("select count(*)::int as users from users")).toEqual([{ users: 0 }])
  })
})

const elsewhere = [
  "//evil.example",
  "https://evil.example/admin",
  "/\\evil.example",
  "\\\\evil.example",
  "/admin@evil.example",
  "/admin/..//evil.example",
  "/admin/%2e%2e//evil.example",
  "/admin\r\nlocation: https://evil.example",
  "javascript:alert(1)",
  "/adminevil"
]

describe("a page for people", () => {
  it.each(elsewhere)("does not lead to another site by %j", async (to) => {
    const { email } = await person(app)
    const { location } = await browser(app).logIn(email, `/login?to=${encodeURIComponent(to)}`)
    expect(location).toBe("/account")
    expect((await visitor.get(`/login?to=${encodeURIComponent(to)}`)).location).toBe("/account")
  })

  it("does not lead a login to the address of an unknown client", async () => {
    const registered = await client(app)
    const evil = { redirect_uri: "https://evil.example/" }
    const answer = await browser(app).get(authorizePath(registered, newVerifier(), evil))
    expect([answer.status, answer.location]).toEqual([401, ""])
  })

  it.each(["/", "/login", "/forgot", "/reset", "/account", "/admin/users", "/admin/clients/new"])(
    "cannot be framed, cached, sniffed or told to other sites: %s",
    async (page) => {
      const reader = page === "/login" ? browser(app) : visitor
      const { headers } = await reader.get(page === "/reset" ? path : page)
      expect(headers.get("content-security-policy")).toMatch(
        /default-src 'none'.*frame-ancestors 'none'.*form-action 'self'/
      )
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-frame-options": "DENY",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin"
      })
    }
  )

  it("shows what somebody typed as text", async () => {
    const evil = `"><script>alert(1)</script>`
    const stranger = browser(app)
    const login = await stranger.logIn(evil)
    const { csrf = "" } = hiddenFields((await visitor.get("/account")).text)
    const token = await visitor.post("/account/tokens", { csrf, name: evil, access: "read", days: "30" })
    expect([login.status, token.status]).toEqual([422, 200])
    for (const { text } of [login, token]) expect(text).not.toContain("<script>")
    expect(token.text).toContain("&lt;script&gt;")
  })

  it("refuses a form of the wrong type or size, and never fails", async () => {
    const { csrf = "" } = hiddenFields((await visitor.get("/account")).text)
    const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const post = (body: string, type: string) =>
      fetch(`${app.url}/account/tokens`, {
        method: "POST",
        headers: { cookie, "content-type": type },
        body,
        redirect: "manual"
      })
    const bodies = [
      JSON.stringify({ csrf, name: "x", access: "full" }),
      `csrf=${csrf}&name=${"x".repeat(20_000)}`,
      "%ff%fe=&&=",
      ""
    ]
    const before = await state()
    for (const body of bodies) {
      for (const type of ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
        const { status } = await post(body, type)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }
    }
    expect(await state()).toBe(before)
  })
})
