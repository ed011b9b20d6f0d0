import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, readFile } from "node:fs/promises"
import type { Socket } from "node:net"
import { join } from "node:path"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { freePort } from "../support/counterparts/FreePort.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { seedMember } from "../support/database/Seed.ts"

interface Received {
  readonly to: ReadonlyArray<string>
  readonly text: string
}

/**
 * The mail server accepts mail except for `nobody@` (no mailbox) and, until a test changes it, `later@` (greylisted).
 * It never confirms mail to `lost@`.
 */
const received: Array<Received> = []
const answers: Record<string, number> = { "nobody@example.org": 550, "later@example.org": 451 }
const mailTo = (address: string) =>
  until(`the mail to ${address}`, () => received.findLast(({ to }) => to.includes(address)))
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
      if (session.envelope.rcptTo.some(({ address }) => address.startsWith("lost@"))) {
        return void sockets.get(session.remotePort)?.destroy()
      }
      done()
    })
  }
})
const sockets = new Map<number | undefined, Socket>()
server.server.on("connection", (socket: Socket) => void sockets.set(socket.remotePort, socket))
server.on("error", () => undefined)
let port = 0

beforeAll(async () => {
  port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()))
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

const app = useApp({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(`smtp://127.0.0.1:${port}`))
  }
})
const offline = useApp({ role: "all" })

const invite = (from: typeof app, id: number, token: string, body: unknown) =>
  from.call("POST", `/api/v1/organizations/${id}/users/invite`, { token, body })
/** The job that mails a user's invitation, once it has the expected state. */
const jobOf = (user_id: number, state: "pending" | "completed") =>
  until(`the ${state} job`, () =>
    app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [job] = yield* sql<{ last_failure: string }>`
          select last_failure from jobs where queue_name = 'invitations.mail' and state = ${state}
            and attempts > 0 and acquired_at is null
            and (element::jsonb -> 'payload' ->> 'user_id')::bigint = ${user_id}`
        return job
      })
    )
  )
