import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Books, line, pick, race, statuses, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))
let books: Books
let credits: ReturnType<typeof creditsOf>

beforeAll(async () => {
  books = await open({ rates: [21, 6] })
  credits = creditsOf(books)
})

/** The lines of the example invoice of 271.36: one with 21 % tax, one with 6 % tax, and one exempt from tax. */
const contractItems = () => [
  line(19.99, { quantity: 3, discount: 10, tax_rate_ids: [books.tax_rate_ids[0]] }),
  line(40, { quantity: 2.5, tax_rate_ids: [books.tax_rate_ids[1]] }),
  line(0.05, { tax_rate_ids: [books.tax_rate_ids[0]] }),
  line(100, { tax_exempt: true })
]
const listed = async (query: string) => {
  const { body } = await books.call("GET", `/credit-notes?${query}`)
  return body.data.map(({ id }: { id: number }) => id)
}

const printed = async (own: Books, id: number) => {
  const response = await fetch(`${app.url}/api/v1/credit-notes/${id}/pdf`, {
    headers: { authorization: `Bearer ${own.owner.token}`, "x-organization-id": String(own.id) }
  })
  const text = await Effect.runPromise(pdfText(new Uint8Array(await response.arrayBuffer())))
  return { headers: response.headers, text }
}

describe("POST /api/v1/credit-notes", () => {
  it("answers 201 with a draft whose amount is split over the invoice's tax groups", async () => {
    const invoice = await books.issued({ items: contractItems() })
    const answer = await credits.ask(invoice, 50)
    expect([answer.status, answer.headers.get("etag")]).toEqual([201, '"v1"'])
    expect(answer.body.data).toMatchObject({
      number: null,
      draft_reference: `DRAFT-${answer.body.data.id}`,
      status: "draft",
      invoice_id: invoice.id,
      amount: 50,
      currency: "EUR",
      reason: "Returned goods",
      credit_type: "partial",
      credit_note_type_code: null,
      subtotal: 46.8,
      tax_total: 3.2,
      total: 50,
      refundable_amount: 0,
      issue_date: null,
      sent_at: null,
      customer: { id: books.customer_id, name: "Beta" },
      original_invoice: { id: invoice.id, number: invoice.number, issue_date: "2026-03-01", total: 271.36 }
    })
    const amounts = answer.body.data.tax_breakdown.map((group: Record<string, number>) => [
      group["rate"],
      group["taxable_amount"],
      group["tax_amount"]
    ])
    expect(amounts).toEqual([
      [21, 9.95, 2.09],
      [6, 18.42, 1.11],
      [0, 18.43, 0]
    ])
    expect(answer.body.data.items).toHaveLength(3)
    expect(await credits.note(answer.body.data.id)).toEqual(answer.body.data)
    expect(await books.invoice(invoice.id)).toEqual(invoice)
  })

  it("leaves an audit entry and the event credit_note.created with what GET answers", async () => {
    const own = await open()
    const note = await creditsOf(own).draft(await own.issued(), 21)
    const { entries, events } = await app.run(verifiedAuditLog(own.id))
    expect(entries.at(-1)).toMatchObject({
      action: "credit_note.created",
      data: { credit_note_id: note.id, amount: "21.00", currency: "EUR" }
    })
    expect(events.at(-1)).toMatchObject({
      type: "credit_note.created",
      data: { object: "credit_note", id: note.id, attributes: note }
    })
  })

  it("is full when it credits everything that is left, with the invoice's own lines if nothing was credited before", async () => {
    const invoice = await books.issued({ items: contractItems() })
    const whole = await credits.draft(invoice, 271.36, { credit_type: "full" })
    expect([whole.credit_type, whole.tax_total]).toEqual(["full", 17.34])
    expect(whole.items.map(({ description, line_total }: never) => [description, line_total])).toEqual(
      invoice.items.map(({ description, line_total }: never) => [description, line_total])
    )
    const other = await books.issued({ items: contractItems() })
    await credits.draft(other, 71.36)
    expect(await credits.draft(other, "200.00")).toMatchObject({ credit_type: "full", total: 200 })
  })

  it("answers 422 for full with another amount than what is left, and creates nothing", async () => {
    const invoice = await books.issued()
    const answer = await credits.ask(invoice, 120.99, { credit_type: "full" })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["credit_type"]])
    expect(await listed(`invoice_id=${invoice.id}`)).toEqual([])
  })

  it("answers 422 exceeds_creditable_amount with what is left, drafts included", async () => {
    const invoice = await books.issued()
    const first = await credits.draft(invoice, 100)
    const refused = await credits.ask(invoice, 21.01)
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        success: false,
        message: "The amount is greater than what is left to credit on this invoice.",
        code: "exceeds_creditable_amount",
        details: { remaining: 21 }
      }
    ])
    expect(await listed(`invoice_id=${invoice.id}`)).toEqual([first.id])
    await credits.draft(invoice, 21)
    expect((await credits.ask(invoice, 0.01)).body.details).toEqual({ remaining: 0 })
  })

  it("never exceeds the invoice when sixteen requests credit 50.00 of 121.00 at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const invoice = await books.issued()
      const answers = await race(16, () => credits.ask(invoice, 50))
      expect(statuses(answers)).toEqual({ 201: 2, 422: 14 })
      expect(await listed(`invoice_id=${invoice.id}`)).toHaveLength(2)
    }
  })

  it("answers 422 for an invoice that is a draft, missing or another organization's, and creates nothing", async () => {
    const before = await listed("")
    const draft = await books.draft()
    const refused = await credits.ask(draft, 10)
    expect([refused.status, refused.body.code]).toEqual([422, "invoice_not_issued"])
    const foreign = await (await open({ name: "Theirs" })).issued()
    for (const id of [foreign.id, 2_147_483_647]) {
      const { body, status } = await credits.ask({ id }, 10)
      expect([status, body.errors]).toEqual([
        422,
        { invoice_id: ["The invoice_id field must name an invoice of the organization."] }
      ])
    }
    expect(await listed("")).toEqual(before)
  })

  it.each([
    ["no invoice", { invoice_id: undefined }, "invoice_id"],
    ["no amount", { amount: undefined }, "amount"],
    ["a zero amount", { amount: 0 }, "amount"],
    ["a negative amount", { amount: -1 }, "amount"],
    ["more decimals than the currency has", { amount: 1.001 }, "amount"],
    ["no reason", { reason: undefined }, "reason"],
    ["a blank reason", { reason: "  " }, "reason"],
    ["an unknown type", { credit_type: "half" }, "credit_type"]
  ])("answers 422 for %s, on its field", async (_, changes, field) => {
    const invoice = await books.issued()
    const { body, status } = await credits.ask(invoice, 10, changes)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect(await listed(`invoice_id=${invoice.id}`)).toEqual([])
  })

  it("counts decimals by the invoice's currency", async () => {
    const yen = await books.issued({ currency: "JPY", items: [line(2000)] })
    expect((await credits.ask(yen, 10.5)).body.errors).toEqual({
      amount: ["The amount field may not have more than 0 decimal places in JPY."]
    })
    expect(await credits.draft(yen, 1000)).toMatchObject({ currency: "JPY", subtotal: 826, tax_total: 174 })
    const dinar = await books.issued({ currency: "BHD", items: [line(2)] })
    expect(await credits.draft(dinar, 1.001)).toMatchObject({ subtotal: 0.827, tax_total: 0.174 })
  })
})

