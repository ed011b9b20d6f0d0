import { beforeAll, describe, expect, it } from "vitest"
import { Role } from "../../src/kernel/Role.ts"
import { accessByQuery, accessTable } from "../../src/organizations/access/Access.ts"
import { Removable } from "../../src/batch/Batch.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { seedMember } from "../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const remove = (query: string, token = books.owner.token) =>
  app.call("DELETE", `/api/v1/batch/resources?${query}`, { token, organization: books.id })

const shown = (body: { data: { results: ReadonlyArray<{ id: unknown; status: string; http_status: number }> } }) =>
  body.data.results.map(({ http_status, id, status }) => [id, status, http_status])

const permissionOf = (resource: Removable) => (resource === "webhooks" ? "webhooks.manage" : `${resource}.delete`)

describe("DELETE /api/v1/batch/resources", () => {
  it("deletes by ids[] and by a comma-separated list, each by the rules of its own DELETE", async () => {
    const [one, two, sent] = [await books.draft(), await books.draft(), await books.issued()]
    const theirs = await (await open()).draft()
    const ids = [one.id, sent.id, theirs.id, one.id]
    const { body, status } = await remove(`resource=invoices&${ids.map((id) => `ids[]=${id}`).join("&")}`)
    expect([status, body.data.summary]).toEqual([200, { total: 4, succeeded: 1, failed: 2 }])
    expect(shown(body)).toEqual([
      [one.id, "succeeded", 200],
      [sent.id, "failed", 422],
      [theirs.id, "failed", 404],
      [one.id, "duplicate", 208]
    ])
    expect(body.data.results[0]).toMatchObject({ data: { id: one.id }, error: null, external_id: null })
    expect(body.data.results[1].error).toMatchObject({ code: "invoice_locked", details: { number: sent.number } })
    expect((await books.call("GET", `/invoices/${one.id}`)).status).toBe(404)
    const listed = await remove(`resource=invoices&ids=${two.id},abc,%200`)
    expect(shown(listed.body)).toEqual([
      [two.id, "succeeded", 200],
      [null, "failed", 422],
      [null, "failed", 422]
    ])
    expect(Object.keys(listed.body.data.results[1].error.errors)).toEqual(["ids.1"])
    const single = await remove(`resource=invoices&ids%5B%5D=${(await books.draft()).id}`)
    expect(single.status).toBe(200)
  })

  it("deletes webhooks, which then receive nothing", async () => {
    const webhook = () => books.made("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["*"] })
    const [one, two, kept] = [await webhook(), await webhook(), await webhook()]
    const theirs = await open()
    const { body } = await remove(`resource=webhooks&ids=${one.id},${two.id}`)
    expect(shown(body)).toEqual([
      [one.id, "succeeded", 200],
      [two.id, "succeeded", 200]
    ])
    expect((await books.call("GET", "/webhooks")).body.data.map(({ id }: { id: number }) => id)).toEqual([kept.id])
    const foreign = { token: theirs.owner.token, organization: theirs.id }
    const refused = await app.call("DELETE", `/api/v1/batch/resources?resource=webhooks&ids=${kept.id}`, foreign)
    expect(refused.body.data.results[0]).toMatchObject({ http_status: 404, error: { code: "not_found" } })
  })

  it("deletes quotes, customers, contacts and payments", async () => {
    const { due_date: valid_until, ...quote } = books.body()
    const made = await books.made("POST", "/quotes", { ...quote, valid_until })
    expect(shown((await remove(`resource=quotes&ids=${made.id}`)).body)).toEqual([[made.id, "succeeded", 200]])
    expect((await books.call("GET", `/quotes/${made.id}`)).status).toBe(404)
    const gone = await books.made("POST", "/customers", { name: "Gone" })
    const contact = await books.made("POST", "/contacts", { customer_id: books.customer_id, name: "Els" })
    const { invoice, payment } = await books.paid()
    const customers = await remove(`resource=customers&ids=${gone.id},${books.customer_id}`)
    expect(shown(customers.body)).toEqual([
      [gone.id, "succeeded", 200],
      [books.customer_id, "failed", 422]
    ])
    expect(customers.body.data.results[1].error.code).toBe("customer_has_documents")
    expect((await remove(`resource=contacts&ids=${contact.id}`)).status).toBe(200)
    expect((await remove(`resource=payments&ids=${payment.id}`)).status).toBe(200)
    expect((await books.invoice(invoice.id)).payment_status).toBe("unpaid")
  })

  it("deletes all or nothing when atomic", async () => {
    const [draft, sent] = [await books.draft(), await books.issued()]
    const { body, status } = await remove(`resource=invoices&ids=${draft.id},${sent.id}&atomic=true`)
    expect([status, shown(body)]).toEqual([
      422,
      [
        [draft.id, "failed", 424],
        [sent.id, "failed", 422]
      ]
    ])
    expect(await books.invoice(draft.id)).toEqual(draft)
  })

  it("answers 422 when all fail, for none, for too many, and for an unknown resource", async () => {
    expect((await remove("resource=invoices&ids=999999")).body).toMatchObject({ code: "batch_failed", success: false })
    for (const [query, field] of [
      ["resource=invoices", "ids"],
      ["ids=1", "resource"],
      ["resource=organizations&ids=1", "resource"],
      ["resource=constructor&ids=1", "resource"],
      ["resource=invoices&resource=customers&ids=1", "resource"],
      ["resource=invoices&ids=1&atomic=perhaps", "atomic"]
    ]) {
      const { body, status } = await remove(query ?? "")
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]])
    }
    const ids = Array.from({ length: 101 }, (_, index) => index + 1).join(",")
    expect((await remove(`resource=invoices&ids=${ids}`)).body.code).toBe("batch_too_large")
  })
})

