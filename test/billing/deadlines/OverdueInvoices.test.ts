import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { Deadlines } from "../../../src/billing/deadlines/Deadlines.ts"
import { at } from "../../support/At.ts"
import { type Books, line, race, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { whileFailing } from "../sending/Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

/** The update that finishes a send. */
const unfinished = ["document_sends", "new.finished_at is not null"] as const

const announce = Effect.flatMap(Deadlines, (deadlines) => deadlines.announceOverdue).pipe(
  Effect.provide(Deadlines.layer)
)
const announceAt = (moment: string | number) => app.run(at(moment, announce))

const overdueEvents = async (books: Books) => {
  const { events } = await app.run(verifiedAuditLog(books.id))
  return events.filter(({ type }) => type === "invoice.overdue")
}

/** Due dates around both clock changes of 2025 in each time zone, with the moment of 00:05 on the next day. */
const midnights: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  "Pacific/Auckland": [
    ["2025-01-15", "2025-01-15T11:05:00Z"],
    ["2025-04-05", "2025-04-05T11:05:00Z"],
    ["2025-04-06", "2025-04-06T12:05:00Z"],
    ["2025-09-27", "2025-09-27T12:05:00Z"],
    ["2025-09-28", "2025-09-28T11:05:00Z"]
  ],
  "Europe/Brussels": [
    ["2025-01-15", "2025-01-15T23:05:00Z"],
    ["2025-03-29", "2025-03-29T23:05:00Z"],
    ["2025-03-30", "2025-03-30T22:05:00Z"],
    ["2025-10-25", "2025-10-25T22:05:00Z"],
    ["2025-10-26", "2025-10-26T23:05:00Z"]
  ],
  "America/Los_Angeles": [
    ["2025-01-15", "2025-01-16T08:05:00Z"],
    ["2025-03-08", "2025-03-09T08:05:00Z"],
    ["2025-03-09", "2025-03-10T07:05:00Z"],
    ["2025-11-01", "2025-11-02T07:05:00Z"],
    ["2025-11-02", "2025-11-03T08:05:00Z"]
  ],
  // The clocks change at midnight itself: one day begins at 01:00, another has its last hour twice.
  "Africa/Cairo": [
    ["2025-04-24", "2025-04-24T22:05:00Z"],
    ["2025-10-30", "2025-10-30T22:05:00Z"]
  ]
}

