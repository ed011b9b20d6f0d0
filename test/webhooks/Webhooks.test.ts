import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { EventName } from "../../src/kernel/EventName.ts"
import { type Call, useApp } from "../support/App.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { race, statuses } from "../support/Billing.ts"
import { seedMember, type SeededOrganization } from "../support/database/Seed.ts"

const app = useApp()
let ours: SeededOrganization
let theirs: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
  theirs = await app.organization({ name: "Other" })
})

const as =
  (seed: SeededOrganization) =>
  (method: string, path: string, body?: unknown, options: Call = {}) =>
    app.call(method, `/api/v1/webhooks${path}`, { token: seed.owner.token, organization: seed.id, body, ...options })
const call = (method: string, path: string, body?: unknown, options?: Call) => as(ours)(method, path, body, options)

const draft = (changes: object = {}) => ({
  url: "https://hooks.example.com/invoicing",
  events: ["invoice.paid", "customer.created"],
  ...changes
})

const made = async (changes: object = {}, seed = ours) => {
  const { body, status } = await as(seed)("POST", "", draft(changes))
  expect(status).toBe(201)
  return body.data
}

const get = async (id: number) => (await call("GET", `/${id}`)).body.data
const idsOf = (body: { data: ReadonlyArray<{ id: number }> }) => body.data.map(({ id }) => id)

const stored = (id: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ row: string; secret: string; previous_secrets: ReadonlyArray<{ secret: string }> }>`
        select w::text as row, secret, previous_secrets from webhooks w where id = ${id}`
      return rows[0] ?? { row: "", secret: "", previous_secrets: [] }
    })
  )

const not_base64 = "The secret field must be base64 with padding after whsec_, or have another beginning."

describe("POST /api/v1/webhooks", () => {
  it("answers 201 with the webhook as GET then answers it, plus its secret", async () => {
    const { body, headers, status } = await call("POST", "", draft({ description: "ERP" }))
    expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
    const { created_at, id, secret, updated_at, ...rest } = body.data
    expect(rest).toEqual({
      url: "https://hooks.example.com/invoicing",
      description: "ERP",
      events: ["invoice.paid", "customer.created"],
      is_active: true,
      disabled_reason: null,
      secret_hint: `...${secret.slice(-4)}`,
      created_by: { user_id: ours.owner.id, name: expect.any(String) },
      client: null,
      version: 1
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await get(id)).toEqual({ id, created_at, updated_at, ...rest })
  })

  it("repeats the secret for the same Idempotency-Key, and stores it encrypted with the answer", async () => {
    const headers = { "idempotency-key": "with a secret" }
    const first = await call("POST", "", draft(), { headers })
    const again = await call("POST", "", draft(), { headers })
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([201, first.text, "true"])
    const path = `/${first.body.data.id}/rotate-secret`
    const rotated = await call("POST", path, undefined, { headers })
    expect((await call("POST", path, undefined, { headers })).text).toBe(rotated.text)
    const kept = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ row: string }>`
          select k::text as row from idempotency_keys k where key = 'with a secret' and organization_id = ${ours.id}`
      )
    )
    expect(kept).toHaveLength(2)
    for (const { secret } of [first.body.data, rotated.body.data]) {
      const plain = String(secret).replace("whsec_", "")
      for (const text of [plain, Buffer.from(plain).toString("hex"), Buffer.from(plain).toString("base64url")]) {
        expect(JSON.stringify(kept)).not.toContain(text)
      }
    }
  })

  it("stores the secret encrypted, and keeps it out of the audit chain", async () => {
    const { id, secret } = await made({ secret: "a secret of ours" })
    expect(secret).toBe("a secret of ours")
    const { row } = await stored(id)
    expect(row).not.toContain(secret)
    const { entries, events } = await app.run(verifiedAuditLog(ours.id))
    expect(entries.at(-1)).toMatchObject({ action: "webhook.created", data: { webhook_id: id } })
    expect(JSON.stringify([entries, events])).not.toContain(secret)
  })

  it("accepts * for every event, and removes repeated event names", async () => {
    expect((await made({ events: ["*"] })).events).toEqual(["*"])
    expect((await made({ events: ["invoice.paid", "invoice.paid"] })).events).toEqual(["invoice.paid"])
    expect((await made({ events: EventName.literals })).events).toEqual(EventName.literals)
  })

  it("creates an inactive webhook on request", async () => {
    const { id } = await made({ is_active: false })
    expect(await get(id)).toMatchObject({ is_active: false, disabled_reason: null })
    expect(await made({ is_active: null })).toMatchObject({ is_active: true })
  })

  it("warns of another webhook with the same URL and events in any order, and creates it nevertheless", async () => {
    const url = "https://twin.example.com/"
    expect(await made({ url })).not.toHaveProperty("warnings")
    expect((await made({ url, events: ["customer.created", "invoice.paid"] })).warnings).toEqual(["duplicate_webhook"])
    expect(await made({ url, events: ["customer.created"] })).not.toHaveProperty("warnings")
    expect(await made({ url }, theirs)).not.toHaveProperty("warnings")
  })

  it.each([
    ["url", "The url field is required.", { url: undefined }],
    ["url", "The url field must be a valid URL.", { url: "nonsense" }],
    ["url", "The url field must not contain credentials.", { url: "https://a:b@hooks.example.com" }],
    ["url", "The url field must name a host on the public internet.", { url: "https://127.0.0.1/" }],
    ["url", "The url field must not use port 6379.", { url: "https://hooks.example.com:6379/" }],
    ["events", "The events field is required.", { events: undefined }],
    ["events", "The events field must have at least 1 entry.", { events: [] }],
    ["events.1", "The events.1 field must be an event of the catalog or *.", { events: ["*", "invoice.eaten"] }],
    ["events.0", "The events.0 field must be an event of the catalog or *.", { events: ["webhook.test"] }],
    ["secret", "The secret field must have at least 16 characters.", { secret: "fifteen letters" }],
    ["secret", "The secret field may not be longer than 255 characters.", { secret: "x".repeat(256) }],
    ["secret", not_base64, { secret: "whsec_not a key in base64" }],
    ["secret", not_base64, { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS" }],
    ["is_active", "The is_active field must be true or false.", { is_active: "no" }],
    ["description", "The description field may not be longer than 5000 characters.", { description: "x".repeat(5001) }]
  ])("answers 422 on %s: %s", async (field, message, changes) => {
    const before = (await call("GET", "?per_page=1")).body.meta.total
    const { body, status } = await call("POST", "", draft(changes))
    expect([status, body.errors]).toEqual([422, { [field]: [message] }])
    expect((await call("GET", "?per_page=1")).body.meta.total).toBe(before)
  })

  it("creates fifty of sixty concurrent ones, and answers 422 too_many_webhooks to the others", async () => {
    const crowded = await app.organization()
    const answers = await race(60, () => as(crowded)("POST", "", draft()))
    expect(statuses(answers)).toEqual({ 201: 50, 422: 10 })
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe("too_many_webhooks")
    expect((await as(crowded)("GET", "?per_page=1")).body.meta.total).toBe(50)
  })
})