describe("the access rules of DELETE /api/v1/batch/resources", () => {
  it("are those of the resource's own DELETE, for every resource", () => {
    const rows = accessByQuery["batch.remove"]?.rows
    expect([...(rows?.keys() ?? [])].toSorted()).toEqual([...Removable.literals].toSorted())
    for (const resource of Removable.literals) {
      const row = accessTable[rows?.get(resource) ?? ""]
      expect(row?.scopes).toEqual([`${resource}:write`])
      expect(row?.permissions).toEqual([permissionOf(resource)])
    }
  })

  it.each(Removable.literals)(
    "answers 403 for %s to a token with every other scope, and to a role without",
    async (resource) => {
      const others = Removable.literals.filter((other) => other !== resource).map((other) => `${other}:write`)
      const { token } = await app.run(seedMember(books.id, "owner", others))
      const scoped = await remove(`resource=${resource}&ids=999999`, token)
      expect([scoped.status, scoped.body.code, scoped.body.required_scope]).toEqual([
        403,
        "missing_scope",
        `${resource}:write`
      ])
      for (const role of Role.literals) {
        const member = await app.run(seedMember(books.id, role))
        const { body, status } = await remove(`resource=${resource}&ids=999999`, member.token)
        const single = await app.call("DELETE", `/api/v1/${resource}/999999`, {
          token: member.token,
          organization: books.id
        })
        expect([role, resource, status]).toEqual([role, resource, single.status === 404 ? 422 : 403])
        if (status === 403) expect(body.required_permission).toBe(permissionOf(resource))
      }
    }
  )

  it("let a member delete only drafts of their own", async () => {
    const member = await app.run(seedMember(books.id, "member"))
    const call = { token: member.token, organization: books.id, body: books.body() }
    const own = (await app.call("POST", "/api/v1/invoices", call)).body.data
    const foreign = await books.draft()
    const { body, status } = await remove(`resource=invoices&ids=${own.id},${foreign.id}`, member.token)
    expect([status, shown(body)]).toEqual([
      200,
      [
        [own.id, "succeeded", 200],
        [foreign.id, "failed", 403]
      ]
    ])
    expect(body.data.results[1].error.required_permission).toBe("invoices.delete")
  })
})
