import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type InvoiceFacts, InvoiceStatus, statusOf } from "../../../src/billing/invoices/Invoice.ts"
import { dayAt, Day, TimeZone } from "../../../src/kernel/Calendar.ts"
import { Decimal } from "../../../src/kernel/Money.ts"
import { type Books, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

const zones = ["Pacific/Kiritimati", "America/Los_Angeles"] as const
const todayIn = (zone: string, days = 0) => dayAt(Date.now() + days * 86_400_000, TimeZone.make(zone))

describe("the status of an invoice", () => {
  it("turns overdue the day after its due date, in the organization's own time zone", async () => {
    // The two zones are 21 to 22 hours apart, so their days differ for all but two or three hours of any day.
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

/** Small amounts, so that sums often meet exactly. */
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
  // A void invoice has neither payments nor credits.
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
