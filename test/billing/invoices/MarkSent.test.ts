import { beforeAll, describe, expect, it } from "vitest"
import { type Books, issuing, race, statuses, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open()
})

const markSent = (id: number, body?: unknown, headers: Record<string, string> = {}) =>
  books.call("POST", `/invoices/${id}/mark-sent`, body, { headers })

describe("POST /api/v1/invoices/{id}/mark-sent", () => {
  it("answers 200 with the issued invoice: a number, a payment reference, the moment and the way it was sent", async () => {
    const own = await open()
    const { id } = await own.draft()
    const { body, headers, status } = await own.call("POST", `/invoices/${id}/mark-sent`)
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    expect(body.data).toMatchObject({
      status: "sent",
      number: "INV-2026-0001",
      draft_reference: null,
      payment_reference: "+++020/2600/00178+++",
      sent_method: "manual",
      balance_due: 121
    })
    expect(body.data.warnings).toBeUndefined()
    const { issued_at, sent_at, updated_at } = body.data
    expect([issued_at, sent_at]).toEqual([updated_at, updated_at])
    expect(await own.invoice(id)).toEqual(body.data)
  })

  it.each([
    ["no body", undefined, {}],
    ["no body, said to be JSON", undefined, { "content-type": "application/json" }],
    ["an empty object", {}, {}],
    ["null", "null", {}],
    ["nulls", { sent_at: null, sent_method: null }, {}]
  ])("takes %s", async (_, body, headers) => {
    const { id } = await books.draft()
    const answer = await markSent(id, body, headers)
    expect([answer.status, answer.body.data?.sent_method]).toEqual([200, "manual"])
  })

  it("takes a moment, or a day for its first moment in UTC, and a way of sending", async () => {
    const moments = [
      ["2026-03-02T10:00:00Z", "2026-03-02T10:00:00.000Z"],
      ["2026-03-02T10:00:00.5+02:00", "2026-03-02T08:00:00.500Z"],
      ["2026-03-02T00:00:00Z", "2026-03-02T00:00:00.000Z"],
      ["2026-03-02", "2026-03-02T00:00:00.000Z"]
    ] as const
    for (const [sent_at, stored] of moments) {
      const { id } = await books.draft()
      const { body } = await markSent(id, { sent_at, sent_method: "post" })
      expect(body.data).toMatchObject({ sent_at: stored, sent_method: "post" })
    }
  })

  it("answers 422 for what is no moment or no way of sending, and leaves the draft", async () => {
    const { id } = await books.draft()
    for (const [body, field] of [
      [{ sent_at: "yesterday" }, "sent_at"],
      [{ sent_at: "2026-02-30" }, "sent_at"],
      [{ sent_at: 1 }, "sent_at"],
      [{ sent_method: "pigeon" }, "sent_method"]
    ] as const) {
      const answer = await markSent(id, body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    }
    for (const body of ["[]", '"sent"', "5"]) expect((await markSent(id, body)).status).toBe(422)
    expect(await books.invoice(id)).toMatchObject({ status: "draft", version: 1 })
  })

  it("is idempotent: a second time changes nothing and keeps the first moment", async () => {
    const first = await books.issued()
    const again = await markSent(first.id, { sent_at: "2030-01-01T00:00:00Z", sent_method: "email" })
    expect([again.status, again.body.data]).toEqual([200, first])
    const { entries, events } = await app.run(verifiedAuditLog(books.id))
    expect(
      entries.filter(({ action, data }) => action === "invoice.issued" && data["invoice_id"] === first.id)
    ).toHaveLength(1)
    const sent = events.filter(({ data, type }) => type === "invoice.sent" && data.id === first.id)
    expect(sent.map(({ data }) => data.previous)).toEqual([{ status: "draft" }])
    expect(sent[0]?.data.attributes).toEqual(first)
  })

  it("dates the payment of an invoice without anything to pay at its issue", async () => {
    const invoice = await books.issued({ items: [{ description: "Sample", unit_price: 0 }] })
    expect([invoice.status, invoice.total, invoice.paid_at]).toEqual(["paid", 0, invoice.issued_at])
  })

  it("gives one number when eight callers race", async () => {
    const { id } = await books.draft()
    const answers = await race(8, () => markSent(id))
    expect(statuses(answers)).toEqual({ 200: 8 })
    expect(new Set(answers.map(({ body }) => body.data.number)).size).toBe(1)
    expect((await books.invoice(id)).version).toBe(2)
  })

  it("marks an invoice sent that a payment had issued", async () => {
    const draft = await books.draft()
    await books.pay(draft, 21)
    const partly = await books.invoice(draft.id)
    expect(partly).toMatchObject({ status: "partially_paid", sent_at: null })
    const { body, status } = await markSent(draft.id)
    expect([status, body.data.number, body.data.status]).toEqual([200, partly.number, "partially_paid"])
    expect(body.data.sent_at).not.toBeNull()
  })

  it("answers 200 with no change for an overdue invoice, and 422 for a paid one", async () => {
    const overdue = await books.issued({ issue_date: "2020-01-01", due_date: "2020-01-31" })
    expect((await markSent(overdue.id)).body.data).toEqual(overdue)
    const { invoice } = await books.paid()
    const refused = await markSent(invoice.id)
    expect([refused.status, refused.body.code]).toEqual([422, "invoice_locked"])
    expect(await books.invoice(invoice.id)).toEqual(invoice)
  })
})

describe("a draft whose customer was deleted", () => {
  it("is issued by nothing: 422 to all that would, and the number goes to the next", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Gone" })
    const orphan = await own.draft({ customer_id })
    await own.made("DELETE", `/customers/${customer_id}`)
    for (const [path, body] of issuing(orphan.id)) {
      const refused = await own.call("POST", path, body)
      expect([path, refused.status, refused.body.code]).toEqual([path, 422, "customer_deleted"])
    }
    expect(await own.invoice(orphan.id)).toEqual(orphan)
    expect((await own.call("GET", "/payments")).body.meta.total).toBe(0)
    expect((await own.issued()).number).toBe("INV-2026-0001")
  })
})
