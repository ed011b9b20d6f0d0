import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Call, useApp } from "../support/App.ts"
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
    app.call(method, path, { token: seed.owner.token, organization: seed.id, body, ...options })
const call = (method: string, path: string, body?: unknown, options?: Call) => as(ours)(method, path, body, options)

const create = async (body: object = {}) => {
  const { body: answer, status } = await call("POST", "/api/v1/customers", { name: "Beta", ...body })
  expect(status).toBe(201)
  return answer.data
}

const get = async (id: number) => (await call("GET", `/api/v1/customers/${id}`)).body.data

const rows = (query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, query))

const journal = () => rows((sql) => sql`select entries, events from journals where organization_id = ${ours.id}`)

const beta = {
  name: "Beta",
  email: "ap@beta.eu",
  phone: null,
  website: null,
  tax_number: "BE0202239951",
  address_line1: "Kerkstraat 1",
  address_line2: null,
  city: "Gent",
  state: null,
  postal_code: "9000",
  country: "BE",
  billing_subdivision_code: "BE-VOV",
  shipping_subdivision_code: null,
  language: "nl",
  currency: "EUR",
  notes: null,
  einvoicing_identifier_scheme: "0208",
  einvoicing_identifier_value: "0202239951",
  external_id: null,
  metadata: {}
}

describe("POST /api/v1/customers", () => {
  it("answers 201 with the customer as GET then answers it, and its ETag", async () => {
    const { body, headers, status } = await call("POST", "/api/v1/customers", beta)
    expect(status).toBe(201)
    expect(headers.get("etag")).toBe('"v1"')
    const { created_at, id, updated_at, ...rest } = body.data
    expect(rest).toEqual({ ...beta, einvoicing_identifier_verified: false, contacts: [], version: 1 })
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(updated_at).toBe(created_at)
    const read = await call("GET", `/api/v1/customers/${id}`)
    expect(read.status).toBe(200)
    expect(read.headers.get("etag")).toMatch(/^"v1\./)
    expect(read.body).toEqual(body)
  })

  it("requires only a name, and treats null as unknown", async () => {
    const customer = await create({ email: null, country: null, einvoicing_identifier_scheme: null })
    expect(customer).toMatchObject({ name: "Beta", email: null, country: null, currency: null, language: null })
  })

  it.each([
    ["The name field is required.", { name: undefined }],
    ["The name field may not be empty.", { name: "  " }],
    ["The name field may not be longer than 255 characters.", { name: "x".repeat(256) }],
    ["The name field may not contain control characters.", { name: "a\u0000b" }],
    ["The name field must be a string.", { name: null }],
    ["The email field must be a valid email address.", { email: "nobody" }],
    ["The country field must be a valid ISO 3166-1 alpha-2 country code.", { country: "XX" }],
    ["The country field must be a valid ISO 3166-1 alpha-2 country code.", { country: "be" }],
    ["The currency field must be a valid ISO 4217 currency code.", { currency: "EURO" }],
    ["The language field must be a two-letter language code in lower case (ISO 639-1).", { language: "nl-BE" }],
    ["The language field must be a two-letter language code in lower case (ISO 639-1).", { language: "xx" }],
    [
      "The shipping_subdivision_code field must be a valid ISO 3166-2 subdivision code.",
      { shipping_subdivision_code: "BE-XXX" }
    ],
    [
      "The billing_subdivision_code field must be a subdivision of FR.",
      { country: "FR", billing_subdivision_code: "BE-VOV" }
    ]
  ])("answers 422: %s", async (message, body) => {
    const answer = await call("POST", "/api/v1/customers", { name: "Beta", ...body })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      success: false,
      code: "validation_failed",
      message,
      errors: { [message.split(" ")[1] ?? ""]: [message] }
    })
  })

  it("answers all errors together", async () => {
    const { body } = await call("POST", "/api/v1/customers", { email: "nobody", country: 5 })
    expect(Object.keys(body.errors).toSorted()).toEqual(["country", "email", "name"])
    expect(body.message).toMatch(/ \(and 2 more errors\)$/)
  })

  it("accepts a shipping subdivision of another country", async () => {
    const codes = { billing_subdivision_code: "BE-VOV", shipping_subdivision_code: "NL-ZE" }
    expect(await create({ country: "BE", ...codes })).toMatchObject(codes)
  })

  it.each([
    [{ einvoicing_identifier_scheme: "0208" }],
    [{ einvoicing_identifier_value: "0202239951" }],
    [{ einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: null }]
  ])("answers 422 on both fields for half an identifier: %j", async (half) => {
    const { body, status } = await call("POST", "/api/v1/customers", { name: "Beta", ...half })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).toSorted()).toEqual(["einvoicing_identifier_scheme", "einvoicing_identifier_value"])
  })

  it("answers 422 for wrong check digits", async () => {
    const identifier = { einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: "0202239952" }
    const { body, status } = await call("POST", "/api/v1/customers", { name: "Beta", ...identifier })
    expect(status).toBe(422)
    expect(body.errors.einvoicing_identifier_value).toEqual([
      expect.stringMatching(/^The einvoicing_identifier_value field must be a valid /)
    ])
  })

  it("answers 403 for a viewer, and writes nothing", async () => {
    const viewer = await app.run(seedMember(ours.id, "viewer"))
    const total = async () => (await call("GET", "/api/v1/customers?per_page=1")).body.meta.total
    const before = await total()
    const { status } = await call("POST", "/api/v1/customers", { name: "No" }, { token: viewer.token })
    expect(status).toBe(403)
    expect(await total()).toBe(before)
  })
})

