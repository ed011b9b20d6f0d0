import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { freePort } from "../support/FreePort.ts"
import { seedMember } from "../support/Seed.ts"

interface Received {
  readonly to: ReadonlyArray<string>
  readonly text: string
}

/** Takes mail for everybody but `nobody@` (no such mailbox) and `later@` (greylisted). */
const received: Array<Received> = []
const answers: Record<string, number> = { "nobody@example.org": 550, "later@example.org": 451 }
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: ({ address }, _session, done) => {
    const responseCode = answers[address]
    done(responseCode === undefined ? null : Object.assign(new Error("not today"), { responseCode }))
  },
  onData: (stream, session, done) => {
    const chunks: Array<Buffer> = []
    stream.on("data", (chunk: Buffer) => chunks.push(chunk))
    stream.on("end", () => {
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString()
      })
      done()
    })
  }
})
let port = 0

beforeAll(async () => {
  port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()))
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

const app = useApp({
  get smtpUrl() {
    return Option.some(Redacted.make(`smtp://127.0.0.1:${port}`))
  }
})
const offline = useApp()

const invite = (from: typeof app, id: number, token: string, body: unknown) =>
  from.call("POST", `/api/v1/organizations/${id}/users/invite`, { token, body })
const emails = async (id: number, token: string) =>
  (await app.call("GET", `/api/v1/organizations/${id}/users`, { token })).body.data.map(
    ({ email }: { email: string }) => email
  )

describe("POST /api/v1/organizations/{id}/users/invite", () => {
  it("answers 201 with the invited member and mails the link in the language of the organization", async () => {
    const { id, owner } = await app.organization({ name: "Ébène & <Fils>" })
    await app.call("PUT", `/api/v1/organizations/${id}`, { token: owner.token, body: { language: "fr" } })
    const { body, status } = await invite(app, id, owner.token, { email: "Ana@example.org", role: "accountant" })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: "Ana@example.org",
      email: "Ana@example.org",
      role: "accountant",
      status: "invited",
      joined_at: null
    })
    const mail = received.at(-1)
    expect(mail?.to).toEqual(["Ana@example.org"])
    expect(mail?.text).toContain("Content-Language: fr")
    expect(mail?.text).toMatch(/\/invitations\/inv_/)
    expect(mail?.text).toContain("en tant que comptable")
    expect(mail?.text).not.toContain("<Fils></")
  })

  it("keeps the token out of the database and the audit chain", async () => {
    const { id, owner } = await app.organization()
    await invite(app, id, owner.token, { email: "secret@example.org", role: "viewer" })
    const token = /inv_[A-Za-z0-9_-]{43}/.exec((received.at(-1)?.text ?? "").replace(/=\r\n/g, ""))?.[0]
    expect(token).toBeDefined()
    const kept = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          select (select json_agg(m) from members m) as members, (select json_agg(a) from audit_entries a) as entries`
      )
    )
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(kept)).toContain("member.invited")
  })

  it("answers 422 already_member for a member, whatever the case of the address, and sends nothing", async () => {
    const { id, owner } = await app.organization()
    const person = await app.run(seedMember(id, "viewer"))
    const sent = received.length
    const { body, status } = await invite(app, id, owner.token, { email: person.email.toUpperCase(), role: "admin" })
    expect([status, body.code]).toEqual([422, "already_member"])
    expect(received).toHaveLength(sent)
  })

  it.each([
    [{ role: "viewer" }, "email"],
    [{ email: "ana@example.org" }, "role"],
    [{ email: "ana@example", role: "viewer" }, "email"],
    [{ email: "a@example.org\r\nBcc: b@example.org", role: "viewer" }, "email"],
    [{ email: "ana@example.org", role: "king" }, "role"]
  ])("answers 422 for %j", async (body, field) => {
    const { id, owner } = await app.organization()
    const answer = await invite(app, id, owner.token, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  it("answers 422 with the mail server's words for an address it refuses, and nobody is invited", async () => {
    const { id, owner } = await app.organization()
    const { body, status } = await invite(app, id, owner.token, { email: "nobody@example.org", role: "viewer" })
    expect([status, body.code]).toEqual([422, "invitation_refused"])
    expect(body.message).toContain("550 not today")
    expect(await emails(id, owner.token)).toEqual([owner.email])
  })

  it("answers 503 while no mail can be sent, and nobody is invited", async () => {
    const { id, owner } = await app.organization()
    const { body, status } = await invite(app, id, owner.token, { email: "later@example.org", role: "viewer" })
    expect([status, body.code]).toEqual([503, "invitation_unsent"])
    expect(await emails(id, owner.token)).toEqual([owner.email])
  })

  it("invites somebody who is invited already again, with the new role and a new mail", async () => {
    const { id, owner } = await app.organization()
    await invite(app, id, owner.token, { email: "twice@example.org", role: "viewer" })
    const sent = received.length
    const { body, status } = await invite(app, id, owner.token, { email: "twice@example.org", role: "member" })
    expect([status, body.data.role]).toEqual([201, "member"])
    expect(received).toHaveLength(sent + 1)
    expect(await emails(id, owner.token)).toEqual(["twice@example.org", owner.email])
  })

  it("keeps the mail in the outbox folder when no server is configured", async () => {
    const { id, owner } = await offline.organization()
    expect((await invite(offline, id, owner.token, { email: "ana@example.org", role: "viewer" })).status).toBe(201)
    const outbox = join(offline.dataDir, "outbox")
    const [name = ""] = await readdir(outbox)
    const text = await readFile(join(outbox, name), "utf8")
    expect(text).toContain("To: ana@example.org")
    expect(text).toMatch(/\/invitations\/inv_/)
  })
})
