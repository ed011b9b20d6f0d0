import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { describe, expect, it, beforeAll } from "vitest"
import { type InvoiceFacts, InvoiceStatus, statusOf } from "../../../src/billing/invoices/Invoice.ts"
import { dayAt, Day, TimeZone } from "../../../src/kernel/Calendar.ts"
import { Decimal } from "../../../src/kernel/Money.ts"
import { type Books, useBilling, issuing, race, statuses } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()

const zones = ["Pacific/Kiritimati", "America/Los_Angeles"] as const
const todayIn = (zone: string, days = 0) => dayAt(Date.now() + days * 86_400_000, TimeZone.make(zone))

describe("the status of an invoice", () => {
  it("turns overdue the day after its due date, in the organization's own time zone", async () => {
    // The two time zones are 21 to 22 hours apart, so it is the same day in both only for two or three hours of a day.
    for (const timezone of zones) {
      const books = await open({ timezone })
      const due = async (due_date: string) => books.issued({ issue_date: "2020-01-01", due_date })
      const yesterday = await due(todayIn(timezone, -1))
      const today = await due(todayIn(timezone))
      const tomorrow = await due(todayIn(timezone, 1))
      const shown = ({ days_overdue, is_overdue, status }: typeof today) => [status, is_overdue, days_overdue]
      expect([yesterday, today, tomorrow].map(shown)).toEqual([
        ["overdue", true, 1],
        ["sent", false, 0],
        ["sent", false, 0]
      ])
      const filtered = async (status: string) =>
        (await books.call("GET", `/invoices?status=${status}`)).body.data.map(({ id }: { id: number }) => id)
      expect(await filtered("overdue")).toEqual([yesterday.id])
      expect(await filtered("sent")).toEqual([tomorrow.id, today.id])
    }
  })

  it("of the same invoice differs between Kiritimati and Los Angeles while they have different days", async () => {
    const [east, west] = zones
    const due_date = todayIn(west)
    const books = await open({ timezone: west })
    const invoice = await books.issued({ issue_date: "2020-01-01", due_date })
    expect(invoice.status).toBe("sent")
    await books.made("PUT", `/organizations/${books.id}`, { timezone: east })
    expect((await books.invoice(invoice.id)).status).toBe(due_date < todayIn(east) ? "overdue" : "sent")
  })

  it("dates a payment that names no day today in the organization's time zone", async () => {
    for (const timezone of zones) {
      const books = await open({ timezone })
      const { id } = await books.issued()
      await books.made("POST", `/invoices/${id}/mark-paid`)
      const { last_payment_date } = await books.made("GET", `/invoices/${id}/payments/summary`)
      expect(last_payment_date).toBe(todayIn(timezone))
    }
  })

  it("is the same in a list filtered by it as on the invoice itself, whatever the facts", async () => {
    const books = await open()
    const facts = fc.sample(anyFacts, { numRuns: 400, seed: 20_260_301 })
    const ids = await app.run(insert(books, facts))
    const today = todayIn("Europe/Brussels")
    const expected = new Map(ids.map((id, index) => [id, statusOf(completed(facts[index]), today)]))
    expect(new Set(expected.values()).size).toBe(7)
    for (const status of [...InvoiceStatus.literals, "unpaid"]) {
      const open = ["sent", "partially_paid", "overdue"]
      const wanted = ids.filter((id) => {
        const actual = expected.get(id) ?? ""
        return status === "unpaid" ? open.includes(actual) : actual === status
      })
      expect([status, (await allIds(books, status)).toSorted((a, b) => a - b)]).toEqual([status, wanted])
    }
    const { body } = await books.call("GET", "/invoices?per_page=100")
    expect(body.data.length).toBeGreaterThan(0)
    for (const invoice of body.data)
      expect([invoice.id, invoice.status]).toEqual([invoice.id, expected.get(invoice.id)])
  })
})

interface Facts {
  readonly issued: boolean
  readonly void: boolean
  readonly due_in_days: number
  readonly total: number
  readonly paid: number
  readonly refunded: number
  readonly credited: number
}