describe("GET /api/v1/credit-notes", () => {
  it("lists notes newest first with customer and original invoice, without lines, by status, customer and invoice", async () => {
    const own = await open()
    const ownCredits = creditsOf(own)
    const [one, two] = [await own.issued(), await own.issued()]
    const notes = [await ownCredits.draft(one, 10), await ownCredits.draft(two, 20), await ownCredits.draft(one, 30)]
    const { body } = await own.call("GET", "/credit-notes?per_page=2")
    expect(body.meta).toMatchObject({ total: 3, per_page: 2, last_page: 2 })
    for (const field of ["items", "tax_breakdown", "delivery_date"]) expect(body.data[0]).not.toHaveProperty(field)
    expect(body.data[0]).toEqual(pick(notes[2], Object.keys(body.data[0])))
    expect(body.data[1].id).toBe(notes[1].id)
    const ids = async (query: string) =>
      (await own.call("GET", `/credit-notes?${query}`)).body.data.map(({ id }: { id: number }) => id)
    expect(await ids(`invoice_id=${one.id}`)).toEqual([notes[2].id, notes[0].id])
    expect(await ids(`customer_id=${own.customer_id}&status=draft`)).toHaveLength(3)
    expect(await ids("status=sent")).toEqual([])
    expect(await ids("page=9")).toEqual([])
    expect((await own.call("GET", "/credit-notes?status=paid")).status).toBe(422)
  })
})

