import { beforeAll, describe, expect, it } from "vitest"
import { type Call, useApp } from "../support/App.ts"
import { type SeededOrganization, seedMember } from "../support/database/Seed.ts"
import { inLine, type Lock, waitingFor } from "./Contention.ts"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerDeleted } from "../../src/customers/CustomerErrors.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { TimeZone } from "../../src/kernel/Calendar.ts"
import { CountryCode } from "../../src/kernel/Country.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { CustomerId, OrganizationId } from "../../src/kernel/Ids.ts"
import { OrganizationSettings } from "../../src/kernel/OrganizationSettings.ts"
import { type ActiveOrganization, CurrentOrganization } from "../../src/platform/http/Security.ts"
import { Database } from "../../src/platform/sql/Database.ts"

const app = useApp()
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const call = (method: string, path: string, body?: unknown, options: Call = {}) =>
  app.call(method, path, { token: ours.owner.token, organization: ours.id, body, ...options })

const create = async (body: object = {}) => {
  const { body: answer, status } = await call("POST", "/api/v1/customers", { name: "Beta", ...body })
  expect(status).toBe(201)
  return answer.data
}

const get = async (id: number) => (await call("GET", `/api/v1/customers/${id}`)).body.data

describe("the website of a customer or an organization", () => {
  it("may only be an http or https address, or one without a scheme", async () => {
    for (const path of [`/api/v1/customers/${(await create()).id}`, `/api/v1/organizations/${ours.id}`]) {
      for (const website of ["javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "ftp://beta.eu"]) {
        const { body, status } = await call("PUT", path, { website })
        expect([website, status, Object.keys(body.errors ?? {})]).toEqual([website, 422, ["website"]])
      }
      for (const website of ["https://beta.eu:8443/a?b=c:d", "www.beta.eu/shop"]) {
        expect((await call("PUT", path, { website })).body.data.website).toBe(website)
      }
    }
  })
})

describe("the texts of a customer", () => {
  it("have as many characters as JSON Schema counts: an emoji is one", async () => {
    const { id } = await create()
    const longest = {
      name: "😀".repeat(255),
      external_id: "🧾".repeat(200),
      metadata: { ["🔑".repeat(40)]: "🙂".repeat(500) }
    }
    expect((await call("PUT", `/api/v1/customers/${id}`, longest)).status).toBe(200)
    expect(await get(id)).toMatchObject(longest)
    const { body, status } = await call("PUT", `/api/v1/customers/${id}`, { name: "😀".repeat(256) })
    expect([status, body.message]).toEqual([422, "The name field may not be longer than 255 characters."])
  })
})

describe("concurrent changes of one customer", () => {
  it("succeed once for the same version", async () => {
    const { id } = await create()
    const put = (name: string) => () =>
      call("PUT", `/api/v1/customers/${id}`, { name }, { headers: { "if-match": '"v1"' } })
    const answers = await inLine(app, id, [put("A"), put("B"), put("C")])
    expect(answers.map(({ status }) => status)).toEqual([200, 412, 412])
    expect(await get(id)).toMatchObject({ name: "A", version: 2 })
  })

  it("are both kept when they concern different fields", async () => {
    const { id } = await create()
    const put = (changes: object) => () => call("PUT", `/api/v1/customers/${id}`, changes)
    const answers = await inLine(app, id, [put({ city: "Gent" }), put({ phone: "112" })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await get(id)).toMatchObject({ city: "Gent", phone: "112", version: 3 })
  })

  it("are answered with a contact that was created while they waited", async () => {
    const { id } = await create()
    const answers = await inLine(app, id, [
      () => call("POST", "/api/v1/contacts", { customer_id: id, name: "Els" }),
      () => call("PUT", `/api/v1/customers/${id}`, { name: "Changed" })
    ])
    // PostgreSQL does not guarantee which request gets the lock first. Creating the contact also raises the version.
    const [, changed] = answers.map(({ body }) => body.data)
    expect(changed.contacts).toHaveLength(changed.version - 2)
  })
})

describe("DELETE /api/v1/customers/{id}", () => {
  it("answers 200; the customer and its contacts are then answered with 404 and absent from lists", async () => {
    const customer = await create({ name: "Gone" })
    const contact = await call("POST", "/api/v1/contacts", { customer_id: customer.id, name: "Gone contact" })
    const { body, status } = await call("DELETE", `/api/v1/customers/${customer.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, data: { id: customer.id } })
    for (const path of [`customers/${customer.id}`, `contacts/${contact.body.data.id}`]) {
      expect((await call("GET", `/api/v1/${path}`)).status).toBe(404)
      expect((await call("PUT", `/api/v1/${path}`, { name: "Back" })).status).toBe(404)
      expect((await call("DELETE", `/api/v1/${path}`)).status).toBe(404)
    }
    for (const list of ["customers?search=gone", "contacts?search=gone", `contacts?customer_id=${customer.id}`]) {
      expect((await call("GET", `/api/v1/${list}`)).body).toMatchObject({ data: [], meta: { total: 0 } })
    }
    const late = await call("POST", "/api/v1/contacts", { customer_id: customer.id, name: "Late" })
    expect(late.status).toBe(422)
    expect(Object.keys(late.body.errors)).toEqual(["customer_id"])
  })

  it("answers 422 customer_has_documents after a document was issued to it, and keeps it", async () => {
    const { id } = await create()
    await app.run(issue(id))
    await app.run(issue(id))
    const { body, status } = await call("DELETE", `/api/v1/customers/${id}`)
    expect(status).toBe(422)
    expect(body.code).toBe("customer_has_documents")
    expect((await get(id)).id).toBe(id)
  })

  it("answers 422 when its only document is a quote that was rejected before it was sent", async () => {
    const { id } = await create()
    const items = [{ description: "Consulting", unit_price: 100, tax_exempt: true }]
    const quote = { customer_id: id, issue_date: "2026-03-01", valid_until: "2026-03-31", currency: "EUR", items }
    const made = await call("POST", "/api/v1/quotes", quote)
    expect((await call("POST", `/api/v1/quotes/${made.body.data.id}/mark-rejected`)).status).toBe(200)
    expect((await call("DELETE", `/api/v1/customers/${id}`)).body.code).toBe("customer_has_documents")
  })

  it("answers 422 when its only document is a numbered draft or a void invoice, whose number is kept", async () => {
    const { id: organization, owner } = await app.organization({ settings: { invoice_number_on: "create" } })
    const as = { token: owner.token, organization }
    const { id } = (await call("POST", "/api/v1/customers", { name: "Beta" }, as)).body.data
    const items = [{ description: "Consulting", unit_price: 100, tax_exempt: true }]
    const draft = { customer_id: id, issue_date: "2026-03-01", due_date: "2026-03-31", currency: "EUR", items }
    const { data } = (await call("POST", "/api/v1/invoices", draft, as)).body
    const remove = async () => {
      const { body, status } = await call("DELETE", `/api/v1/customers/${id}`, undefined, as)
      return [status, body.code]
    }
    expect(await remove()).toEqual([422, "customer_has_documents"])
    await call("DELETE", `/api/v1/invoices/${data.id}`, undefined, as)
    expect((await call("GET", `/api/v1/invoices/${data.id}`, undefined, as)).body.data.status).toBe("void")
    expect(await remove()).toEqual([422, "customer_has_documents"])
    expect((await call("GET", `/api/v1/customers/${id}`, undefined, as)).status).toBe(200)
  })

  it("prevents issuing to a deleted customer", async () => {
    const { id } = await create()
    await call("DELETE", `/api/v1/customers/${id}`)
    expect(await app.run(Effect.flip(issue(id)))).toBeInstanceOf(CustomerDeleted)
  })

  it("waits for a document that is being issued, and is then refused", async () => {
    const { id } = await create()
    const outcomes = await inLine<string | number>(app, id, [issuing(id), deleting(id)])
    expect(outcomes).toEqual(["issued", 422])
  })

  it("refuses a document that waited for the deletion", async () => {
    const { id } = await create()
    // The deletion waits for the audit log while it holds the lock of the customer.
    const outcomes = await waitingFor<string | number>(journal, app, [deleting(id), issuing(id)])
    expect(outcomes).toEqual([200, "CustomerDeleted"])
  })

  it("does not wait for a draft that is being created, nor the draft for it", async () => {
    for (const path of ["invoices", "quotes"]) {
      const { id } = await create()
      // Both wait for the audit log. The draft gets it first, and then checks its customer.
      expect(await waitingFor(journal, app, [drafting(path, id), deleting(id)])).toEqual([201, 200])
      const others = [(await create()).id, (await create()).id]
      const batch = () => call("DELETE", `/api/v1/batch/resources?resource=customers&ids=${others.join()}&atomic=true`)
      const removing = async () => (await batch()).status
      expect(await waitingFor(journal, app, [drafting(path, others[0]), removing])).toEqual([201, 200])
    }
  })

  it("answers 412 for another version and 403 to a member", async () => {
    const { id } = await create()
    const late = await call("DELETE", `/api/v1/customers/${id}`, undefined, { headers: { "if-match": '"v9"' } })
    expect(late.status).toBe(412)
    const member = await app.run(seedMember(ours.id, "member"))
    const refused = await call("DELETE", `/api/v1/customers/${id}`, undefined, { token: member.token })
    expect(refused.status).toBe(403)
    expect((await get(id)).version).toBe(1)
  })
})

const journal: Lock = (sql) => sql`select from journals where organization_id = ${ours.id} for update`

const organization = (): ActiveOrganization => ({
  id: OrganizationId.make(ours.id),
  name: "Acme",
  country: CountryCode.make("BE"),
  currency: CurrencyCode.make("EUR"),
  timezone: TimeZone.make("Europe/Brussels"),
  language: "en",
  settings: Schema.decodeSync(OrganizationSettings)({}),
  currency_in_use: false,
  plan: "standard",
  archived: false,
  role: "owner"
})

/** Writes in one transaction what billing writes when it issues an invoice to the customer. */
const issue = (id: number) =>
  Effect.gen(function* () {
    const { transaction } = yield* Database
    const customers = yield* Customers
    const sql = yield* SqlClient.SqlClient
    const document = sql`
      insert into invoices (organization_id, customer_id, number, issue_date, due_date, currency, items, tax_breakdown,
        subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at)
      values (${ours.id}, ${id}, gen_random_uuid(), now(), now(), 'EUR', '[]', '[]', 1, 0, 0, 1, now(), now(), now())`
    yield* transaction(Effect.andThen(customers.keep(CustomerId.make(id)), Effect.orDie(document)))
  }).pipe(Effect.provide(Customers.layer), Effect.provideService(CurrentOrganization, organization()))

const issuing = (id: number) => () =>
  app.run(Effect.match(issue(id), { onFailure: ({ _tag }) => _tag, onSuccess: () => "issued" }))

const deleting = (id: number) => async () => (await call("DELETE", `/api/v1/customers/${id}`)).status

const drafting = (path: string, customer_id: number) => async () => {
  const items = [{ description: "Consulting", unit_price: 100, tax_exempt: true }]
  const days = { issue_date: "2026-03-01", due_date: "2026-03-31", valid_until: "2026-03-31" }
  return (await call("POST", `/api/v1/${path}`, { customer_id, ...days, currency: "EUR", items })).status
}