describe("GET /api/v1/customers", () => {
  it("answers each customer as GET answers it, newest first, in pages", async () => {
    const [older, newer] = [await create(beta), await create({ name: "Newer" })]
    await call("POST", "/api/v1/contacts", { customer_id: newer.id, name: "Els" })
    const { body, status } = await call("GET", "/api/v1/customers?per_page=2")
    expect(status).toBe(200)
    expect(body.data).toEqual([await get(newer.id), await get(older.id)])
    const { total } = body.meta
    expect(body.meta).toMatchObject({ per_page: 2, from: 1, to: 2, last_page: Math.ceil(total / 2) })
    const behind = await call("GET", "/api/v1/customers?page=1000")
    expect(behind.body).toMatchObject({ data: [], meta: { total } })
  })

  it("answers 403 without the scope", async () => {
    const { token } = await app.run(seedMember(ours.id, "owner", ["contacts:read"]))
    const { body, status } = await call("GET", "/api/v1/customers", undefined, { token })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: "missing_scope", required_scope: "customers:read" })
  })
})

describe("PUT /api/v1/customers/{id}", () => {
  it("changes what is sent, clears null fields, keeps the rest and increments the version if anything changed", async () => {
    const { id } = await create(beta)
    const { body, headers, status } = await call("PUT", `/api/v1/customers/${id}`, { city: "Aalst", tax_number: null })
    expect(status).toBe(200)
    expect(headers.get("etag")).toBe('"v2"')
    expect(body.data).toMatchObject({ ...beta, city: "Aalst", tax_number: null, version: 2 })
    expect(await get(id)).toEqual(body.data)
    expect((await call("PUT", `/api/v1/customers/${id}`, {})).body.data).toEqual(body.data)
  })

  it("resets the verification when the identifier changes, and only then", async () => {
    const { id } = await create(beta)
    const verified = async () => (await get(id)).einvoicing_identifier_verified
    await rows((sql) => sql`update customers set einvoicing_identifier_verified = true where id = ${id} returning 1`)
    await call("PUT", `/api/v1/customers/${id}`, { name: "Beta NV" })
    await call("PUT", `/api/v1/customers/${id}`, { ...beta, name: "Beta NV" })
    expect(await verified()).toBe(true)
    const other = { einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: "0403170701" }
    expect((await call("PUT", `/api/v1/customers/${id}`, other)).status).toBe(200)
    expect(await verified()).toBe(false)
  })

  it("answers 422 for half an identifier, and removes a whole one", async () => {
    const { id } = await create(beta)
    for (const scheme of [null, "0208"]) {
      const half = await call("PUT", `/api/v1/customers/${id}`, { einvoicing_identifier_scheme: scheme })
      expect(half.status).toBe(422)
      expect(Object.keys(half.body.errors).length).toBe(2)
    }
    expect(await get(id)).toMatchObject({ einvoicing_identifier_scheme: "0208", version: 1 })
    const none = { einvoicing_identifier_scheme: null, einvoicing_identifier_value: null }
    expect((await call("PUT", `/api/v1/customers/${id}`, none)).body.data).toMatchObject(none)
  })

  it("answers 422 when the stored subdivision is not in the new country", async () => {
    const { id } = await create(beta)
    const { body, status } = await call("PUT", `/api/v1/customers/${id}`, { country: "FR" })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(["billing_subdivision_code"])
    expect((await get(id)).country).toBe("BE")
  })

  it("answers 412 for another version and changes nothing", async () => {
    const { id } = await create()
    const put = (name: string, version: string) =>
      call("PUT", `/api/v1/customers/${id}`, { name }, { headers: { "if-match": version } })
    expect((await put("First", '"v1"')).status).toBe(200)
    const late = await put("Second", '"v1"')
    expect(late.status).toBe(412)
    expect(late.body).toMatchObject({ code: "precondition_failed", details: { version: 2 } })
    expect((await get(id)).name).toBe("First")
  })

  it("overwrites any version for If-Match: *, and one of several named versions", async () => {
    const { id } = await create()
    for (const match of ["*", ' "v1", W/"v2" ']) {
      const answer = await call("PUT", `/api/v1/customers/${id}`, { name: match }, { headers: { "if-match": match } })
      expect([match, answer.status, answer.body.data?.name]).toEqual([match, 200, match])
    }
  })
})

