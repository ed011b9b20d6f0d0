import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hiddenFields } from "../../identity/Visitor.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { usePanel } from "./Panel.ts"
import { world } from "./World.ts"

const panel = usePanel()
const { app, enter, fill, send, state } = panel

describe("jobs in the panel", () => {
  it("are counted by queue, and dead ones are listed with the reason", async () => {
    const admin = await enter()
    await world(panel, "letters")
    await world(panel, "parcels")
    const all = await admin.get("/admin/jobs")
    expect(all.text).toMatch(/<strong>letters<\/strong>[^]*Failed for good[^]*queue=letters">1</)
    expect(all.text.match(/<summary>Why<\/summary>\s*<pre>(?:letters|parcels)<\/pre>/g)).toHaveLength(2)
    const one = await admin.get("/admin/jobs?queue=letters")
    expect(one.text.match(/<summary>Why/g)).toHaveLength(1)
  })

  it("are retried or discarded, each only once, and only after a question", async () => {
    const admin = await enter()
    const { job_id } = await world(panel, "again")
    const { job_id: other } = await world(panel, "never")
    const before = await state()
    expect((await admin.get(`/admin/jobs/${job_id}/retry`)).text).toContain("Do the job again?")
    const question = await admin.get(`/admin/jobs/${other}/discard`)
    expect(question.text).toContain("Discard the job?")
    expect(await state()).toBe(before)
    const { csrf = "" } = hiddenFields(question.text)
    const paths = [`/admin/jobs/${job_id}/retry`, `/admin/jobs/${other}/discard`]
    for (const [path, done] of [
      [paths[0] ?? "", "RetryJob"],
      [paths[1] ?? "", "DiscardJob"]
    ] as const) {
      expect((await fill(admin, path, {})).location).toBe(`/admin/jobs?done=${done}`)
    }
    const left = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`select queue_name, state, attempts from jobs where queue_name in ('again', 'never')`
      )
    )
    expect(left).toEqual([{ queue_name: "again", state: "pending", attempts: 0 }])
    const after = await state()
    for (const path of paths) expect((await send(admin, path, { csrf })).status).toBe(404)
    expect(await state()).toBe(after)
  })
})

describe("users in the panel", () => {
  it("are only disabled by another superadmin, because otherwise nobody could undo it", async () => {
    const [admin, other] = [await enter(), await enter()]
    const before = await state()
    const own = await fill(admin, `/admin/users/${admin.user.id}/disable`, {})
    expect([own.status, own.text]).toEqual([422, expect.stringContaining("You cannot disable your own account.")])
    expect(await state()).toBe(before)
    expect((await fill(other, `/admin/users/${admin.user.id}/disable`, {})).location).toContain("done=DisableUser")
    expect((await admin.get("/admin/users")).location).toMatch(/^\/login/)
  })
})

describe("a user who would be disabled in the panel", () => {
  it("is named with the organizations that would be left without an owner", async () => {
    const admin = await enter()
    const [alone, shared] = [
      await app.organization({ name: "Left & Alone" }),
      await app.organization({ name: "Shared" })
    ]
    const other = await app.run(seedMember(shared.id, "owner"))
    await app.inDatabase(`insert into members (organization_id, user_id, role, status, joined_at)
      values (${shared.id}, ${alone.owner.id}, 'owner', 'active', now())`)
    const asked = async () => (await admin.get(`/admin/users/${alone.owner.id}/disable`)).text
    expect(await asked()).toContain("Left &amp; Alone")
    expect(await asked()).not.toContain("Shared")
    await app.inDatabase(`update users set disabled_at = now() where id in (${other.id}, ${shared.owner.id})`)
    expect(await asked()).toContain("Shared")
    expect((await admin.get(`/admin/users/${other.id}/disable`)).text).not.toContain("only owner")
    expect((await admin.get("/admin/users")).text).not.toContain(`/admin/users/${other.id}/password-link`)
  })
})

describe("integrity incidents in the panel", () => {
  it("are listed with the problem, and open ones separately", async () => {
    const admin = await enter()
    const { id } = await world(panel, "The manifest breaks off")
    await app.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update archive_incidents set resolved_at = now()`))
    await world(panel, "The chain breaks off")
    const all = await admin.get("/admin/incidents")
    expect(all.text).toMatch(/What is recorded: The chain breaks off\s*<[^]*>open<[^]*The manifest breaks off\s*</)
    expect(all.text).toContain(`<a href="/admin/organizations/${id}">${id}</a>`)
    const open = await admin.get("/admin/incidents?state=open")
    expect(open.text).toContain("The chain breaks off")
    expect(open.text).not.toContain("The manifest breaks off")
  })
})

describe("outgoing mail in the panel", () => {
  it("lists the messages in the data folder without a mail server, the newest first", async () => {
    const admin = await enter()
    await world(panel, "Erste Rechnung über 5 €")
    const { mail } = await world(panel, "請求書")
    const list = await admin.get("/admin/mail")
    expect(list.text).toContain("SMTP_URL is not set")
    expect(list.text.indexOf("請求書")).toBeLessThan(list.text.indexOf("Erste Rechnung über 5 €"))
    const message = await admin.get(`/admin/mail/${mail}`)
    expect(message.text).toContain("<h1>請求書</h1>")
    expect(message.text).toContain("b@example.com")
    expect(message.text).toContain("請求書.pdf, 1234 bytes")
    expect(message.text).toMatch(/<a href="https:\/\/example\.com\/invitations\/inv_1\?a=1&amp;b=2" rel="noreferrer"/)
    expect(message.text).not.toContain("never shown")
    const file = await admin.get(`/admin/mail/${mail}/file`)
    expect(file.text).toContain("Content-Type: text/html")
    expect(file.headers.get("content-type")).toBe("message/rfc822")
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="\d/)
    expect(file.headers.get("cache-control")).toBe("no-store")
  })

  it("is empty, and no failure, after the folder was cleared", async () => {
    const admin = await enter()
    const { mail } = await world(panel, "Cleared")
    rmSync(join(app.dataDir, "outbox"), { recursive: true })
    expect((await admin.get("/admin/mail")).text).toContain("There is no message.")
    expect((await admin.get(`/admin/mail/${mail}`)).status).toBe(404)
  })
})

describe("outgoing mail with a mail server", () => {
  const served = usePanel({ smtpUrl: Option.some(Redacted.make("smtp://127.0.0.1:1")) })

  it("is not kept, and the panel says so without naming the server", async () => {
    const admin = await served.enter()
    const { text } = await admin.get("/admin/mail")
    expect(text).toContain("Mail goes to the server that SMTP_URL names.")
    expect(text).not.toContain("127.0.0.1")
    expect((await admin.get("/admin/mail/20260101T000000000Z-000000000000.eml")).status).toBe(404)
  })
})
