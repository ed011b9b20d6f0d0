import { Option, Redacted } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { browser, client, password, person, tokenRequest } from "../Visitor.ts"
import { next, sorted, useAttacker, withoutTokens } from "./Attacker.ts"

const mail = await smtp()
const { app, canLogIn, disable, entered, fill, forgot, linkOf, protectedPerson, reset } = useAttacker({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

let ana: Awaited<ReturnType<typeof entered>>
beforeAll(async () => {
  ana = await entered()
})

const onLinks: Readonly<Record<string, () => Promise<void>>> = {
  "uses a link twice": async () => {
    const path = await linkOf(await person(app))
    expect(sorted([await reset(path), await reset(path), await browser(app).get(path)])).toEqual([303, 410, 410])
  },
  "uses a link in three browsers at the same time": async () => {
    const path = await linkOf(await person(app))
    expect(sorted(await Promise.all([reset(path), reset(path), reset(path)]))).toEqual([303, 410, 410])
  },
  "uses two links of one user at the same time": async () => {
    const user = await person(app)
    const paths = [await linkOf(user), await linkOf(user)]
    expect(sorted(await Promise.all(paths.map((path) => reset(path))))).toEqual([303, 410])
  },
  "uses an older link after a newer one": async () => {
    const user = await person(app)
    const older = await linkOf(user)
    expect((await reset(await linkOf(user))).status).toBe(303)
    expect((await reset(older)).status).toBe(410)
  },
  "names another user in the form of a link": async () => {
    const eve = await person(app)
    await reset(await linkOf(eve), { email: ana.email, user_id: String(ana.id), username: ana.email })
    expect([await canLogIn(eve, next), await canLogIn(ana, next)]).toEqual([true, false])
  },
  "uses an expired link": async () => {
    const user = await person(app)
    const path = await linkOf(user)
    await app.inDatabase(`update password_resets set expires_at = now() where user_id = ${user.id}`)
    expect((await reset(path)).status).toBe(410)
    expect(await canLogIn(user, next)).toBe(false)
  },
  "changes the letters, the end or the prefix of a link": async () => {
    const path = await linkOf(ana)
    const token = path.slice("/reset/rst_".length)
    const swapped = token.replace(/[a-zA-Z]/, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
    )
    for (const guess of [
      `rst_${swapped}`,
      `rst_${token}A`,
      `rst_${token.slice(1)}`,
      token,
      `doc_${token}`,
      "rst_%00"
    ]) {
      expect((await browser(app).get(`/reset/${guess}`)).status).toBe(404)
    }
  },
  "uses the hash of a link, read from a backup": async () => {
    await linkOf(ana)
    const encoded = "translate(encode(hash, 'base64'), '+/=', '-_')"
    const [row] = await app.inDatabase(`select '/reset/rst_' || ${encoded} as path from password_resets`)
    expect((await browser(app).get(String(Object.values(row ?? {})[0]))).status).toBe(404)
  },
  "uses a link after the password was changed in another way": async () => {
    const user = await entered()
    const path = await linkOf(user)
    await fill(user.visitor, "/account/password", { current_password: password, new_password: next })
    expect((await reset(path)).status).toBe(410)
  },
  "uses the link of a disabled user": async () => {
    const user = await person(app)
    const path = await linkOf(user)
    await disable(user)
    expect((await reset(path)).status).toBe(410)
    expect((await browser(app).get(path)).text).not.toContain(user.email)
  },
  "leads the mailed link to another host": async () => {
    const user = await person(app)
    const host = "evil.example"
    await forgot(user.email, { "x-forwarded-host": host, "x-forwarded-proto": "https", forwarded: `host=${host}` })
    const { text } = await until("the link", () => mail.received.find(({ to }) => to === user.email))
    expect(text).toContain(`${app.url}/reset/rst_`)
    expect(text).not.toContain(host)
  },
  "adds a recipient or an error by control characters in the address": async () => {
    for (const email of [`${ana.email}\r\nBcc: eve@example.com`, "ana\u0000@example.com"]) {
      expect((await forgot(email)).status).toBe(200)
    }
    expect(mail.received.filter(({ raw }) => raw.includes("eve@example.com"))).toEqual([])
  },
  "sets a short, a common, an empty or an endless password": async () => {
    const path = await linkOf(await person(app))
    for (const tried of ["short", "password1", "", "a".repeat(5_000)]) {
      expect((await reset(path, { password: tried })).status).toBe(422)
    }
  },
  "skips the second step by a new password": async () => {
    const visitor = browser(app)
    expect((await reset(await linkOf(await protectedPerson()), {}, visitor)).location).toBe("/login/code")
    expect((await visitor.get("/account")).location).toBe("/login")
  },
  "keeps a session over a reset": async () => {
    const user = await entered()
    await reset(await linkOf(user))
    expect((await user.visitor.get("/account")).location).toBe("/login")
  },
  "plants the cookie of the browser that resets": async () => {
    const visitor = browser(app)
    await visitor.get("/login")
    const cookie = `session=${visitor.jar.get("session")}`
    await reset(await linkOf(await person(app)), {}, visitor)
    expect((await visitor.get("/account")).status).toBe(200)
    expect((await browser(app).get("/account", { cookie })).location).toBe("/login")
  }
}

const rounds = 7

/** Returns the ratio of the times that the action takes for known and unknown addresses, measured alternately. */
const timesApart = async (act: (email: string) => Promise<unknown>) => {
  const known: Array<number> = []
  const unknown: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const emails = [(await person(app)).email, `nobody${round}@example.com`] as const
    for (const email of emails) {
      const start = performance.now()
      await act(email)
      const times = email === emails[0] ? known : unknown
      times.push(performance.now() - start)
    }
  }
  // Other tests on the same machine delay most of the requests, but not the fastest ones.
  const fastest = [Math.min(...known), Math.min(...unknown)]
  return Math.max(...fastest) / Math.min(...fastest)
}

/** If logins with unknown addresses skipped the check of the password, they would be several times faster. */
const times_apart_max = 2.5

const onAddresses: Readonly<Record<string, () => Promise<void>>> = {
  "compares the answers to forgotten passwords of known, unknown and disabled users": async () => {
    const gone = await person(app)
    await disable(gone)
    const answers = await Promise.all([ana.email, "nobody@example.com", gone.email].map((email) => forgot(email)))
    expect(new Set(answers.map((answer) => `${answer.status} ${withoutTokens(answer)}`)).size).toBe(1)
  },
  "compares the answers to logins of known, unknown, disabled and protected users": async () => {
    const [gone, safe] = [await person(app), await protectedPerson()]
    await disable(gone)
    const emails = [(await person(app)).email, "nobody@example.com", gone.email, safe.email]
    const answers = await Promise.all(emails.map((email) => browser(app).logIn(email, "/login", "wrong")))
    expect(new Set(answers.map((answer) => `${answer.status} ${withoutTokens(answer)}`)).size).toBe(1)
  },
  "compares the answers of the password grant": async () => {
    const { id } = await client(app, { password_grant: true })
    const grant = (username: string) =>
      tokenRequest(app, { grant_type: "password", client_id: id, username, password: "wrong" })
    const [known, safe] = [await person(app), await protectedPerson()]
    const answers = await Promise.all([known.email, safe.email, "nobody@example.com"].map(grant))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  },
  "compares the times of logins": async () => {
    expect(await timesApart((email) => browser(app).logIn(email, "/login", "wrong"))).toBeLessThan(times_apart_max)
  },
  "compares the times of forgotten passwords": async () => {
    expect(await timesApart((email) => forgot(email))).toBeLessThan(times_apart_max)
  }
}

describe("an attack on passwords fails that", () => {
  it.each(Object.entries({ ...onLinks, ...onAddresses }))("%s", (_, attack) => attack())
})