describe("another organization's customer", () => {
  it("is answered with the bytes of a missing one, with 404, and stays unchanged", async () => {
    const { id } = await create(beta)
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { name: "Mine" }],
      ["DELETE", undefined]
    ] as const) {
      const foreign = await as(theirs)(method, `/api/v1/customers/${id}`, body)
      const missing = await as(theirs)(method, "/api/v1/customers/2147483647", body)
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(missing.text)
    }
    expect(await get(id)).toMatchObject({ ...beta, version: 1 })
    expect((await as(theirs)("GET", "/api/v1/customers")).body.meta.total).toBe(0)
  })

  it("is answered with 404 for an invalid id, too", async () => {
    for (const id of ["0", "abc", "1e0", "99999999999"]) {
      expect((await call("GET", `/api/v1/customers/${id}`)).status).toBe(404)
    }
  })
})

describe("writing a customer", () => {
  it("appends one audit entry each time, and an event with what GET answers", async () => {
    const customer = await create(beta)
    const updated = await call("PUT", `/api/v1/customers/${customer.id}`, { name: "Beta NV" })
    await call("DELETE", `/api/v1/customers/${customer.id}`)
    const events = await rows(
      (sql) => sql`select type, data from outbox where data->>'id' = ${String(customer.id)} order by sequence`
    )
    const object = { object: "customer", id: customer.id }
    expect(events).toEqual([
      { type: "customer.created", data: { ...object, attributes: customer } },
      { type: "customer.updated", data: { ...object, attributes: updated.body.data } },
      { type: "customer.deleted", data: { ...object, attributes: updated.body.data } }
    ])
    const audited = await rows(
      (sql) => sql`
        select canonical::jsonb->>'action' as action, canonical::jsonb->>'actor' as actor from audit_entries
        where organization_id = ${ours.id} and (canonical::jsonb->'data'->>'customer_id')::bigint = ${customer.id}
        order by seq`
    )
    const actor = `user:${ours.owner.id}`
    expect(audited).toEqual([
      { action: "customer.created", actor },
      { action: "customer.updated", actor },
      { action: "customer.deleted", actor }
    ])
  })

  it("leaves nothing behind when it is refused", async () => {
    const { id } = await create()
    const before = await journal()
    await call("PUT", `/api/v1/customers/${id}`, { country: "FR", billing_subdivision_code: "BE-VOV" })
    await call("DELETE", `/api/v1/customers/${id}`, undefined, { headers: { "if-match": '"v9"' } })
    expect(await journal()).toEqual(before)
  })
})