describe("GET /api/v1/webhooks", () => {
  it("lists the organization's own, newest first, filtered by event and activity", async () => {
    const seed = await app.organization()
    const paid = await made({ events: ["invoice.paid"] }, seed)
    const all = await made({ events: ["*"] }, seed)
    const off = await made({ events: ["customer.created"] }, seed)
    await as(seed)("PUT", `/${off.id}`, { is_active: false })
    const list = async (query: string) => idsOf((await as(seed)("GET", query)).body)
    expect(await list("")).toEqual([off.id, all.id, paid.id])
    expect(await list("?event=invoice.paid")).toEqual([all.id, paid.id])
    expect(await list("?event=customer.created&active=true")).toEqual([all.id])
    expect(await list("?active=0")).toEqual([off.id])
    const page = await as(seed)("GET", "?per_page=1&page=2")
    expect([idsOf(page.body), page.body.meta.total]).toEqual([[all.id], 3])
    expect(page.text).not.toContain("whsec_")
  })

  it.each([
    ["event", "event=invoice.eaten"],
    ["active", "active=perhaps"]
  ])("answers 422 on %s", async (field, query) => {
    const { body, status } = await call("GET", `?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })
})

describe("PUT /api/v1/webhooks/{id}", () => {
  it("changes only what is sent", async () => {
    const { id } = await made({ description: "ERP" })
    const changed = await call("PUT", `/${id}`, { url: "https://new.example.com/", is_active: false })
    expect(changed.body.data).toMatchObject({ url: "https://new.example.com/", is_active: false, description: "ERP" })
    expect(changed.headers.get("etag")).toBe('"v2"')
    await call("PUT", `/${id}`, { events: ["*"], description: null, is_active: true })
    expect(await get(id)).toMatchObject({ events: ["*"], description: null, is_active: true, version: 3 })
  })

  it.each([
    ["secret", { secret: "another secret of ours" }],
    ["secret", { secret: "short", description: "not stored either" }],
    ["url", { url: "https://10.0.0.1/" }],
    ["events", { events: [] }],
    ["is_active", { is_active: "yes" }]
  ])("answers 422 on %s and changes nothing", async (field, changes) => {
    const { id } = await made()
    const before = await stored(id)
    const { body, status } = await call("PUT", `/${id}`, changes)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect(await stored(id)).toEqual(before)
  })

  it("answers 412 for a version that is no longer the current one", async () => {
    const { id } = await made()
    const headers = { "if-match": '"v1"' }
    expect((await call("PUT", `/${id}`, { description: "one" }, { headers })).status).toBe(200)
    expect((await call("PUT", `/${id}`, { description: "two" }, { headers })).status).toBe(412)
    expect((await call("DELETE", `/${id}`, undefined, { headers })).status).toBe(412)
    expect((await get(id)).description).toBe("one")
  })
})

describe("DELETE /api/v1/webhooks/{id}", () => {
  it("deletes the webhook once", async () => {
    const { id } = await made()
    const answers = await race(4, () => call("DELETE", `/${id}`))
    expect(statuses(answers)).toEqual({ 200: 1, 404: 3 })
    expect((await call("GET", `/${id}`)).status).toBe(404)
    expect(idsOf((await call("GET", "")).body)).not.toContain(id)
  })
})

describe("POST /api/v1/webhooks/{id}/rotate-secret", () => {
  it("answers a new secret, and keeps the old one valid for a day", async () => {
    const { id, secret } = await made()
    const before = await stored(id)
    const rotated = await call("POST", `/${id}/rotate-secret`)
    expect(rotated.status).toBe(200)
    expect(rotated.body.data.secret).toMatch(/^whsec_/)
    expect(rotated.body.data.secret).not.toBe(secret)
    const hours = (Date.parse(rotated.body.data.previous_secret_expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expect((await stored(id)).previous_secrets).toEqual([
      { secret: before.secret, until: rotated.body.data.previous_secret_expires_at }
    ])
    expect(await get(id)).toMatchObject({ version: 2, secret_hint: `...${rotated.body.data.secret.slice(-4)}` })
  })

  it("loses no secret in concurrent rotations, and keeps at most ten", async () => {
    const { id, secret } = await made()
    const sealed = [(await stored(id)).secret]
    const answers = await Promise.all([1, 2, 3, 4].map(() => call("POST", `/${id}/rotate-secret`)))
    expect(statuses(answers)).toEqual({ 200: 4 })
    const kept = (await stored(id)).previous_secrets.map(({ secret }) => secret)
    expect([new Set(kept).size, kept.at(-1)]).toEqual([4, sealed[0]])
    expect(new Set([secret, ...answers.map(({ body }) => body.data.secret)]).size).toBe(5)
    for (let more = 0; more < 8; more++) await call("POST", `/${id}/rotate-secret`)
    const last = await stored(id)
    expect(last.previous_secrets).toHaveLength(10)
    expect(last.previous_secrets.map(({ secret }) => secret)).not.toContain(sealed[0])
  })

  it("accepts a client's secret, and refuses a short one", async () => {
    const { id } = await made()
    expect((await call("POST", `/${id}/rotate-secret`, { secret: "short" })).status).toBe(422)
    const { body } = await call("POST", `/${id}/rotate-secret`, { secret: "another secret of ours" })
    expect([body.data.secret, body.data.secret_hint]).toEqual(["another secret of ours", "...ours"])
    const refused = await call("POST", `/${id}/rotate-secret`, { secret: "whsec_another secret" })
    expect([refused.status, refused.body.errors]).toEqual([422, { secret: [not_base64] }])
  })
})

it("answers 404 everywhere for a webhook of another organization, which stays unchanged", async () => {
  const { id } = await made({}, theirs)
  const before = await stored(id)
  for (const [method, path, body] of [
    ["GET", "", undefined],
    ["PUT", "", { is_active: false }],
    ["DELETE", "", undefined],
    ["GET", "/logs", undefined],
    ["POST", "/test", undefined],
    ["POST", "/rotate-secret", undefined]
  ] as const) {
    expect([path, (await call(method, `/${id}${path}`, body)).status]).toEqual([path, 404])
  }
  expect(await stored(id)).toEqual(before)
})
it("admits only owners and admins; reading requires webhooks:read, writing webhooks:write", async () => {
  const { id } = await made()
  for (const [role, scopes, read, write] of [
    ["admin", ["*"], 200, 200],
    ["admin", ["webhooks:read"], 200, 403],
    ["admin", ["webhooks:write"], 403, 200],
    ["accountant", ["*"], 403, 403],
    ["member", ["*"], 403, 403]
  ] as const) {
    const { token } = await app.run(seedMember(ours.id, role, scopes))
    const statuses = [
      (await call("GET", `/${id}`, undefined, { token })).status,
      (await call("PUT", `/${id}`, {}, { token })).status
    ]
    expect([role, scopes, ...statuses]).toEqual([role, scopes, read, write])
  }
})
