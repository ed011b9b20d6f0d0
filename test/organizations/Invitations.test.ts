import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Sessions } from "../../src/identity/session/Sessions.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { UserId } from "../../src/kernel/Ids.ts"
import { InvitationMail } from "../../src/organizations/invitations/InvitationMail.ts"
import { InvitationMailQueue } from "../../src/organizations/invitations/InvitationMailQueue.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { duringStorm } from "../identity/Visitor.ts"
import { useApp } from "../support/App.ts"
import type { SeededOrganization } from "../support/database/Seed.ts"

const app = useApp()
const password = "correct horse battery"
let people = 0

const withSql = <A>(query: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, query))

const users = <A, E>(use: (users: Users["Service"]) => Effect.Effect<A, E>) =>
  app.run(Effect.flatMap(Users, use).pipe(Effect.provide(Users.layer)))

const newEmail = () => `invited${++people}@example.com`
const account = (email: string) => users((service) => service.create({ name: "Ana", email }, Redacted.make(password)))
const isPassword = async (email: string, text: string) =>
  (await users((service) => Effect.result(service.authenticate(email, Redacted.make(text), { address: "192.0.2.1" }))))
    ._tag

/** Runs a worker's job, because this process has no worker. */
const mailed = Effect.gen(function* () {
  const jobs = yield* Jobs
  const mail = yield* InvitationMail
  yield* jobs.take(InvitationMailQueue, mail.deliver)
}).pipe(Effect.provide(InvitationMail.layer))

/** Invites a person and reads the link's path from the mail. */
const invite = async ({ id, owner }: SeededOrganization, email: string, role = "member") => {
  const path = `/api/v1/organizations/${id}/users/invite`
  expect((await app.call("POST", path, { token: owner.token, body: { email, role } })).status).toBe(201)
  await app.run(mailed)
  const outbox = join(app.dataDir, "outbox")
  const texts = await Promise.all(
    (await readdir(outbox)).toSorted().map((name) => readFile(join(outbox, name), "utf8"))
  )
  const mail = texts.findLast((text) => text.includes(`To: ${email}`)) ?? ""
  return /\/invitations\/inv_[\w-]{43}/.exec(mail.replace(/=\r\n/g, ""))?.[0] ?? "no link"
}

const browser = (initial = "") => {
  let cookie = initial
  const request = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const answer = await app.call(method, path, { headers: { ...headers, cookie }, body })
    const [set] = answer.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(";", 1)[0] ?? ""
    return answer
  }
  return {
    get cookie() {
      return cookie
    },
    get: (path: string, headers?: Record<string, string>) => request("GET", path, headers),
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      request(
        "POST",
        path,
        { "content-type": "application/x-www-form-urlencoded", ...headers },
        new URLSearchParams(fields).toString()
      )
  }
}

const csrfOf = ({ text }: { text: string }) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ""
const open = async (path: string, initial?: string) => {
  const person = browser(initial)
  const page = await person.get(path)
  return { person, page, csrf: csrfOf(page) }
}
const memberOf = async ({ id, owner }: SeededOrganization, email: string) =>
  (await app.call("GET", `/api/v1/organizations/${id}/users`, { token: owner.token })).body.data.find(
    (member: { email: string }) => member.email === email
  )

