import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { requestDuring } from "../support/service/Meanwhile.ts"
import { codeOf } from "./attacks/Attacker.ts"
import {
  type Browser,
  browser,
  client,
  codeFor,
  hiddenFields,
  join,
  password,
  person,
  type Registered,
  tokenRequest
} from "./Visitor.ts"

const app = useApp()
let mobile: Registered

beforeAll(async () => {
  mobile = await client(app, { password_grant: true })
})

/** SQL statements with which the service sets another password. */
const anotherPassword = (user_id: number) => [
  `update users set password_hash = 'another' where id = ${user_id}`,
  `update sessions set revoked_at = now() where user_id = ${user_id} and revoked_at is null`
]
const isLoggedIn = async (visitor: Browser) => (await visitor.get("/account")).status === 200

describe("a request with the former password, while another password is set", () => {
  it("starts no session", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email, password }
    expect((await requestDuring(app, anotherPassword(id), () => visitor.post("/login", fields))).status).toBe(422)
    expect(await isLoggedIn(visitor)).toBe(false)
  })

  it("starts no session if the user is disabled instead", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email, password }
    const disable = `update users set disabled_at = now() where id = ${id}`
    expect((await requestDuring(app, [disable], () => visitor.post("/login", fields))).status).toBe(422)
    await app.inDatabase(`update users set disabled_at = null where id = ${id}`)
    expect(await isLoggedIn(visitor)).toBe(false)
  })

  it("gets no tokens", async () => {
    const { email, id } = await person(app)
    await join(app, id, (await app.organization()).id)
    const request = { grant_type: "password", client_id: mobile.id, username: email, password }
    const answer = await requestDuring(app, anotherPassword(id), () => tokenRequest(app, request))
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
  })

  it("gets no personal token", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const fields = hiddenFields((await visitor.get("/account")).text, "/account/tokens")
    const token = { ...fields, name: "Kept", access: "full", days: "" }
    await requestDuring(app, anotherPassword(id), () => visitor.post("/account/tokens", token))
    expect(await app.inDatabase(`select from tokens where user_id = ${id}`)).toEqual([])
  })

  it("does not change the password", async () => {
    const { email, id } = await person(app)
    const visitor = browser(app)
    await visitor.logIn(email)
    const fields = hiddenFields((await visitor.get("/account")).text, "/account/password")
    const change = { ...fields, current_password: password, new_password: "of the former owner" }
    const answer = await requestDuring(app, anotherPassword(id), () => visitor.post("/account/password", change))
    expect(answer.status).toBe(422)
    const [stored] = await app.inDatabase(`select password_hash from users where id = ${id}`)
    expect(stored).toEqual({ password_hash: "another" })
  })
})

describe("an authorization code that is not redeemed before another password is set", () => {
  it.each(["by a link", "in the account"])("gets no tokens: %s", async (how) => {
    const { email, id } = await person(app)
    const request = await codeFor(app, mobile, email)
    const visitor = browser(app)
    const token = `rst_${"A".repeat(39)}${id}`.slice(0, 47)
    await app.inDatabase(`insert into password_resets (hash, user_id, expires_at)
      values (sha256('${token}'), ${id}, now() + interval '1 minute')`)
    const path = how === "by a link" ? `/reset/${token}` : "/account/password"
    await visitor.logIn(email)
    const fields =
      how === "by a link"
        ? hiddenFields((await visitor.get(path)).text)
        : hiddenFields((await visitor.get("/account")).text, path)
    const passwords = { current_password: password, new_password: "of the owner alone", password: "of the owner alone" }
    expect((await visitor.post(path, { ...fields, ...passwords })).status).toBe(303)
    expect(await tokenRequest(app, request)).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
  })
})

describe("a code at the second step of a login, while another password is set", () => {
  it("does not finish the login", async () => {
    const { email, id } = await person(app)
    const owner = browser(app)
    await owner.logIn(email)
    const page = (await owner.get("/account")).text
    const begin = { ...hiddenFields(page, "/account/factor/begin"), current_password: password }
    const begun = (await owner.post("/account/factor/begin", begin)).text
    const secret = /id="secret">([A-Z2-7]+)</.exec(begun)?.[1] ?? ""
    const confirm = hiddenFields(begun, "/account/factor/confirm")
    await owner.post("/account/factor/confirm", { ...confirm, code: codeOf(secret, -1) })

    const visitor = browser(app)
    const asked = await visitor.logIn(email)
    const fields = hiddenFields((await visitor.get(asked.location)).text, "/login/code")
    const finish = () => visitor.post("/login/code", { ...fields, code: codeOf(secret, 0) })
    expect((await requestDuring(app, anotherPassword(id), finish)).location).toBe("/login")
    expect(await isLoggedIn(visitor)).toBe(false)
  })
})
