import { beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, type SeededUser, seedOrganizationToken } from "../../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books
let member: SeededUser

beforeAll(async () => {
  books = await open()
  member = await app.run(seedMember(books.id, "member"))
})

const remove = (id: number, token = books.owner.token, headers: Record<string, string> = {}) =>
  books.call("DELETE", `/invoices/${id}`, undefined, { token, headers })
const draftOf = async (token: string): Promise<{ id: number }> =>
  (await books.call("POST", "/invoices", books.body(), { token })).body.data

describe("DELETE /api/v1/invoices/{id}", () => {
  it("publishes the deletion of each attachment before that of the draft", async () => {
    const seller = await open()
    const { id } = await seller.draft()
    for (const name of ["a.txt", "b.txt"]) {
      const form = new FormData()
      form.append("file", new Blob([name]), name)
      const headers = { authorization: `Bearer ${seller.owner.token}`, "x-organization-id": String(seller.id) }
      await fetch(`${app.url}/api/v1/invoices/${id}/attachments`, { method: "POST", headers, body: form })
    }
    await seller.made("DELETE", `/invoices/${id}`)
    const { events } = await app.run(verifiedAuditLog(seller.id))
    expect(events.slice(-3).map(({ type }) => type)).toEqual([
      "attachment.deleted",
      "attachment.deleted",
      "invoice.deleted"
    ])
  })

  it("answers 200 for a draft, which then answers 404 and is in no list, and says so once", async () => {
    const { id } = await books.draft()
    const { body, status } = await remove(id)
    expect([status, body]).toEqual([200, { success: true, data: { id } }])
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/mark-sent"],
      ["POST", "/mark-paid"],
      ["POST", "/duplicate"]
    ] as const) {
      const answer = await books.call(method, `/invoices/${id}${path}`, method === "PUT" ? {} : undefined)
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    const payment = { invoice_id: id, amount: 1, payment_date: "2026-03-05", payment_method: "cash" }
    const refused = await books.call("POST", "/payments", payment)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["invoice_id"]])
    const listed = (await books.call("GET", "/invoices?per_page=100")).body.data
    expect(listed.map((invoice: { id: number }) => invoice.id)).not.toContain(id)
    const { events } = await app.run(verifiedAuditLog(books.id))
    const deleted = events.filter(({ data, type }) => type === "invoice.deleted" && data.id === id)
    expect(deleted).toHaveLength(1)
  })

  it("answers 422 invoice_locked for an invoice that is sent, overdue, partially paid or paid, and keeps it", async () => {
    const partly = await books.issued()
    await books.pay(partly, 1)
    const invoices = [
      await books.issued(),
      await books.issued({ issue_date: "2020-01-01", due_date: "2020-01-31" }),
      await books.invoice(partly.id),
      (await books.paid()).invoice
    ]
    expect(invoices.map(({ status }) => status)).toEqual(["sent", "overdue", "partially_paid", "paid"])
    for (const invoice of invoices) {
      const { body, status } = await remove(invoice.id)
      expect(status).toBe(422)
      expect(body).toEqual({
        success: false,
        code: "invoice_locked",
        message: "Issued invoices cannot be deleted; issue a credit note instead.",
        details: { status: invoice.status, number: invoice.number }
      })
      expect(await books.invoice(invoice.id)).toEqual(invoice)
    }
  })

  it("lets a member delete an own draft, and answers 403 for somebody else's", async () => {
    const own = await draftOf(member.token)
    const foreign = await draftOf(books.owner.token)
    expect((await remove(own.id, member.token)).status).toBe(200)
    const refused = await remove(foreign.id, member.token)
    expect([refused.status, refused.body.required_permission]).toEqual([403, "invoices.delete"])
    expect((await books.invoice(foreign.id)).status).toBe("draft")
    for (const role of ["admin", "accountant"] as const) {
      const { token } = await app.run(seedMember(books.id, role))
      expect((await remove((await draftOf(member.token)).id, token)).status).toBe(200)
    }
    const viewer = await app.run(seedMember(books.id, "viewer"))
    expect((await remove(foreign.id, viewer.token)).status).toBe(403)
    const organization = await app.run(seedOrganizationToken(books.id, ["invoices:write"]))
    expect((await remove(foreign.id, organization)).status).toBe(200)
  })

  it("answers 412 to an If-Match of another version", async () => {
    const { id } = await books.draft()
    expect((await remove(id, books.owner.token, { "if-match": '"v2"' })).status).toBe(412)
    expect((await remove(id, books.owner.token, { "if-match": '"v1"' })).status).toBe(200)
  })
})
