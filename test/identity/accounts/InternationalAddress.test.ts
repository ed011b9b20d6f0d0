import { Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { Users } from "../../../src/identity/users/Users.ts"
import { useApp } from "../../support/App.ts"
import { hasChromium, withPage } from "../../support/counterparts/Chromium.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { browser, hiddenFields, password } from "../Visitor.ts"

const mail = await smtp()
const app = useApp({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

let people = 0
/** Spellings of one mailbox: as a person types it, and as the email field of a browser sends it. */
const newAddress = () => {
  const local = `ana${++people}`
  return { typed: `${local}@müller.example`, sent: `${local}@xn--mller-kva.example` }
}

const users = <A, E>(use: (users: Users["Service"]) => Effect.Effect<A, E>) =>
  app.run(Users.use(use).pipe(Effect.provide(Users.layer)))

const create = (email: string) => users((all) => all.create({ name: "Ana", email }, Redacted.make(password)))

const found = (email: string) =>
  users((all) =>
    Effect.map(
      all.findByEmail(email),
      Option.map((user) => user.id)
    )
  )

const forget = async (email: string) => {
  const visitor = browser(app)
  await visitor.post("/forgot", { ...hiddenFields((await visitor.get("/forgot")).text), email })
}

const mailWith = (part: string) =>
  until(`the mail with ${part}`, () => mail.received.findLast(({ text }) => text.includes(part)))

describe("an address whose domain is not ASCII", () => {
  it("is one account in both spellings, and is shown as people write it", async () => {
    const { sent, typed } = newAddress()
    const { email, id } = await create(sent)
    expect(email).toBe(typed)
    expect((await users((all) => all.invite({ name: "Ana", email: typed }))).id).toBe(id)
    await expect(create(typed)).rejects.toThrow("There is already a user with this email address.")
    for (const spelling of [typed, sent]) expect((await browser(app).logIn(spelling)).status).toBe(303)
  })

  it("finds an account that an earlier version stored in either spelling", async () => {
    for (const stored of ["typed", "sent"] as const) {
      const address = newAddress()
      const { id } = await create(address.typed)
      await app.inDatabase(`update users set email = '${address[stored]}' where id = ${id}`)
      expect((await users((all) => all.invite({ name: "Ana", email: address.typed }))).id).toBe(id)
      for (const spelling of [address.typed, address.sent]) {
        expect([spelling, (await browser(app).logIn(spelling)).status]).toEqual([spelling, 303])
        expect((await users((all) => all.setSuperadmin(spelling, true))).id).toBe(id)
      }
    }
  })

  it("keeps two accounts of an earlier version apart, each in its own spelling", async () => {
    const { sent, typed } = newAddress()
    const { id } = await create(typed)
    const [other] = await app.inDatabase(`insert into users (name, email) values ('Ana', '${sent}') returning id`)
    expect(await found(typed)).toEqual(Option.some(id))
    expect({ id: Option.getOrThrow(await found(sent)) }).toEqual(other)
  })

  it("gets a link for a new password", async () => {
    const { sent, typed } = newAddress()
    await create(typed)
    await forget(sent)
    expect([sent, typed]).toContain((await mailWith("/reset/")).to)
  })

  it("slows down guesses in both spellings together", async () => {
    const { sent, typed } = newAddress()
    await create(typed)
    for (const email of [typed, sent]) await browser(app).logIn(email, "/login", "wrong password")
    const counted = await app.inDatabase("select failures from login_failures where key like 'site:%' and failures = 2")
    expect(counted).toHaveLength(1)
  })

  it("can become the address of an account, but only of one", async () => {
    const [first, second] = [newAddress(), newAddress()]
    await create(first.typed)
    const visitor = browser(app)
    await visitor.logIn(first.sent)
    const change = async (email: string) => {
      const fields = hiddenFields((await visitor.get("/account")).text)
      return visitor.post("/account/email", { ...fields, email, current_password: password })
    }
    expect((await change(first.sent)).status).toBe(422)
    expect((await change(second.sent)).status).toBe(200)
    const path = /\/email\/\S+/.exec((await mailWith("/email/")).text)?.[0] ?? ""
    await visitor.post(path, hiddenFields((await visitor.get(path)).text))
    expect((await visitor.get("/account")).text).toContain(second.typed)
    expect((await browser(app).logIn(second.typed)).status).toBe(303)
    await app.inDatabase(`update users set email = '${second.sent}' where email = '${second.typed}'`)
    expect((await change(second.typed)).status).toBe(200)
  })

  it.skipIf(!hasChromium)(
    "logs in with what Chromium makes of it",
    async () => {
      const { typed } = newAddress()
      await create(typed)
      await withPage(async (page) => {
        await page.open(`${app.url}/login`)
        await page.evaluate(`document.querySelector("#email").focus()`)
        await page.type(typed)
        expect(await page.evaluate(`document.querySelector("#email").value`)).toContain("@xn--")
        await page.evaluate(`document.querySelector("#password").focus()`)
        await page.type(password)
        await page.follow(`document.querySelector("form button").click()`)
        expect(await page.evaluate("location.pathname")).toBe("/account")
      })
    },
    200_000
  )
})
