import { Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { EmailChangesRepo } from "../../src/identity/users/EmailChangesRepo.ts"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { useApp } from "../support/App.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { type Browser, browser, hiddenFields, password, person } from "./Visitor.ts"

const mail = await smtp()
const app = useApp({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

let last = 0
const newAddress = () => `moved-${++last}@beta.example`

const ask = async (visitor: Browser, email: string, current_password = password) =>
  visitor.post("/account/email", {
    ...hiddenFields((await visitor.get("/account")).text),
    email,
    current_password
  })

const mailWith = (address: string, part: string) =>
  until(`the mail to ${address}`, () => mail.received.findLast(({ text, to }) => to === address && text.includes(part)))

const pathIn = ({ text }: { readonly text: string }) => /\/email\/\S+/.exec(text)?.[0] ?? ""

const loggedIn = async () => {
  const user = await person(app)
  const visitor = browser(app)
  await visitor.logIn(user.email)
  return { user, visitor }
}

/** Requests a change, and returns the path of the link from the mail. */
const linkFor = async (visitor: Browser, email: string) => {
  expect((await ask(visitor, email)).status).toBe(200)
  return pathIn(await mailWith(email, "/email/"))
}

const confirm = async (path: string, visitor = browser(app)) =>
  visitor.post(path, hiddenFields((await visitor.get(path)).text))

const canLogIn = async (email: string) => (await browser(app).logIn(email)).status === 303

describe("a new email address", () => {
  it("counts once its link was confirmed; the former address is notified, and sessions stay", async () => {
    const { user, visitor } = await loggedIn()
    const email = newAddress()
    const path = await linkFor(visitor, email)
    expect([await canLogIn(email), await canLogIn(user.email)]).toEqual([false, true])
    expect((await browser(app).get(path)).text).toContain(email)
    expect(await canLogIn(email)).toBe(false)
    expect((await confirm(path)).status).toBe(200)
    expect([await canLogIn(email), await canLogIn(user.email)]).toEqual([true, false])
    expect((await visitor.get("/account")).text).toContain(email)
    expect((await mailWith(user.email, email)).text).toContain("tell the operator")
    for (const answer of [await browser(app).get(path), await confirm(path)])
      expect(answer).toMatchObject({ status: 410, text: expect.stringContaining("has been used already") })
  })

  it("ends the other links, whose pages say so", async () => {
    const { visitor } = await loggedIn()
    const [older, newer] = [await linkFor(visitor, newAddress()), await linkFor(visitor, newAddress())]
    expect((await confirm(newer)).status).toBe(200)
    expect(await confirm(older)).toMatchObject({ status: 410, text: expect.stringContaining("another one was used") })
  })

  it("ends a link whose confirmation began earlier and waited", async () => {
    const { visitor } = await loggedIn()
    const [waiting, used] = [await linkFor(visitor, newAddress()), await linkFor(visitor, newAddress())]
    const state = await app.run(
      Effect.gen(function* () {
        const { transaction } = yield* Database
        const { find } = yield* EmailChangesRepo
        const hash = hashToken(waiting.slice("/email/".length))
        return yield* transaction(
          Effect.andThen(
            find(hash),
            Effect.andThen(
              Effect.promise(() => confirm(used)),
              find(hash)
            )
          )
        )
      }).pipe(Effect.provide(EmailChangesRepo.layer), Effect.orDie)
    )
    expect(Option.map(state, (link) => link.state)).toEqual(Option.some("replaced"))
  })

  it("needs the password, an address and patience", async () => {
    const { user, visitor } = await loggedIn()
    const email = newAddress()
    expect((await ask(visitor, email, "wrong password")).status).toBe(422)
    for (const wrong of ["", "no address", user.email.toUpperCase()])
      expect((await ask(visitor, wrong)).status).toBe(422)
    for (let count = 0; count < 3; count++) expect((await ask(visitor, email)).status).toBe(200)
    expect(await ask(visitor, email)).toMatchObject({ status: 422, text: expect.stringContaining("too many links") })
    expect((await browser(app).get("/email/eml_unknown")).status).toBe(404)
  })

  it("is not that of another account, of which only its owner learns", async () => {
    const [{ visitor }, other] = [await loggedIn(), await person(app)]
    const path = await linkFor(visitor, other.email)
    expect(await confirm(path)).toMatchObject({ status: 422, text: expect.stringContaining("another account") })
    expect(await canLogIn(other.email)).toBe(true)
  })

  it("of two that are confirmed at once is only one, and none after the password was changed", async () => {
    const { visitor } = await loggedIn()
    const paths = [await linkFor(visitor, newAddress()), await linkFor(visitor, newAddress())]
    const statuses = (await Promise.all(paths.map((path) => confirm(path)))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 410]))
    const { visitor: browsing } = await loggedIn()
    const late = await linkFor(browsing, newAddress())
    await browsing.post("/account/password", {
      ...hiddenFields((await browsing.get("/account")).text),
      current_password: password,
      new_password: "another horse, entirely"
    })
    expect((await confirm(late)).status).toBe(410)
  })
})