/** The amounts are small, so that payments and credits often equal the total exactly. */
const anyFacts = fc
  .record({
    issued: fc.integer({ min: 0, max: 5 }).map((dice) => dice > 0),
    void: fc.boolean(),
    due_in_days: fc.integer({ min: -2, max: 2 }),
    total: fc.integer({ min: 0, max: 4 }),
    paid: fc.integer({ min: 0, max: 5 }),
    refunded: fc.integer({ min: 0, max: 5 }),
    credited: fc.integer({ min: 0, max: 4 })
  })
  // Only a draft can become void, so a void invoice has neither payments nor credits.
  .map((facts) => (facts.issued || !facts.void ? { ...facts, void: false } : { ...facts, paid: 0, credited: 0 }))
  .map((facts): Facts => ({
    ...facts,
    refunded: Math.min(facts.refunded, facts.paid),
    credited: Math.min(facts.credited, facts.total)
  }))

const decimal = Schema.decodeSync(Decimal)

const completed = (facts: Facts | undefined) => {
  if (facts === undefined) throw new Error("There is a fact for each invoice.")
  const amounts = {
    total: decimal(facts.total),
    amount_paid: decimal(facts.paid),
    amount_refunded: decimal(facts.refunded),
    amount_credited: decimal(facts.credited)
  }
  const issued_at = facts.issued ? "2020-01-01T00:00:00.000Z" : null
  const voided_at = facts.void ? "2020-01-02T00:00:00.000Z" : null
  // The status depends on these fields only.
  return { ...amounts, issued_at, voided_at, due_date: todayIn("Europe/Brussels", facts.due_in_days) } as InvoiceFacts
}

const insert = (books: Books, facts: ReadonlyArray<Facts>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ id: number }>`
      insert into invoices (organization_id, customer_id, number, issued_at, voided_at, issue_date, due_date, currency, items,
        tax_breakdown, subtotal, discount_total, tax_total, total, amount_paid, amount_refunded, amount_credited,
        created_at, updated_at)
      select ${books.id}, ${books.customer_id}, case when f.issued or f.void then 'X-' || f.n end,
        case when f.issued then now() end, case when f.void then now() end,
        '2020-01-01', ${Day.make(todayIn("Europe/Brussels"))}::date + f.due_in_days, 'EUR', '[]', '[]', f.total, 0, 0,
        f.total, f.paid, f.refunded, f.credited, now(), now()
      from rows from (jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) as (issued boolean, void boolean, due_in_days integer,
        total numeric, paid numeric, refunded numeric, credited numeric)) with ordinality
        as f (issued, void, due_in_days, total, paid, refunded, credited, n)
      order by f.n returning id`
    return rows.map(({ id }) => id)
  })

const allIds = async (books: Books, status: string): Promise<ReadonlyArray<number>> => {
  const ids: Array<number> = []
  for (let page = 1; page <= 5; page++) {
    const { body } = await books.call("GET", `/invoices?status=${status}&per_page=100&page=${page}`)
    ids.push(...body.data.map(({ id }: { id: number }) => id))
    if (body.links.next === null) break
  }
  return ids
}

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

  it("accepts a time, or a day for its first moment in the organization, and a method of sending", async () => {
    const moments = [
      ["2026-03-02T10:00:00Z", "2026-03-02T10:00:00.000Z"],
      ["2026-03-02T10:00:00.5+02:00", "2026-03-02T08:00:00.500Z"],
      ["2026-03-02T00:00:00Z", "2026-03-02T00:00:00.000Z"],
      ["2026-03-02", "2026-03-01T23:00:00.000Z"]
    ] as const
    for (const [sent_at, stored] of moments) {
      const { id } = await books.draft()
      const { body } = await markSent(id, { sent_at, sent_method: "post" })
      expect(body.data).toMatchObject({ sent_at: stored, sent_method: "post" })
    }
  })

  it("answers 422 for an invalid time or method, and leaves the draft", async () => {
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

  it("dates the payment of an invoice without anything to pay at its issue, and announces it", async () => {
    const invoice = await books.issued({ items: [{ description: "Sample", unit_price: 0 }] })
    expect([invoice.status, invoice.total, invoice.paid_at]).toEqual(["paid", 0, invoice.issued_at])
    const { events } = await app.run(verifiedAuditLog(books.id))
    const told = events.filter(({ data, type }) => data.id === invoice.id && type !== "invoice.created")
    expect(told.map(({ data, type }) => [type, data.previous, data.attributes])).toEqual([
      ["invoice.sent", { status: "draft" }, invoice],
      ["invoice.paid", { status: "draft" }, invoice]
    ])
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