describe("DELETE /api/v1/credit-notes/{id}", () => {
  it("removes a draft, and its amount can be credited again", async () => {
    const invoice = await books.issued()
    const { id } = await credits.draft(invoice, 121)
    const { body, status } = await books.call("DELETE", `/credit-notes/${id}`)
    expect([status, body.data]).toEqual([200, { id }])
    expect((await books.call("GET", `/credit-notes/${id}`)).status).toBe(404)
    expect((await books.call("DELETE", `/credit-notes/${id}`)).status).toBe(404)
    expect(await credits.draft(invoice, 121)).toMatchObject({ credit_type: "full", tax_total: 21 })
  })

  it("is done once when it is requested many times at the same time, and the other requests find nothing", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await credits.draft(await books.issued(), 1)
      const answers = await Promise.all(Array.from({ length: 6 }, () => books.call("DELETE", `/credit-notes/${id}`)))
      expect(statuses(answers)).toEqual({ 200: 1, 404: 5 })
    }
  })

  it("answers 412 when If-Match names another version", async () => {
    const { id } = await credits.draft(await books.issued(), 1)
    const stale = await books.call("DELETE", `/credit-notes/${id}`, undefined, { headers: { "if-match": '"v2"' } })
    expect(stale.status).toBe(412)
    const { status } = await books.call("DELETE", `/credit-notes/${id}`, undefined, { headers: { "if-match": '"v1"' } })
    expect(status).toBe(200)
  })
})

describe("GET /api/v1/credit-notes/{id}/pdf", () => {
  it("answers the draft as a PDF, named by its reference", async () => {
    const { id } = await credits.draft(await books.issued(), 21)
    const { headers, text } = await printed(books, id)
    expect(headers.get("content-type")).toBe("application/pdf")
    expect(headers.get("content-disposition")).toBe(`inline; filename="DRAFT-${id}.pdf"`)
    expect(text).toContain(`Credit note DRAFT-${id}`)
    expect(text).not.toContain("stamped")
  })

  it("says on the paper of a clearance country that the authority has not stamped it yet", async () => {
    const own = await open({ country: "MX" })
    const { id } = await creditsOf(own).draft(await own.issued(), 21)
    const { text } = await printed(own, id)
    expect(text).toContain("SAT (CFDI 4.0)")
    expect(text).toContain("Not yet stamped by the tax authority.")
  })
})

describe("who may do what", () => {
  it("answers 403 to members and viewers for everything but reading, and without the scope", async () => {
    const invoice = await books.issued()
    const { id } = await credits.draft(invoice, 1)
    for (const role of ["member", "viewer"] as const) {
      const { token } = await app.run(seedMember(books.id, role))
      const status = async (method: string, path: string, body?: unknown) =>
        (await books.call(method, `/credit-notes${path}`, body, { token })).status
      expect([
        await status("GET", `/${id}`),
        await status("GET", `/${id}/pdf`),
        await status("POST", "", credits.body(invoice, 1)),
        await status("POST", `/${id}/send`),
        await status("DELETE", `/${id}`)
      ]).toEqual([200, 200, 403, 403, 403])
    }
    const token = await app.run(seedToken(books.owner.id, ["credit_notes:read"]))
    const refused = await books.call("POST", `/credit-notes/${id}/send`, undefined, { token })
    expect([refused.status, refused.body.required_scope]).toEqual([403, "credit_notes:send"])
    expect(await listed(`invoice_id=${invoice.id}`)).toEqual([id])
    expect(await credits.note(id)).toMatchObject({ status: "draft", version: 1 })
  })
})
