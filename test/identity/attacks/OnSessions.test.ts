import { Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import { browser, hiddenFields, password, person } from "../Visitor.ts"
import { codeOf, sorted, useAttacker } from "./Attacker.ts"

const { app, disable, entered, fill, protectedPerson, secondStep } = useAttacker()
const secureApp = useApp({ publicUrl: Option.some(new URL("https://books.example")) })

let tom: Awaited<ReturnType<typeof protectedPerson>>
beforeAll(async () => {
  tom = await protectedPerson()
})

const thrice = <A>(act: () => Promise<A>) => Promise.all([act(), act(), act()])

const onSecondSteps: Readonly<Record<string, () => Promise<void>>> = {
  "repeats a code within its time step": async () => {
    const user = await protectedPerson()
    const code = codeOf(user.secret)
    expect([(await secondStep(user, code)).status, (await secondStep(user, code)).status]).toEqual([303, 422])
  },
  "sends one code in three logins at the same time": async () => {
    const user = await protectedPerson()
    const code = codeOf(user.secret)
    expect(sorted(await thrice(() => secondStep(user, code)))).toEqual([303, 422, 422])
  },
  "uses the code that turned the second step on": async () => {
    const user = await protectedPerson()
    expect((await secondStep(user, codeOf(user.secret, -1))).status).toBe(422)
  },
  "uses a code or a recovery code of another user": async () => {
    const [victim, eve] = [await protectedPerson(), await protectedPerson()]
    expect((await secondStep(victim, codeOf(eve.secret))).status).toBe(422)
    expect((await secondStep(victim, eve.recovery[0] ?? "")).status).toBe(422)
    expect((await secondStep(eve, eve.recovery[0] ?? "")).status).toBe(303)
  },
  "uses a recovery code twice": async () => {
    const user = await protectedPerson()
    const [code = ""] = user.recovery
    expect([(await secondStep(user, code)).status, (await secondStep(user, code)).status]).toEqual([303, 422])
  },
  "uses a recovery code in three logins at the same time": async () => {
    const user = await protectedPerson()
    const [code = ""] = user.recovery
    expect(sorted(await thrice(() => secondStep(user, code)))).toEqual([303, 422, 422])
  },
  "guesses codes": async () => {
    const user = await protectedPerson()
    const statuses = []
    for (let guess = 0; guess < 10; guess++) statuses.push((await secondStep(user, `00000${guess}`)).status)
    expect(statuses).not.toContain(303)
    expect(statuses).toContain(429)
  },
  "sends many codes in one field, or none": async () => {
    const codes = Array.from({ length: 100 }, (_, n) => String(n).padStart(6, "0")).join(" ")
    const user = await protectedPerson()
    for (const code of [codes, "", "\u0000", "١٢٣٤٥٦"]) expect((await secondStep(user, code)).status).toBe(422)
  },
  "opens the account between the two steps": async () => {
    const visitor = browser(app)
    const { location } = await visitor.logIn(tom.email)
    const { csrf = "" } = hiddenFields((await visitor.get(location)).text)
    expect((await visitor.get("/account")).location).toBe("/login")
    for (const form of ["factor/off", "password", "tokens", "sessions/end-others"]) {
      const fields = { csrf, current_password: password, new_password: "a new horse!", name: "x", access: "full" }
      expect((await visitor.post(`/account/${form}`, fields)).location).toMatch(/^\/login(?:\?to=|$)/)
    }
  },
  "replaces the secret while the second step is on": async () => {
    const user = await protectedPerson()
    const off = hiddenFields((await user.visitor.get("/account")).text, "/account/factor/off")
    const begun = await user.visitor.post("/account/factor/begin", { ...off, current_password: password })
    expect(begun.text).not.toContain('id="secret"')
    expect((await secondStep(user, codeOf(user.secret))).status).toBe(303)
  },
  "turns the second step off without the password, without a code, or with neither": async () => {
    const off = (fields: Record<string, string>) => fill(tom.visitor, "/account/factor/off", fields)
    const answers = [
      await off({ code: codeOf(tom.secret, 1) }),
      await off({ current_password: password }),
      await off({})
    ]
    expect(sorted(answers)).toEqual([422, 422, 422])
  }
}

const at = (path: string, cookie: string) => browser(app).get(path, { cookie })

const onSessions: Readonly<Record<string, () => Promise<void>>> = {
  "plants the cookie of a browser before the login": async () => {
    const visitor = browser(app)
    await visitor.get("/login")
    const planted = visitor.jar.get("session")
    await visitor.logIn((await person(app)).email)
    expect((await visitor.get("/account")).status).toBe(200)
    expect((await at("/account", `session=${planted}`)).location).toBe("/login")
  },
  "plants the session of the attacker before the login": async () => {
    const [eve, victim] = [await entered(), await person(app)]
    const cookie = `session=${eve.visitor.jar.get("session")}`
    const { csrf = "" } = hiddenFields((await eve.visitor.get("/account")).text)
    const login = await eve.visitor.post("/login", { csrf, email: victim.email, password })
    expect(login.location).toBe("/account")
    expect((await at("/account", cookie)).location).toBe("/login")
  },
  "uses the cookie after the logout": async () => {
    const { visitor } = await entered()
    const cookie = `session=${visitor.jar.get("session")}`
    expect((await at("/account", cookie)).status).toBe(200)
    await fill(visitor, "/logout", {})
    expect((await at("/account", cookie)).location).toBe("/login")
  },
  "invents session cookies": async () => {
    const made_up = ["ses_", "ses_' or 1=1 --", `ses_${"a".repeat(43)}`, `ses_${"a".repeat(4_000)}`, "%00", "ses_%F0"]
    for (const one of made_up) expect((await at("/account", `session=${one}`)).location).toBe("/login")
  },
  "ends the session of another user": async () => {
    const [victim, eve] = [await entered(), await entered()]
    const { id = "" } = hiddenFields((await victim.visitor.get("/account")).text, "/account/sessions/end")
    expect(id).not.toBe("")
    expect((await fill(eve.visitor, "/account/sessions/end", { id })).status).toBe(303)
    expect((await victim.visitor.get("/account")).status).toBe(200)
  },
  "revokes the token of another user": async () => {
    const [victim, eve] = [await entered(), await entered()]
    const made = await fill(victim.visitor, "/account/tokens", { name: "Mine", access: "read", days: "30" })
    const { id = "" } = hiddenFields(made.text, "/account/tokens/revoke")
    const { csrf = "" } = hiddenFields((await eve.visitor.get("/account")).text)
    expect((await eve.visitor.post("/account/tokens/revoke", { csrf, id })).status).toBe(303)
    const token = /pat_[\w-]+/.exec(made.text)?.[0]
    expect((await app.call("GET", "/api/v1/user", { token })).status).toBe(200)
  },
  "calls the API with the cookie": async () => {
    const { visitor } = await entered()
    const headers = { cookie: `session=${visitor.jar.get("session")}` }
    expect((await app.call("GET", "/api/v1/user", { headers })).status).toBe(401)
  },
  "goes on after the user was disabled": async () => {
    const user = await entered()
    await disable(user)
    expect((await user.visitor.get("/account")).location).toBe("/login")
    expect((await browser(app).logIn(user.email)).status).toBe(422)
  },
  "reads the cookies by a script, or sends them from another site": async () => {
    const visitor = browser(app)
    const first = await visitor.get("/login")
    const cookies = [first, await visitor.logIn((await person(app)).email)].flatMap((page) =>
      page.headers.getSetCookie()
    )
    expect(cookies.length).toBe(3)
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
  },
  "plants a cookie from a subdomain of the service": async () => {
    const visitor = browser(secureApp)
    await visitor.logIn((await person(secureApp)).email)
    const session = visitor.jar.get("__Host-session")
    expect(session).toMatch(/^ses_/)
    expect((await browser(secureApp).get("/account", { cookie: `session=${session}` })).location).toBe("/login")
  }
}

describe("an attack on logins fails that", () => {
  it.each(Object.entries({ ...onSecondSteps, ...onSessions }))("%s", (_, attack) => attack())
})