describe("The link of an invitation, for somebody without an account", () => {
  it("shows the organization and the role, without external resources and scripts", async () => {
    const organization = await app.organization({ name: "<script>alert(1)</script>" })
    const { page } = await open(await invite(organization, newEmail(), "accountant"))
    expect(page.status).toBe(200)
    expect(page.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(page.text).not.toContain("<script")
    expect(page.text).toContain("accountant")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(page.headers.get("cache-control")).toBe("no-store")
    const german = await browser().get(await invite(organization, newEmail()), { "accept-language": "de" })
    expect(german.text).toContain("Einladung annehmen")
  })

  it("creates an account with the chosen name and password and a membership, and logs the browser in", async () => {
    const organization = await app.organization()
    const email = newEmail()
    const path = await invite(organization, email)
    const { csrf, page, person } = await open(path)
    const before = person.cookie
    expect(page.text).toContain('autocomplete="new-password"')
    const done = await person.post(path, { csrf, name: "Ana B", password })
    expect(done.status).toBe(200)
    expect(person.cookie).not.toBe(before)
    expect(await memberOf(organization, email)).toMatchObject({ name: "Ana B", role: "member", status: "active" })
    expect(await isPassword(email, password)).toBe("Success")
  })

  it.each([
    [{ name: "Ana", password: "short" }, "password", "At least 8 characters."],
    [{ name: "Ana", password: "password" }, "password", "This password is too common. Choose another one."],
    [{ name: " ", password }, "name", "Please enter your name."],
    [{ name: "", password }, "name", "Please enter your name."]
  ])("answers 422 with the form again for %j, says why at the field, and nobody joins", async (fields, wrong, why) => {
    const organization = await app.organization()
    const email = newEmail()
    const path = await invite(organization, email)
    const { csrf, person } = await open(path)
    const again = await person.post(path, { csrf, ...fields })
    expect(again.status).toBe(422)
    expect(again.text).toMatch(new RegExp(`role="alert"[^>]*>${why.replaceAll(".", "\\.")}<`))
    expect(new RegExp(`<input[^>]*name="${wrong}"[^>]*>`).exec(again.text)?.[0]).toMatch(
      /aria-invalid="true"\s+autofocus/
    )
    expect(await memberOf(organization, email)).toMatchObject({ status: "invited" })
    expect((await person.post(path, { csrf: csrfOf(again), name: "Ana", password })).status).toBe(200)
  })

  it("answers 503 with Retry-After while too many passwords are being checked, and nobody joins", async () => {
    const organization = await app.organization()
    const guests: Array<Awaited<ReturnType<typeof open>> & { readonly email: string; readonly path: string }> = []
    for (const email of Array.from({ length: 8 }, newEmail)) {
      const path = await invite(organization, email)
      guests.push({ email, path, ...(await open(path)) })
    }
    const answers = await duringStorm(app, () =>
      Promise.all(
        guests.map(async ({ csrf, email, path, person }) => ({
          email,
          answer: await person.post(path, { csrf, name: "Ana", password })
        }))
      )
    )
    const busy = answers.filter(({ answer }) => answer.status !== 200)
    expect(busy.length).toBeGreaterThan(0)
    for (const { answer, email } of busy) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"])
      expect(answer.text).toContain('role="alert"')
      expect(await memberOf(organization, email)).toMatchObject({ status: "invited" })
    }
  })
})

describe("The link of an invitation, for somebody with an account", () => {
  it("requires the account's password, and the link alone changes nothing", async () => {
    const organization = await app.organization()
    const email = newEmail()
    await account(email)
    const path = await invite(organization, email)
    const { csrf, page, person } = await open(path)
    expect(page.text).toContain('autocomplete="current-password"')
    const wrong = await person.post(path, { csrf, name: "Mallory", password: "a password of my own" })
    expect(wrong.status).toBe(422)
    expect(await memberOf(organization, email)).toMatchObject({ status: "invited" })
    expect(await isPassword(email, password)).toBe("Success")
    expect((await person.post(path, { csrf: csrfOf(wrong), password })).status).toBe(200)
    expect(await memberOf(organization, email)).toMatchObject({ name: "Ana", status: "active" })
  })

  it("requires nothing more when the account is logged in, but does when another account is", async () => {
    const organization = await app.organization()
    const email = newEmail()
    const [invited, other] = [await account(email), await account(newEmail())]
    const session = (id: number) =>
      app.run(
        Effect.flatMap(Sessions, (sessions) =>
          sessions.start(UserId.make(id), { user_agent: "test", address: "127.0.0.1", complete: true })
        ).pipe(
          Effect.map(({ token }) => token),
          Effect.provide(Sessions.layer)
        )
      )
    const path = await invite(organization, email)
    const stranger = await open(path, `session=${await session(other.id)}`)
    expect(stranger.page.text).toContain('autocomplete="current-password"')
    expect((await stranger.person.post(path, { csrf: stranger.csrf })).status).toBe(422)
    const { csrf, page, person } = await open(path, `session=${await session(invited.id)}`)
    expect(page.text).not.toContain('type="password"')
    expect((await person.post(path, { csrf })).status).toBe(200)
    expect(await memberOf(organization, email)).toMatchObject({ status: "active" })
  })
})

