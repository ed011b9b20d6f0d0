import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { asSystem } from "../../../src/organizations/AsSystem.ts"
import { Organizations } from "../../../src/organizations/Organizations.ts"
import { Database } from "../../../src/platform/sql/Database.ts"
import { AuditLog, callerEntry } from "../../../src/platform/events/AuditLog.ts"
import { type Books, line, paymentBody, race, statuses, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()

const auditLogOf = (books: Books) => app.run(verifiedAuditLog(books.id))
const { inDatabase } = app

describe("the audit log of an organization", () => {
  it("has one entry per write and one event per effect, with the record as GET answers it", async () => {
    const books = await open()
    const draft = await books.draft()
    const changed = await books.made("PUT", `/invoices/${draft.id}`, { notes: "n" })
    const sent = await books.send(draft)
    const first = await books.pay(sent, 21)
    const partly = await books.invoice(draft.id)
    const last = await books.pay(partly)
    const paid = await books.invoice(draft.id)
    const refunded = await books.made("POST", `/payments/${last.id}/refund`, { amount: 10 })
    const owing = await books.invoice(draft.id)
    const described = await books.made("PUT", `/payments/${first.id}`, { notes: "described" })
    await books.made("DELETE", `/payments/${first.id}`)
    const reopened = await books.invoice(draft.id)
    const doomed = await books.draft()
    await books.made("DELETE", `/invoices/${doomed.id}`)

    const { entries, events } = await auditLogOf(books)
    expect(entries.map(({ action }) => action)).toEqual([
      "customer.created",
      "invoice.created",
      "invoice.updated",
      "invoice.issued",
      "payment.created",
      "payment.created",
      "payment.refunded",
      "payment.updated",
      "payment.deleted",
      "invoice.created",
      "invoice.deleted"
    ])
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([`user:${books.owner.id}`]))
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/)
    const place = { series: "2026", sequence: 1 }
    expect(entries[3]?.data).toEqual({ invoice_id: draft.id, number: sent.number, ...place, sha256 })
    const paying = { payment_id: first.id, invoice_id: draft.id, amount: "21.00", currency: "EUR" }
    expect(entries[4]?.data).toEqual({ ...paying, sha256 })
    expect(events.slice(1).map(({ data, type }) => [type, data.attributes])).toEqual([
      ["invoice.created", draft],
      ["invoice.updated", changed],
      ["invoice.sent", sent],
      ["payment.created", first],
      ["invoice.partially_paid", partly],
      ["payment.created", last],
      ["invoice.paid", paid],
      ["payment.refunded", refunded],
      ["invoice.updated", owing],
      ["payment.updated", described],
      ["payment.deleted", described],
      ["invoice.updated", reopened],
      ["invoice.created", doomed],
      ["invoice.deleted", doomed]
    ])
    expect(events.flatMap(({ data }) => data.previous ?? [])).toEqual([
      { status: "draft" },
      { status: "draft" },
      { status: "sent" },
      { status: "partially_paid" },
      { status: "paid" },
      { status: "partially_paid" }
    ])
  })

  it("gets no entry from a request that is refused, idempotent or only reads", async () => {
    const books = await open()
    const { invoice, payment } = await books.paid()
    const draft = await books.draft()
    const sent = await books.issued()
    const before = await auditLogOf(books)
    const answers = await Promise.all([
      books.call("POST", "/invoices", books.body({ items: [] })),
      books.call("POST", "/invoices", books.body({ items: [line(-1)] })),
      books.call("PUT", `/invoices/${invoice.id}`, { notes: "late" }),
      books.call("DELETE", `/invoices/${invoice.id}`),
      books.call("POST", `/invoices/${invoice.id}/mark-sent`),
      books.call("POST", `/invoices/${draft.id}/mark-paid`, { amount: 1_000 }),
      books.call("POST", "/payments", paymentBody(invoice.id, 1)),
      books.call("POST", `/payments/${payment.id}/refund`, { amount: 1_000 })
    ])
    expect(statuses(answers)).toEqual({ 422: 8 })
    await books.send(sent)
    await books.call("GET", "/invoices")
    await books.call("GET", `/invoices/${invoice.id}/payments/summary`)
    expect(await auditLogOf(books)).toEqual(before)
  })

  it("stays unbroken when thirty requests write at the same time, and is independent of other organizations", async () => {
    const [books, theirs] = [await open(), await open()]
    await race(30, async (writer) => {
      const own = writer % 3 === 0 ? theirs : books
      const draft = await own.draft()
      await own.made("PUT", `/invoices/${draft.id}`, { notes: `writer ${writer}` })
      await own.pay(await own.send(draft))
    })
    const [ours, others] = [await auditLogOf(books), await auditLogOf(theirs)]
    expect([ours.entries.length, ours.events.length]).toEqual([1 + 20 * 4, 1 + 20 * 5])
    expect([others.entries.length, others.events.length]).toEqual([1 + 10 * 4, 1 + 10 * 5])
  })

  it("keeps the bytes of any text, and hashes what it keeps", async () => {
    const books = await open()
    const action = 'quote " backslash \\ \u20ac \ud83d\ude00 \u2028 \t'
    await app.run(
      Effect.gen(function* () {
        const auditLog = yield* AuditLog
        const { transaction } = yield* Database
        yield* transaction(
          auditLog.append({
            organization_id: books.id,
            actor: "system",
            action,
            data: { "\u00f6": [1, null, "\n"], a: 0.1 }
          })
        )
      })
    )
    const { entries } = await auditLogOf(books)
    expect(entries.at(-1)).toMatchObject({ action, data: { "\u00f6": [1, null, "\n"], a: 0.1 } })
  })

  it("loses an entry whose transaction fails", async () => {
    const books = await open()
    const before = await auditLogOf(books)
    const failing = Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const entry = { organization_id: books.id, actor: "system", action: "never", data: {} }
      return yield* transaction(Effect.andThen(auditLog.append(entry), Effect.fail("refused")))
    })
    await expect(app.run(failing)).rejects.toBe("refused")
    expect(await auditLogOf(books)).toEqual(before)
  })

  it("repeats a write during which the lock date is moved several times", async () => {
    const books = await open()
    let moves = 0
    const write = Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const entry = yield* callerEntry("invoice.updated", {})
      const day = `2026-01-0${++moves}`
      if (moves <= 3) {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update journals set books_locked_until = ${day} where organization_id = ${books.id}`
      }
      yield* transaction(auditLog.append(entry))
      return entry.books_locked_until
    }).pipe(Effect.orDie)
    const outcome = Effect.gen(function* () {
      const organization = yield* (yield* Organizations).get(OrganizationId.make(books.id))
      const { underLatestLock } = yield* AuditLog
      return yield* asSystem(organization)(underLatestLock(write))
    }).pipe(Effect.provide(Organizations.layer))
    expect([await app.run(outcome), moves]).toEqual(["2026-01-03", 4])
  })

  it.each([
    "update audit_entries set canonical = 'x'",
    "update audit_entries set hash = hash",
    "delete from audit_entries",
    "truncate audit_entries",
    "truncate audit_entries, outbox"
  ])("refuses: %s", async (statement) => {
    const books = await open()
    const before = await auditLogOf(books)
    await expect(inDatabase(statement)).rejects.toMatchObject({ _tag: "SqlError" })
    expect(await auditLogOf(books)).toEqual(before)
  })

  it.each([
    ["a changed", "update audit_entries set canonical = replace(canonical, 'invoice', 'Invoice') where seq = 2"],
    ["a missing", "delete from audit_entries where seq = 2"],
    ["a missing last", "delete from audit_entries where seq = 4"],
    ["a swapped", "update audit_entries set seq = case seq when 2 then -3 else -2 end where seq in (2, 3)"],
    [
      "an added",
      "insert into audit_entries select organization_id, 5, canonical, hash from audit_entries where seq = 4"
    ]
  ])("reveals %s entry when it is verified", async (_, tamper) => {
    const books = await open()
    await race(3, () => books.draft())
    await inDatabase("alter table audit_entries disable trigger audit_entries_append_only")
    await inDatabase("create table saved as select * from audit_entries")
    await inDatabase(`${tamper} and organization_id = ${books.id}`)
    await expect(auditLogOf(books)).rejects.toThrow()
    await inDatabase("delete from audit_entries")
    await inDatabase("insert into audit_entries select * from saved")
    await inDatabase("drop table saved")
    await inDatabase("alter table audit_entries enable trigger audit_entries_append_only")
    expect((await auditLogOf(books)).entries).toHaveLength(4)
  })
})