describe("invoice.overdue", () => {
  it("comes once, at 00:05 of the day after the due date where the organization is, DST or not", async () => {
    const due: Array<{ readonly books: Books; readonly id: number; readonly moment: number }> = []
    for (const [timezone, days] of Object.entries(midnights)) {
      const books = await open({ timezone })
      for (const [due_date, moment] of days) {
        const { id } = await books.issued({ issue_date: "2025-01-01", due_date })
        due.push({ books, id, moment: Date.parse(moment) })
      }
    }
    const moments = due.map(({ moment }) => moment).toSorted((a, b) => a - b)
    for (const moment of moments) {
      await announceAt(moment - 1)
      await announceAt(moment)
    }
    for (const { books, id, moment } of due) {
      const events = (await overdueEvents(books)).filter(({ data }) => data.id === id)
      expect(events.map(({ data }) => data.attributes)).toMatchObject([
        { status: "overdue", is_overdue: true, days_overdue: 1 }
      ])
      expect(events[0]?.data.previous).toEqual({ status: "sent" })
      const entries = (await app.run(verifiedAuditLog(books.id))).entries.filter(
        ({ action, data }) => action === "invoice.overdue" && data["invoice_id"] === id
      )
      expect(entries.map(({ actor, at: told }) => [actor, Date.parse(told)])).toEqual([["system", moment]])
    }
  }, 200_000)

  it("waits for the end of the send that issues the invoice, because the send may make it a draft again", async () => {
    const books = await open()
    const { id } = await books.draft({ issue_date: "2025-01-01", due_date: "2025-01-15" })
    const send = () =>
      books.call(
        "POST",
        `/invoices/${id}/send`,
        { recipients: "unknown@beta.eu", attach_pdf: false },
        { headers: { "idempotency-key": "once" } }
      )
    expect((await whileFailing(app, books.id, unfinished, send)).status).toBe(500)
    await announceAt("2025-01-16T12:00:00Z")
    expect(await overdueEvents(books)).toEqual([])
    expect((await send()).status).toBe(422)
    expect((await books.invoice(id)).status).toBe("draft")
    await books.send({ id })
    await announceAt("2025-01-16T12:00:00Z")
    expect(await overdueEvents(books)).toHaveLength(1)
  })

  it("does not wait for a send that a crash interrupted long ago", async () => {
    const books = await open()
    const { id } = await books.draft({ issue_date: "2025-01-01", due_date: "2025-01-15" })
    const send = () => books.call("POST", `/invoices/${id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
    expect((await whileFailing(app, books.id, unfinished, send)).status).toBe(500)
    await app.inDatabase(`update document_sends set created_at = now() - interval '31 minutes'
      where organization_id = ${books.id}`)
    await announceAt("2025-01-16T12:00:00Z")
    expect(await overdueEvents(books)).toHaveLength(1)
  })

  it("carries what GET answers, and changes nothing of it", async () => {
    const books = await open()
    const { id } = await books.issued({ issue_date: "2025-01-01", due_date: "2025-01-31" })
    const before = await books.invoice(id)
    await app.run(announce)
    const after = await books.invoice(id)
    const [event] = await overdueEvents(books)
    expect(after).toEqual(before)
    expect(event?.data.attributes).toEqual(after)
  })

  it("comes once when eight processes look at the same time", async () => {
    const books = await open()
    const due = await race(20, () => books.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" }))
    const announced = await race(8, () => announceAt("2025-02-02T12:00:00Z"))
    expect(announced.reduce((sum, count) => sum + count, 0)).toBe(due.length)
    expect(new Set((await overdueEvents(books)).map(({ data }) => data.id))).toEqual(new Set(due.map(({ id }) => id)))
  })

  it("is made up for after weeks in which no process ran, however many invoices wait", async () => {
    const books = await open()
    await race(60, () => books.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" }))
    expect(await announceAt("2025-06-01T00:00:00Z")).toBe(60)
    expect(await overdueEvents(books)).toHaveLength(60)
    expect(await announceAt("2025-06-01T00:05:00Z")).toBe(0)
  })

  it("is never published for a draft, a paid, a credited, a deleted or an empty invoice, nor in an archived organization", async () => {
    const books = await open()
    const dates = { issue_date: "2025-01-01", due_date: "2025-02-01" }
    await books.draft(dates)
    await books.paid(dates)
    const removed = await books.draft(dates)
    await books.made("DELETE", `/invoices/${removed.id}`)
    await books.issued({ ...dates, items: [line(0)] })
    const credited = await books.issued(dates)
    const note = await books.made("POST", "/credit-notes", {
      invoice_id: credited.id,
      amount: credited.total,
      reason: "returned",
      credit_type: "full"
    })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ap@beta.example"] })
    expect((await books.invoice(credited.id)).status).toBe("credited")
    const archived = await open()
    await archived.issued(dates)
    await app.run(archive(archived.id))
    expect(await announceAt("2025-03-01T00:00:00Z")).toBe(0)
    expect(await overdueEvents(archived)).toEqual([])
  })

  it("comes again for a due date that was moved, but not for a debt that is open again", async () => {
    const books = await open()
    const { id } = await books.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" })
    const told = async (moment: string) => {
      await announceAt(moment)
      return (await overdueEvents(books)).length
    }
    expect(await told("2025-02-02T12:00:00Z")).toBe(1)
    const payment = await books.pay(await books.invoice(id))
    await books.made("POST", `/payments/${payment.id}/refund`, { amount: payment.amount })
    expect(await told("2025-02-10T12:00:00Z")).toBe(1)
    await books.made("PUT", `/invoices/${id}`, { due_date: "2025-03-01" })
    expect(await told("2025-03-01T12:00:00Z")).toBe(1)
    expect(await told("2025-03-02T12:00:00Z")).toBe(2)
    await books.made("PUT", `/invoices/${id}`, { due_date: "2025-03-01" })
    expect(await told("2025-03-03T12:00:00Z")).toBe(2)
  })

  it("keeps no other invoice waiting when one cannot be announced", async () => {
    const books = await open()
    const broken = await books.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" })
    const sound = await books.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" })
    const closed = await open()
    const kept = await closed.issued({ issue_date: "2025-01-01", due_date: "2025-02-01" })
    await app.run(refuseEntry(broken.id))
    expect(await announceAt("2025-02-03T00:00:00Z")).toBe(2)
    expect((await overdueEvents(books)).map(({ data }) => data.id)).toEqual([sound.id])
    expect((await overdueEvents(closed)).map(({ data }) => data.id)).toEqual([kept.id])
    await app.run(acceptEntries)
    expect(await announceAt("2025-02-03T00:05:00Z")).toBe(1)
  })
})

const statement = (run: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.asVoid(Effect.flatMap(SqlClient.SqlClient, run))

const archive = (organization_id: number) =>
  statement((sql) => sql`update organizations set archived_at = now() where id = ${organization_id}`)

const refuseEntry = (invoice_id: number) =>
  statement((sql) =>
    sql.unsafe(`alter table invoices add constraint broken check (id <> ${invoice_id} or announced_due_date is null)`)
  )
const acceptEntries = statement((sql) => sql`alter table invoices drop constraint broken`)