describe("A form that was not sent by the page in the same browser", () => {
  it.each([
    ["without the page's cookie", "", (csrf: string) => ({ csrf, cookie: "" })],
    ["with a wrong token", "Ana", () => ({ csrf: "x" })],
    ["without a token", "Ana", () => ({})],
    ["from another site", "", (csrf: string) => ({ csrf, origin: "https://evil.example" })]
  ])("is answered with 403 %s and with the name %j, and nobody joins", async (_, shown, change) => {
    const organization = await app.organization()
    const email = newEmail()
    const path = await invite(organization, email)
    const { csrf, person } = await open(path)
    const { cookie = person.cookie, origin = app.url, csrf: sent } = change(csrf) as Record<string, string | undefined>
    const fields = { name: "Ana", password, ...(sent === undefined ? {} : { csrf: sent }) }
    const { status, text } = await browser(cookie).post(path, fields, { origin })
    const name = /id="name"[^>]*value="([^"]*)"/.exec(text)?.[1]
    expect([status, name]).toEqual([403, shown])
    expect(await memberOf(organization, email)).toMatchObject({ status: "invited" })
  })
})

describe("An invalid link", () => {
  it("answers 404 when it is unknown, was replaced, or the person was removed", async () => {
    const organization = await app.organization()
    const email = newEmail()
    const replaced = await invite(organization, email)
    const current = await invite(organization, email)
    for (const path of [replaced, `/invitations/inv_${"x".repeat(43)}`, "/invitations/%00", "/invitations/x"]) {
      const page = await browser().get(path)
      expect([path, page.status]).toEqual([path, 404])
      expect(page.text).toContain("Follow the link of the latest message")
    }
    expect((await browser().get(current)).status).toBe(200)
    const { id } = await memberOf(organization, email)
    await app.call("DELETE", `/api/v1/organizations/${organization.id}/users/${id}`, {
      token: organization.owner.token
    })
    expect((await browser().get(current)).status).toBe(404)
  })

  it("answers 410 after seven days, for the page and for its form", async () => {
    const organization = await app.organization()
    const email = newEmail()
    const path = await invite(organization, email)
    const { csrf, person } = await open(path)
    const expiry = await withSql(
      (sql) => sql<{ days: number }>`
        select extract(epoch from invitation_expires_at - created_at)::float8 / 86400 as days
        from members where organization_id = ${organization.id} and status = 'invited'`
    )
    expect(expiry[0]?.days).toBeCloseTo(7)
    await withSql(
      (sql) => sql`update members set invitation_expires_at = now() where organization_id = ${organization.id}`
    )
    expect((await person.get(path)).status).toBe(410)
    expect((await person.post(path, { csrf, name: "Ana", password })).status).toBe(410)
    expect(await memberOf(organization, email)).toMatchObject({ status: "invited" })
  })

  it("answers 410 after it was used", async () => {
    const organization = await app.organization()
    const path = await invite(organization, newEmail())
    const { csrf, person } = await open(path)
    expect((await person.post(path, { csrf, name: "Ana", password })).status).toBe(200)
    const used = await person.get(path)
    expect(used.status).toBe(410)
    expect(used.text).toContain("already accepted")
  })
})

describe("Invitations that are accepted concurrently", () => {
  it("add one membership for one link", async () => {
    const organization = await app.organization()
    const path = await invite(organization, newEmail())
    const visits = await Promise.all([open(path), open(path), open(path)])
    const answers = await Promise.all(
      visits.map(({ csrf, person }, index) => person.post(path, { csrf, name: `Ana ${index}`, password }))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const joined = await withSql(
      (sql) => sql`select seq from audit_entries
                   where organization_id = ${organization.id} and canonical like '%member.joined%'`
    )
    expect(joined).toHaveLength(1)
  })

  it("set one password for a person invited by two organizations", async () => {
    const email = newEmail()
    const paths = [await invite(await app.organization(), email), await invite(await app.organization(), email)]
    const visits = await Promise.all(paths.map((path) => open(path)))
    const answers = await Promise.all(
      visits.map(({ csrf, person }, index) =>
        person.post(paths[index] ?? "", { csrf, name: "Ana", password: `password number ${index}` })
      )
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await isPassword(email, `password number ${winner}`)).toBe("Success")
    expect(await isPassword(email, `password number ${1 - winner}`)).toBe("Failure")
  })
})
