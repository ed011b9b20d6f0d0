import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Call, useApp } from "../support/App.ts"
import { seedMember, type SeededOrganization } from "../support/database/Seed.ts"
import { inLine } from "./Contention.ts"

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
    app.call(method, `/api/v1/${path}`, { token: seed.owner.token, organization: seed.id, body, ...options })
const call = (method: string, path: string, body?: unknown, options?: Call) => as(ours)(method, path, body, options)

const customer = async (seed = ours): Promise<number> =>
  (await as(seed)("POST", "customers", { name: "Beta" })).body.data.id

const contact = async (customer_id: number, body: object = {}) => {
  const answer = await call("POST", "contacts", { customer_id, name: "Els", ...body })
  expect(answer.status).toBe(201)
  return answer.body.data
}

const get = async (id: number) => (await call("GET", `contacts/${id}`)).body.data
const contactsOf = async (id: number) => (await call("GET", `customers/${id}`)).body.data.contacts
const primariesOf = async (id: number) =>
  (await contactsOf(id)).flatMap((row: { id: number; is_primary: boolean }) => (row.is_primary ? row.id : []))

const idsOf = (body: { data: ReadonlyArray<{ id: number }> }) => body.data.map(({ id }) => id)

const unset = { phone: null, notes: null, external_id: null, metadata: {} }
const els = { name: "Els", email: "els@beta.eu", position: "AP", is_primary: true, ...unset }

