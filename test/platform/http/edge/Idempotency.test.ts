import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { client, join, person, tokenRequest, tokensFor } from "../../../identity/Visitor.ts"
import { type Books, paymentBody, race, statuses, useBilling } from "../../../support/Billing.ts"
import { verifiedAuditLog } from "../../../support/AuditLog.ts"
import { seedMember, seedToken } from "../../../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books
let keys = 0

beforeAll(async () => {
  books = await open()
})

const newKey = () => `key-${++keys}`
const post = (path: string, body: unknown, key: string, by = books, token = by.owner.token) =>
  by.call("POST", path, body, { token, headers: { "idempotency-key": key } })
const { inDatabase } = app
const counted = async () => (await books.call("GET", "/customers")).body.meta.total
const replayed = ({ headers }: { readonly headers: Headers }) => headers.get("idempotency-replayed")

describe("Idempotency-Key", () => {
  it("replays the same status and bytes for the same request, says so, and does nothing", async () => {
    const key = newKey()
    const first = await post("/customers", { name: "Once" }, key)
    const before = await app.run(verifiedAuditLog(books.id))
    const again = await post("/customers", { name: "Once" }, key)
    expect([first.status, replayed(first)]).toEqual([201, null])
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, "true"])
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"))
    expect([first, again].map(({ headers }) => headers.get("etag"))).toEqual(['"v1"', '"v1"'])
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
    expect(await app.run(verifiedAuditLog(books.id))).toEqual(before)
  })

  it("stores no secret of an answer readably, and still replays it", async () => {
    const key = newKey()
    const hook = { url: "https://hooks.example.com/", events: ["customer.created"] }
    const first = await post("/webhooks", hook, key)
    const [row] = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ row: string }>`select k::text as row from idempotency_keys k where key = ${key}`
      )
    )
    const { secret, secret_hint } = first.body.data
    expect(row?.row).not.toContain(secret)
    expect(row?.row).not.toContain(secret_hint)
    expect((await post("/webhooks", hook, key)).body.data.secret).toBe(secret)
    await inDatabase(`update idempotency_keys set key = 'copied' where key = '${key}'`)
    const copied = await post("/webhooks", hook, "copied")
    expect([copied.status, copied.body.code]).toEqual([409, "idempotency_answer_lost"])
  })

  it("answers 409 idempotency_answer_lost once SECRET_KEY has lost the key of the answer, and does nothing again", async () => {
    const key = newKey()
    await post("/customers", { name: "Lost" }, key)
    const before = await counted()
    await inDatabase(`update idempotency_keys
      set sealed_body = regexp_replace(sealed_body, '^v1\\.[0-9a-f]{12}', 'v1.000000000000') where key = '${key}'`)
    const again = await post("/customers", { name: "Lost" }, key)
    expect([again.status, again.body.code, replayed(again)]).toEqual([409, "idempotency_answer_lost", null])
    expect(again.headers.get("retry-after")).toBeNull()
    expect(await counted()).toBe(before)
  })

  it("answers 422 idempotency_key_reused to another body, and does nothing", async () => {
    const key = newKey()
    await post("/customers", { name: "Once" }, key)
    const before = await counted()
    const { body, status } = await post("/customers", { name: "Twice" }, key)
    expect([status, body.code]).toEqual([422, "idempotency_key_reused"])
    expect(await counted()).toBe(before)
  })

  it("works at an address of any length", async () => {
    const key = newKey()
    const path = `/customers?x=${randomBytes(3000).toString("base64url")}`
    const answers = [await post(path, { name: "Long" }, key), await post(path, { name: "Long" }, key)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers.map(replayed)).toEqual([null, "true"])
    const other = await post(`${path}y`, { name: "Long" }, key)
    expect([other.status, replayed(other)]).toEqual([201, null])
  })

  it("is a different key in another organization, for another user and on another path", async () => {
    const key = newKey()
    // The user becomes a member of this second organization, too.
    const theirs = await open()
    await inDatabase(`insert into members (organization_id, user_id, role, status)
                      values (${theirs.id}, ${books.owner.id}, 'owner', 'active')`)
    const colleague = await app.run(seedMember(books.id, "admin"))
    const invoice = await books.issued()
    const answers = [
      await post("/customers", { name: "Same" }, key),
      await post("/customers", { name: "Same" }, key, theirs, books.owner.token),
      await post("/customers", { name: "Same" }, key, books, colleague.token),
      await post(`/invoices/${invoice.id}/mark-paid`, { amount: 1 }, key)
    ]
    expect(answers.map(replayed)).toEqual([null, null, null, null])
    expect(statuses(answers)).toEqual({ 200: 1, 201: 3 })
  })

  it("belongs to one credential: another token of the user starts again, but a refreshed token of its client does not", async () => {
    const own = await open()
    const ana = await person(app)
    await join(app, ana.id, own.id)
    const [mobile, desktop] = [await client(app), await client(app)]
    const tokens = await tokensFor(app, mobile, ana.email)
    const other = await tokensFor(app, desktop, ana.email)
    const personal = await app.run(seedToken(ana.id, ["*"]))
    const key = newKey()
    const send = (token: string) => post("/customers", { name: "Mine" }, key, own, token)
    const first = await send(tokens.access_token)
    expect([first.status, replayed(first)]).toEqual([201, null])
    for (const token of [other.access_token, personal]) {
      const answer = await send(token)
      expect([answer.status, replayed(answer), answer.text === first.text]).toEqual([201, null, false])
    }
    const refreshed = await tokenRequest(app, {
      grant_type: "refresh_token",
      client_id: mobile.id,
      refresh_token: tokens.refresh_token
    })
    const again = await send(refreshed.body.access_token)
    expect([again.status, replayed(again), again.text]).toEqual([201, "true", first.text])
  })

  it("replays only to an authorized request: not to a downgraded member, nor to a narrowed token", async () => {
    const member = await app.run(seedMember(books.id, "accountant"))
    const key = newKey()
    const send = () => post("/customers", { name: "Then" }, key, books, member.token)
    expect((await send()).status).toBe(201)
    await inDatabase(`update members set role = 'viewer' where user_id = ${member.id}`)
    const downgraded = await send()
    expect([downgraded.status, replayed(downgraded)]).toEqual([403, null])
    await inDatabase(`update members set role = 'accountant' where user_id = ${member.id}`)
    await inDatabase(`update tokens set scopes = '{contacts:read}' where user_id = ${member.id}`)
    const narrowed = await send()
    expect([narrowed.status, narrowed.body.code, replayed(narrowed)]).toEqual([403, "missing_scope", null])
    await inDatabase(`update tokens set scopes = '{*}' where user_id = ${member.id}`)
    expect(replayed(await send())).toBe("true")
  })

  it("keeps nothing of a request whose key was taken over while it wrote", async () => {
    const own = await open()
    const draft = await own.draft()
    const key = newKey()
    await inDatabase(`create function takes_over() returns trigger language plpgsql as $$ begin
      update idempotency_keys set owner = 'another' where key = '${key}'; return new; end $$`)
    await inDatabase(`create trigger takes_over after insert on outbox for each row
      when (new.organization_id = ${own.id}) execute function takes_over()`)
    const answer = await post(`/invoices/${draft.id}/mark-sent`, {}, key, own)
    await inDatabase("drop trigger takes_over on outbox")
    expect([answer.status, answer.body.code]).toEqual([409, "idempotency_in_progress"])
    expect(await own.invoice(draft.id)).toEqual(draft)
  })

  it("makes one record of thirty identical concurrent requests; the others are 409 or the same answer", async () => {
    const before = await counted()
    const key = newKey()
    const answers = await race(30, () => post("/customers", { name: "Once" }, key))
    const fresh = answers.filter((answer) => answer.status === 201 && replayed(answer) === null)
    expect(fresh).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.text).toBe(fresh[0]?.text)
      else {
        expect([answer.status, answer.body.code]).toEqual([409, "idempotency_in_progress"])
        expect(answer.headers.get("retry-after")).toBe("2")
      }
    }
    expect(await counted()).toBe(before + 1)
    expect(replayed(await post("/customers", { name: "Once" }, key))).toBe("true")
  })

  it("uses one number and books a payment once, however often the client retries", async () => {
    const own = await open()
    const draft = await own.draft()
    const key = newKey()
    const answers = await race(10, () => post(`/invoices/${draft.id}/mark-paid`, { amount: 21 }, key, own))
    expect(Object.keys(statuses(answers)).every((status) => ["200", "409"].includes(status))).toBe(true)
    expect(await own.invoice(draft.id)).toMatchObject({ number: "INV-2026-0001", amount_paid: 21 })
    expect((await own.issued()).number).toBe("INV-2026-0002")
  })

  it("replays a refusal, even if the request would no longer be refused", async () => {
    const key = newKey()
    const invoice = await books.issued()
    const refused = await post("/payments", paymentBody(invoice.id, 122), key)
    expect(refused.status).toBe(422)
    await inDatabase(`update organizations set settings = '{"allow_overpayment": true}' where id = ${books.id}`)
    const again = await post("/payments", paymentBody(invoice.id, 122), key)
    expect([again.status, again.text, replayed(again)]).toEqual([422, refused.text, "true"])
    await inDatabase(`update organizations set settings = '{}' where id = ${books.id}`)
    expect((await books.invoice(invoice.id)).amount_paid).toBe(0)
  })

  it("does not keep a 403: the same key works once the token is allowed", async () => {
    const key = newKey()
    const narrow = await app.run(seedToken(books.owner.id, ["customers:read"]))
    expect((await post("/customers", { name: "Later" }, key, books, narrow)).status).toBe(403)
    const { status, ...answer } = await post("/customers", { name: "Later" }, key)
    expect([status, replayed(answer)]).toEqual([201, null])
  })

  it("does not keep a 500, nor anything the failed request had written", async () => {
    const own = await open()
    const draft = await own.draft()
    const key = newKey()
    await inDatabase(`alter table outbox add constraint refuses check (organization_id <> ${own.id}) not valid`)
    const failed = await post(`/invoices/${draft.id}/mark-sent`, {}, key, own)
    expect(failed.status).toBe(500)
    await inDatabase("alter table outbox drop constraint refuses")
    expect(await own.invoice(draft.id)).toEqual(draft)
    const retried = await post(`/invoices/${draft.id}/mark-sent`, {}, key, own)
    expect([retried.status, replayed(retried), retried.body.data.number]).toEqual([200, null, "INV-2026-0001"])
  })

  it("may have 255 characters; an empty or longer one is 422", async () => {
    expect((await post("/customers", { name: "Long" }, "k".repeat(255))).status).toBe(201)
    for (const key of ["", "k".repeat(256)]) {
      const before = await counted()
      const { body, status } = await post("/customers", { name: "Refused" }, key)
      expect([key.length, status, body.code]).toEqual([key.length, 422, "idempotency_key_invalid"])
      expect(await counted()).toBe(before)
    }
  })

  it("is forgotten after 24 hours", async () => {
    const key = newKey()
    await post("/customers", { name: "Once" }, key)
    await inDatabase("update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'")
    expect(replayed(await post("/customers", { name: "Once" }, key))).toBe("true")
    await inDatabase("update idempotency_keys set created_at = now() - interval '24 hours 1 minute'")
    const anew = await post("/customers", { name: "Anew" }, key)
    expect([anew.status, replayed(anew)]).toEqual([201, null])
    expect(replayed(await post("/customers", { name: "Anew" }, key))).toBe("true")
  })

  it("has no effect where there is no endpoint: a form is also answered with 404", async () => {
    for (const path of ["/nowhere", "/invoices/1/nowhere"]) {
      const headers = { "idempotency-key": newKey(), "content-type": "multipart/form-data; boundary=x" }
      const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--x--\r\n'
      expect((await books.call("POST", path, body, { headers })).status).toBe(404)
    }
  })

  it("has no effect on other methods and without a caller", async () => {
    const headers = { "idempotency-key": newKey() }
    const { id } = await books.draft()
    for (const notes of ["a", "b"]) {
      const { body, status } = await books.call("PUT", `/invoices/${id}`, { notes }, { headers })
      expect([status, body.data.notes]).toEqual([200, notes])
    }
    for (const name of ["a", "b"]) {
      expect((await app.call("POST", "/api/v1/customers", { headers, body: { name } })).status).toBe(401)
    }
  })
})
