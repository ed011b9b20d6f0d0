import { beforeAll, describe, expect, it } from "vitest"
import { requestDuring } from "../support/service/Meanwhile.ts"
import { codeOf, useAttacker } from "./attacks/Attacker.ts"
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

const { app, entered, linkOf, protectedPerson } = useAttacker()
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

describe("a change of the account that was confirmed with the former password, while another password is set", () => {
  const email = "mail.of-a-thief@example.com"

  it.each(["email_changes", "second_factors"])("adds nothing to %s", async (table) => {
    const { id, visitor } = await entered()
    const path = table === "email_changes" ? "/account/email" : "/account/factor/begin"
    const form = { ...hiddenFields((await visitor.get("/account")).text, path), current_password: password, email }
    const answer = await requestDuring(app, anotherPassword(id), () => visitor.post(path, form))
    expect(answer.status).toBe(422)
    expect(await app.inDatabase(`select from ${table} where user_id = ${id}`)).toEqual([])
  })

  it.each(["recovery", "off"])("keeps the second factor and its recovery codes: %s", async (change) => {
    const { id, secret, visitor } = await protectedPerson()
    const path = `/account/factor/${change}`
    const codes = () => app.inDatabase(`select hash from recovery_codes where user_id = ${id} order by hash`)
    const before = await codes()
    const form = hiddenFields((await visitor.get("/account")).text, "/account/factor/off")
    const proof = { ...form, current_password: password, code: codeOf(secret) }
    expect((await requestDuring(app, anotherPassword(id), () => visitor.post(path, proof))).status).toBe(422)
    expect(await app.inDatabase(`select from second_factors where user_id = ${id}`)).toHaveLength(1)
    expect([before.length > 0, await codes()]).toEqual([true, before])
  })
})

describe("a user who is disabled as soon as another password is set", () => {
  it.each(["by a link", "in the account", "with an invitation"])("gets no session: %s", async (how) => {
    const { email, id, visitor } = await entered()
    const organization = await app.organization()
    await app.inDatabase(`insert into members (organization_id, user_id, role, status, invitation_hash,
      invitation_expires_at) values (${organization.id}, ${id}, 'member', 'invited', sha256('inv_${id}'), now() + interval '1 day')`)
    if (how === "with an invitation") await app.inDatabase(`update users set password_hash = null where id = ${id}`)
    const path =
      how === "by a link"
        ? await linkOf({ email })
        : how === "in the account"
          ? "/account/password"
          : `/invitations/inv_${id}`
    const browserOf = how === "in the account" ? visitor : browser(app)
    const fields = hiddenFields(
      (await browserOf.get(how === "in the account" ? "/account" : path)).text,
      how === "in the account" ? path : undefined
    )
    await app.inDatabase(`create function disable_user() returns trigger language plpgsql as
      $$ begin new.disabled_at = now(); return new; end $$`)
    await app.inDatabase(`create trigger disable_user before update of password_hash on users for each row
      when (new.id = ${id}) execute function disable_user()`)
    const next = "of the owner alone"
    await browserOf.post(path, {
      ...fields,
      name: "Ana",
      current_password: password,
      new_password: next,
      password: next
    })
    await app.inDatabase("drop function disable_user cascade")
    await app.inDatabase(`update users set disabled_at = null where id = ${id}`)
    expect(await isLoggedIn(browserOf)).toBe(false)
    expect(await browser(app).logIn(email, "/login", next)).toMatchObject({ status: 303 })
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