/** Makes all waiting jobs due immediately, so that their next attempt begins. */
const hasten = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update jobs set visible_at = localtimestamp`)
const tokenIn = ({ text }: Received) => /inv_[A-Za-z0-9_-]{43}/.exec(text.replace(/=\r\n/g, ""))?.[0]
const emails = async (id: number, token: string) =>
  (await app.call("GET", `/api/v1/organizations/${id}/users`, { token })).body.data.map(
    ({ email }: { email: string }) => email
  )

describe("POST /api/v1/organizations/{id}/users/invite", () => {
  it("answers 201 with the invited member and mails the link in the organization's language", async () => {
    const { id, owner } = await app.organization({ name: "Ébène & <Fils>" })
    await app.call("PUT", `/api/v1/organizations/${id}`, {
      token: owner.token,
      body: { language: "fr", contact_email: "bureau@ebene.example" }
    })
    const { body, status } = await invite(app, id, owner.token, { email: "Ana@example.org", role: "accountant" })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: "Ana@example.org",
      email: "Ana@example.org",
      role: "accountant",
      status: "invited",
      joined_at: null
    })
    const mail = await mailTo("Ana@example.org")
    expect(mail.to).toEqual(["Ana@example.org"])
    expect(mail.text).toContain("Content-Language: fr")
    expect(mail.text).toContain("Reply-To: bureau@ebene.example")
    expect(mail.text).toMatch(/\/invitations\/inv_/)
    expect(mail.text.replaceAll("=\r\n", "")).toContain("en tant que comptable")
    expect(mail.text).not.toContain("<Fils></")
  })

  it("keeps the token out of the database and the audit chain", async () => {
    const { id, owner } = await app.organization()
    await invite(app, id, owner.token, { email: "secret@example.org", role: "viewer" })
    const token = tokenIn(await mailTo("secret@example.org"))
    expect(token).toBeDefined()
    const kept = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          select (select json_agg(m) from members m) as members, (select json_agg(j) from jobs j) as jobs,
            (select json_agg(a) from audit_entries a) as entries`
      )
    )
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(kept)).toContain("member.invited")
    expect(JSON.stringify(kept)).toContain("sealed_token")
  })

  it("answers 422 already_member for a member, ignoring the case of the address, and sends nothing", async () => {
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

  it("withdraws an invitation whose address the mail server refuses, and audits the reason", async () => {
    const { id, owner } = await app.organization()
    expect((await invite(app, id, owner.token, { email: "nobody@example.org", role: "viewer" })).status).toBe(201)
    await until("the withdrawal", async () => ((await emails(id, owner.token)).length === 1 ? true : undefined))
    const { entries, events } = await app.run(verifiedAuditLog(id))
    expect(events.map(({ type }) => type)).toEqual(["member.created", "member.deleted"])
    expect(entries.map(({ action, actor }) => [action, actor]).slice(-2)).toEqual([
      ["member.invited", `user:${owner.id}`],
      ["member.invitation_withdrawn", "system"]
    ])
    expect(entries.at(-1)?.data).toMatchObject({ reason: "550 not today" })
  })

  it("answers 201 while mail cannot be sent, and sends it later", async () => {
    const { id, owner } = await app.organization()
    const { body, status } = await invite(app, id, owner.token, { email: "later@example.org", role: "viewer" })
    expect(status).toBe(201)
    expect((await jobOf(body.data.id, "pending")).last_failure).toContain("451 not today")
    expect(await emails(id, owner.token)).toEqual(["later@example.org", owner.email])
    delete answers["later@example.org"]
    await app.run(hasten)
    expect(tokenIn(await mailTo("later@example.org"))).toBeDefined()
  })

  it("sends a mail at most twice that the server never confirms", async () => {
    const { id, owner } = await app.organization()
    const { body } = await invite(app, id, owner.token, { email: "lost@example.org", role: "viewer" })
    await jobOf(body.data.id, "pending")
    await app.run(hasten)
    await jobOf(body.data.id, "completed")
    expect(received.filter(({ to }) => to.includes("lost@example.org"))).toHaveLength(2)
    expect(await emails(id, owner.token)).toContain("lost@example.org")
  })

  it("invites an invited person again with the new role and a new link, which replaces the old one", async () => {
    const { id, owner } = await app.organization()
    await invite(app, id, owner.token, { email: "twice@example.org", role: "viewer" })
    const first = tokenIn(await mailTo("twice@example.org"))
    received.length = 0
    const { body, status } = await invite(app, id, owner.token, { email: "twice@example.org", role: "member" })
    expect([status, body.data.role]).toEqual([201, "member"])
    const second = tokenIn(await mailTo("twice@example.org"))
    expect(await emails(id, owner.token)).toEqual(["twice@example.org", owner.email])
    expect((await app.call("GET", `/invitations/${first}`)).status).toBe(404)
    expect((await app.call("GET", `/invitations/${second}`)).status).toBe(200)
  })

  it("sends nothing to a person who was removed before the mail was sent", async () => {
    const { id, owner } = await app.organization()
    answers["removed@example.org"] = 451
    const { body } = await invite(app, id, owner.token, { email: "removed@example.org", role: "viewer" })
    await jobOf(body.data.id, "pending")
    await app.call("DELETE", `/api/v1/organizations/${id}/users/${body.data.id}`, { token: owner.token })
    delete answers["removed@example.org"]
    await app.run(hasten)
    await jobOf(body.data.id, "completed")
    expect(received.flatMap(({ to }) => to)).not.toContain("removed@example.org")
  })

  it("stores the mail in the outbox folder without a mail server", async () => {
    const { id, owner } = await offline.organization()
    expect((await invite(offline, id, owner.token, { email: "ana@example.org", role: "viewer" })).status).toBe(201)
    const outbox = join(offline.dataDir, "outbox")
    const mails = async () => (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml"))
    const name = await until("the mail", async () => (await mails())[0])
    const text = await readFile(join(outbox, name), "utf8")
    expect(text).toContain("To: ana@example.org")
    expect(text).toMatch(/\/invitations\/inv_/)
  })
})
