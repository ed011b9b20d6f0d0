import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Accounts } from "../../../src/identity/accounts/Accounts.ts"
import { purgeIdentity } from "../../../src/identity/IdentityPurge.ts"
import { OrganizationBindingLive } from "../../../src/organizations/OrganizationBindingLive.ts"
import { useApp } from "../../support/App.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { browser, disable, hiddenFields, password, person } from "../Visitor.ts"

const mail = await smtp()
const app = useApp({ role: "all", ...mail.settings })

const next = "another horse, entirely"
const [login, changed] = ["New login to your account", "Your password has been changed"]
const subjectsTo = (address: string) =>
  mail.received.filter(({ to }) => to === address).map(({ header }) => header("subject"))

/** Waits until every mail of the test was sent, and returns the subjects of those to the address. */
const mailed = async (address: string) => {
  await until("the end of all jobs", async () => {
    const jobs = await app.inDatabase(
      "select from jobs where queue_name = 'identity.password_mail' and state = 'pending'"
    )
    return jobs.length === 0 ? true : undefined
  })
  return subjectsTo(address)
}

/** A user who has logged in before. */
const visited = async () => {
  const user = await person(app)
  const visitor = browser(app)
  expect((await visitor.logIn(user.email)).status).toBe(303)
  return { ...user, visitor }
}

describe("the notice of a login from an unknown browser", () => {
  it("is not sent for the first login, nor for a browser that is known, but for any other", async () => {
    const { email, visitor } = await visited()
    await visitor.logIn(email)
    expect(await mailed(email)).toEqual([])
    await browser(app).logIn(email)
    expect(await mailed(email)).toEqual([login])
  })

  it("is sent when the account's browsers have been forgotten, because nobody has logged in for long", async () => {
    const { email, id } = await visited()
    await app.inDatabase(`update login_devices set expires_at = now() - interval '1 hour' where user_id = ${id}`)
    await app.run(purgeIdentity())
    await browser(app).logIn(email)
    expect(await mailed(email)).toEqual([login])
  })

  it("is sent when the account was disabled and enabled", async () => {
    const { email } = await visited()
    await disable(app, email)
    const layer = Layer.provide(Accounts.layer, OrganizationBindingLive)
    await app.run(Accounts.use(({ enable }) => enable(email)).pipe(Effect.provide(layer)))
    await browser(app).logIn(email)
    expect(await mailed(email)).toEqual([login])
  })

  it("is not sent beside the notice of a new password to the browser that has set it", async () => {
    const { email, visitor } = await visited()
    const page = (await visitor.get("/account")).text
    const secrets = { current_password: password, new_password: next }
    await visitor.post("/account/password", { ...hiddenFields(page, "/account/password"), ...secrets })
    expect(await mailed(email)).toEqual([changed])

    const other = browser(app)
    await other.post("/forgot", { ...hiddenFields((await other.get("/forgot")).text), email })
    const { text } = await until("the link", () => mail.received.find((one) => one.text.includes("/reset/")))
    const path = /\/reset\/\S+/.exec(text)?.[0] ?? ""
    await other.post(path, { ...hiddenFields((await other.get(path)).text), password })
    expect(await mailed(email)).toEqual([changed, "Set a new password", changed])
  })
})

describe("a notice about an account", () => {
  it("outlasts an outage of the mail server for nearly a day", async () => {
    mail.stop()
    const { email } = await visited()
    const jobs = `jobs where queue_name = 'identity.password_mail' and state = 'pending'`
    const due = (attempts: number) =>
      app.inDatabase(`update jobs set attempts = ${attempts}, visible_at = localtimestamp where id in (
        select id from ${jobs} and acquired_at is null)`)
    const failed = (attempts: number) =>
      until(`attempt ${attempts}`, async () => {
        const [job] =
          await app.inDatabase(`select extract(epoch from visible_at - updated_at)::float8 as pause from ${jobs}
          and attempts >= ${attempts} and acquired_at is null`)
        return job
      })
    await browser(app).logIn(email)
    await failed(1)
    await due(25)
    expect(await failed(26)).toEqual({ pause: expect.closeTo(3600, -2) })
    mail.restart()
    await due(26)
    expect(await mailed(email)).toEqual([login])
  })
})
