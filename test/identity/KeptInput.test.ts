import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { browser, hiddenFields, password, person } from "./Visitor.ts"

const app = useApp()

/** Number of requests for links that one process handles at the same time. */
const working_max = 64

const sessionsOf = async (user_id: number) =>
  (await app.inDatabase(`select from sessions where user_id = ${user_id} and revoked_at is null`)).length

/** While `work` runs, nothing can read the accounts. */
const whileLocked = <A>(work: () => Promise<A>): Promise<A> =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql.withTransaction(
        Effect.andThen(sql`lock table users in access exclusive mode`, Effect.promise(work))
      )
    })
  )

describe("POST /forgot", () => {
  it("shows the address again if the form has expired", async () => {
    const visitor = browser(app)
    await visitor.get("/forgot")
    const answer = await visitor.post("/forgot", { csrf: "old", email: "ana@example.com" })
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('value="ana@example.com"')])
  })

  it("shows the address again if too many people ask", async () => {
    const visitor = browser(app)
    const fields = hiddenFields((await visitor.get("/forgot")).text)
    const ask = (email: string) => visitor.post("/forgot", { ...fields, email })
    const answer = await whileLocked(async () => {
      await Promise.all(Array.from({ length: working_max }, (_, nth) => ask(`ana${nth}@example.com`)))
      return ask("late@example.com")
    })
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('value="late@example.com"')])
  })
})

describe("a form of the account page whose session has ended", () => {
  it("shows the name of a token again after the login, but no secrets, and not the choice of more access", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const fields = hiddenFields((await visitor.get("/account")).text, "/account/tokens")
    await app.inDatabase(`update sessions set revoked_at = now() where user_id = ${id}`)
    const typed = { name: 'Shop & "Till" *1*', access: "full", days: "", current_password: password }
    const ended = await visitor.post("/account/tokens", { ...fields, ...typed, email: "new@example.com" })
    expect([ended.status, ended.location]).toEqual([303, expect.stringMatching(/^\/login\?to=/)])
    expect(ended.location).not.toMatch(/horse|new|full/)
    const login = hiddenFields((await visitor.get(ended.location)).text)
    const back = await visitor.post("/login", { ...login, email, password })
    const { text } = await visitor.get(back.location)
    expect(text).toContain('value="Shop &amp; &quot;Till&quot; *1*"')
    expect(text).not.toContain("selected")
    const { text: linked } = await visitor.get("/account?name=Shop&access=full&days=&email=new@example.com")
    expect(linked).toContain('value="Shop"')
    expect(linked).not.toMatch(/selected|new@example\.com/)
  })

  it("leads nowhere but to the account page", async () => {
    const { email } = await person(app)
    for (const to of ["//evil.example", "/accounts", "/account/../admin", "https://evil.example/account?"]) {
      const visitor = browser(app)
      const login = hiddenFields((await visitor.get(`/login?to=${encodeURIComponent(to)}`)).text)
      expect((await visitor.post("/login", { ...login, email, password })).location).toBe("/account")
    }
  })
})

describe("POST /login", () => {
  it("starts one session for a double click", async () => {
    const { email, id } = await person(app)
    const [visitor, second] = [browser(app), browser(app)]
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email, password }
    for (const [name, value] of visitor.jar) second.jar.set(name, value)
    const answers = await Promise.all([visitor.post("/login", fields), second.post("/login", fields)])
    expect(answers.map(({ location, status }) => [status, location])).toEqual([
      [303, "/account"],
      [303, "/account"]
    ])
    expect(second.jar.get("session")).toBe(visitor.jar.get("session"))
    expect(await sessionsOf(id)).toBe(1)
    expect((await second.get("/account")).status).toBe(200)
  })

  it("may be sent again after a wrong password", async () => {
    const { email } = await person(app)
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email }
    const statuses = []
    for (const secret of ["wrong", "wrong", password]) {
      statuses.push((await visitor.post("/login", { ...fields, password: secret })).status)
    }
    expect(statuses).toEqual([422, 422, 303])
  })
})