describe("POST /api/v1/contacts", () => {
  it("answers 201 with the contact as GET then answers it, and shows it with its customer", async () => {
    const customer_id = await customer()
    const { body, headers, status } = await call("POST", "contacts", { customer_id, ...els })
    expect(status).toBe(201)
    expect(headers.get("etag")).toBe('"v1"')
    const { created_at, id, updated_at, version, ...rest } = body.data
    expect(rest).toEqual({ customer_id, ...els })
    expect([version, updated_at]).toEqual([1, created_at])
    expect((await call("GET", `contacts/${id}`)).body).toEqual(body)
    expect(await contactsOf(customer_id)).toEqual([{ id, customer_id, ...els }])
    expect((await call("GET", "customers?per_page=1")).body.data[0].contacts).toEqual([{ id, customer_id, ...els }])
  })

  it("does not make the first contact primary automatically", async () => {
    const customer_id = await customer()
    expect(await contact(customer_id)).toMatchObject({ is_primary: false, email: null })
    expect(await contact(customer_id, { is_primary: null })).toMatchObject({ is_primary: false })
  })

  it.each([
    ["The customer_id field is required.", { customer_id: undefined }],
    ["The customer_id field must be the id of a customer of the organization.", { customer_id: 2_147_483_647 }],
    ["The name field is required.", { name: undefined }],
    ["The email field must be a valid email address.", { email: "els@" }]
  ])("answers 422: %s", async (message, body) => {
    const customer_id = await customer()
    const answer = await call("POST", "contacts", { customer_id, name: "Els", ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({ [message.split(" ")[1] ?? ""]: [message] })
    expect((await call("GET", `contacts?customer_id=${customer_id}`)).body.meta.total).toBe(0)
  })

  it("answers 422 on is_primary for a value that is not a boolean", async () => {
    const { body, status } = await call("POST", "contacts", {
      customer_id: await customer(),
      ...els,
      is_primary: "yes"
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(["is_primary"])
  })

  it("answers 422 on customer_id for another organization's customer, as for a missing one", async () => {
    const foreign = await call("POST", "contacts", { customer_id: await customer(theirs), name: "Els" })
    const missing = await call("POST", "contacts", { customer_id: 2_147_483_647, name: "Els" })
    expect(foreign.status).toBe(422)
    expect(foreign.text).toBe(missing.text)
    expect((await as(theirs)("GET", "contacts")).body.meta.total).toBe(0)
  })
})

describe("PUT /api/v1/contacts/{id}", () => {
  it("changes what is sent, clears null fields and keeps the rest", async () => {
    const { id } = await contact(await customer(), els)
    const { body, headers, status } = await call("PUT", `contacts/${id}`, { position: null, phone: "+32 9 000" })
    expect(status).toBe(200)
    expect(headers.get("etag")).toBe('"v2"')
    expect(body.data).toMatchObject({ ...els, position: null, phone: "+32 9 000", version: 2 })
    expect(await get(id)).toEqual(body.data)
  })

  it("makes one contact primary and all others not", async () => {
    const customer_id = await customer()
    const first = await contact(customer_id, { is_primary: true })
    const second = await contact(customer_id, { is_primary: true })
    expect(await primariesOf(customer_id)).toEqual([second.id])
    expect(await get(first.id)).toMatchObject({ is_primary: false, version: 2 })
    await call("PUT", `contacts/${first.id}`, { is_primary: true })
    expect(await primariesOf(customer_id)).toEqual([first.id])
    await call("PUT", `contacts/${first.id}`, { is_primary: true, name: "Still" })
    expect(await primariesOf(customer_id)).toEqual([first.id])
    await call("PUT", `contacts/${first.id}`, { is_primary: false })
    expect(await primariesOf(customer_id)).toEqual([])
  })

  it("leaves exactly one primary contact when several are made primary concurrently", async () => {
    const customer_id = await customer()
    const [first, second] = [await contact(customer_id), await contact(customer_id)]
    const answers = await inLine(app, customer_id, [
      () => call("PUT", `contacts/${first.id}`, { is_primary: true }),
      () => call("POST", "contacts", { customer_id, name: "New", is_primary: true }),
      () => call("PUT", `contacts/${second.id}`, { is_primary: true })
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    // PostgreSQL does not guarantee which request gets the lock last.
    expect((await primariesOf(customer_id)).length).toBe(1)
  })

  it("leaves exactly one primary contact without waiting for locks, too", async () => {
    const customer_id = await customer()
    const ids = await Promise.all([1, 2, 3].map(async () => (await contact(customer_id)).id))
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(ids.map((id) => call("PUT", `contacts/${id}`, { is_primary: true })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await primariesOf(customer_id)).length).toBe(1)
    }
  })

  it("moves a contact to another customer, where it becomes the only primary one", async () => {
    const [from, to] = [await customer(), await customer()]
    const { id } = await contact(from, els)
    await contact(to, { is_primary: true })
    const { body, status } = await call("PUT", `contacts/${id}`, { customer_id: to })
    expect(status).toBe(200)
    expect(body.data.customer_id).toBe(to)
    expect(await contactsOf(from)).toEqual([])
    expect(await primariesOf(to)).toEqual([id])
  })

  it("moves contacts in both directions concurrently without a deadlock", async () => {
    const [one, two] = [await customer(), await customer()]
    const [a, b] = [await contact(one, { is_primary: true }), await contact(two, { is_primary: true })]
    for (let round = 0; round < 10; round++) {
      const [to, back] = round % 2 === 0 ? [two, one] : [one, two]
      const answers = await Promise.all([
        call("PUT", `contacts/${a.id}`, { customer_id: to, is_primary: true }),
        call("PUT", `contacts/${b.id}`, { customer_id: back, is_primary: true })
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await contactsOf(to)).toMatchObject([{ id: a.id }])
      expect(await contactsOf(back)).toMatchObject([{ id: b.id }])
    }
  })

  it("answers 412 to moving a contact that has just moved elsewhere", async () => {
    const [from, to, elsewhere] = [await customer(), await customer(), await customer()]
    const { id } = await contact(from)
    const move = (customer_id: number) => () => call("PUT", `contacts/${id}`, { customer_id })
    const answers = await inLine(app, from, [move(to), move(elsewhere)])
    expect(answers.map(({ status }) => status)).toEqual([200, 412])
    expect(idsOf({ data: await contactsOf(to) })).toEqual([id])
    expect(await contactsOf(elsewhere)).toEqual([])
  })

  it("answers 404 to a change that waited for the customer's deletion, and 422 to a new contact", async () => {
    const customer_id = await customer()
    const { id } = await contact(customer_id)
    const answers = await inLine(app, customer_id, [
      () => call("DELETE", `customers/${customer_id}`),
      () => call("PUT", `contacts/${id}`, { name: "Late" }),
      () => call("POST", "contacts", { customer_id, name: "Late" })
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 422])
  })

  it("answers 422 on customer_id for another organization's customer, and changes nothing", async () => {
    const stored = await contact(await customer(), els)
    const answer = await call("PUT", `contacts/${stored.id}`, { customer_id: await customer(theirs), name: "Moved" })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(["customer_id"])
    expect(await get(stored.id)).toEqual(stored)
  })

  it("answers 412 for another version and changes nothing", async () => {
    const stored = await contact(await customer(), els)
    const answer = await call("PUT", `contacts/${stored.id}`, { name: "Late" }, { headers: { "if-match": '"v7"' } })
    expect(answer.status).toBe(412)
    expect(await get(stored.id)).toEqual(stored)
  })
})

describe("DELETE /api/v1/contacts/{id}", () => {
  it("answers 200, and the contact no longer occurs anywhere", async () => {
    const customer_id = await customer()
    const { id } = await contact(customer_id, els)
    const { body, status } = await call("DELETE", `contacts/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, data: { id } })
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await call(method, `contacts/${id}`, method === "PUT" ? {} : undefined)).status).toBe(404)
    }
    expect(await contactsOf(customer_id)).toEqual([])
    expect((await contact(customer_id, { is_primary: true })).is_primary).toBe(true)
  })

  it("answers 403 to a member and 412 for another version", async () => {
    const { id } = await contact(await customer())
    const member = await app.run(seedMember(ours.id, "member"))
    expect((await call("DELETE", `contacts/${id}`, undefined, { token: member.token })).status).toBe(403)
    expect((await call("DELETE", `contacts/${id}`, undefined, { headers: { "if-match": '"v2"' } })).status).toBe(412)
    expect((await get(id)).version).toBe(1)
  })
})

describe("GET /api/v1/contacts", () => {
  it("filters by customer, newest first, in pages", async () => {
    const customer_id = await customer()
    const ids = []
    for (let index = 0; index < 3; index++) ids.unshift((await contact(customer_id)).id)
    await contact(await customer())
    const page = async (query: string) => (await call("GET", `contacts?customer_id=${customer_id}${query}`)).body
    expect(idsOf(await page(""))).toEqual(ids)
    expect((await page("")).data[0]).toEqual(await get(ids[0] ?? 0))
    const first = await page("&per_page=2")
    expect(idsOf(first)).toEqual(ids.slice(0, 2))
    expect(first.meta).toMatchObject({ total: 3, last_page: 2, from: 1, to: 2 })
    expect(idsOf(await page("&per_page=2&page=2"))).toEqual(ids.slice(2))
    expect(await page("&per_page=2&page=9")).toMatchObject({ data: [], meta: { total: 3, from: null } })
  })

  it("answers 422 for an invalid customer_id, and an empty list for another organization's", async () => {
    const { body, status } = await call("GET", "contacts?customer_id=abc")
    expect([status, body.message]).toEqual([422, "The customer_id field must be a whole number above 0."])
    const foreign = await customer(theirs)
    await as(theirs)("POST", "contacts", { customer_id: foreign, name: "Theirs" })
    expect((await call("GET", `contacts?customer_id=${foreign}`)).body.data).toEqual([])
  })

  it("answers 404 for another organization's contact", async () => {
    const stored = await contact(await customer(), els)
    for (const [method, body] of [["GET"], ["PUT", { name: "Mine" }], ["DELETE"]] as const) {
      const foreign = await as(theirs)(method, `contacts/${stored.id}`, body)
      const missing = await as(theirs)(method, "contacts/2147483647", body)
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(missing.text)
    }
    expect(await get(stored.id)).toEqual(stored)
  })
})

describe("writing a contact", () => {
  it("makes a new version of the customer and emits its event with all contacts", async () => {
    const customer_id = await customer()
    const { id } = await contact(customer_id)
    await call("PUT", `contacts/${id}`, { name: "Ann" })
    await call("DELETE", `contacts/${id}`)
    const answer = await call("GET", `customers/${customer_id}`)
    expect(answer.headers.get("etag")).toMatch(/^"v4\./)
    const events = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          select type, (data->'attributes'->>'version')::integer as version,
            data->'attributes'->'contacts'->0->>'name' as contact
          from outbox where data->>'object' = 'customer' and (data->>'id')::bigint = ${customer_id} order by sequence`
      )
    )
    expect(events).toEqual([
      { type: "customer.created", version: 1, contact: null },
      { type: "customer.updated", version: 2, contact: "Els" },
      { type: "customer.updated", version: 3, contact: "Ann" },
      { type: "customer.updated", version: 4, contact: null }
    ])
    const actions = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          select canonical::jsonb->>'action' as action from audit_entries
          where organization_id = ${ours.id} and (canonical::jsonb->'data'->>'contact_id')::bigint = ${id} order by seq`
      )
    )
    expect(actions).toEqual([
      { action: "contact.created" },
      { action: "contact.updated" },
      { action: "contact.deleted" }
    ])
  })
})
