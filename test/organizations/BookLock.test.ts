import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { Database } from "../../src/platform/sql/Database.ts"
import { importer, openAccount, table } from "../banking/Books.ts"
import type { Answer } from "../support/App.ts"
import { type Books, race } from "../support/Billing.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { useExpenses } from "../support/Expenses.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"

const { app, open } = useExpenses()
/** The day in the time zone of the organizations that these tests open. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Brussels" }).format(Date.now())

const lockUntil = ({ call, id }: Books, value: string | null, further: object = {}) =>
  call("PUT", `/organizations/${id}`, { settings: [{ key: "books_locked_until", value }] }, further)

const locked = async (books: Books, method: string, path: string, body?: object) => {
  const answer = await books.call(method, path, body)
  assert.deepEqual([answer.status, answer.body.code], [422, "books_locked"], `${method} ${path} ${answer.text}`)
}

/** Starts a write, moves the lock date while the write waits for the audit log, and returns the answer. */
const moveWhileWaiting = async (id: number, write: () => Promise<Answer>) => {
  const started: Array<Promise<Answer>> = []
  const move = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`select from journals where organization_id = ${id} for update`
    started.push(write())
    const waiting = sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    yield* Effect.repeat(waiting, { until: ({ length }) => length > 0, schedule: Schedule.spaced("5 millis") })
    yield* sql`update organizations set settings = settings || '{"books_locked_until":"2026-01-31"}' where id = ${id}`
  })
  await app.run(Effect.orDie(Effect.flatMap(Database, ({ transaction }) => transaction(move))))
  const [answer] = await Promise.all(started)
  if (answer === undefined) throw new Error("There is no answer.")
  return answer
}

const recordsOf = ({ made }: Books) =>
  Promise.all(
    ["invoices", "credit-notes", "payments", "expenses", "bank-transactions"].map((path) => made("GET", `/${path}`))
  )

describe("the setting books_locked_until", () => {
  it("is moved by owner and accountant only, shown to all, and recorded with its date", async () => {
    const books = await open()
    const token = async (role: string) => (await app.run(seedMember(books.id, role as "admin"))).token
    const [accountant, admin, member] = [await token("accountant"), await token("admin"), await token("member")]
    assert.equal((await lockUntil(books, "2026-01-31", { token: accountant })).status, 200)
    const machine = await app.run(seedOrganizationToken(books.id))
    for (const refused of [admin, member, machine]) {
      assert.equal((await lockUntil(books, "2026-02-28", { token: refused })).status, 403)
    }
    const profile = (body: object, token: string) => books.call("PUT", `/organizations/${books.id}`, body, { token })
    // An administrator may send the settings back unchanged, and an accountant may change only the lock date.
    const { settings } = await books.made("GET", `/organizations/${books.id}`)
    assert.equal((await profile({ settings, city: "Ghent" }, admin)).status, 200)
    assert.equal((await profile({ city: "Bruges" }, accountant)).status, 403)
    const mixed = { settings: [{ key: "books_locked_until", value: "2026-02-28" }], city: "Bruges" }
    assert.equal((await profile(mixed, accountant)).status, 403)
    assert.equal((await profile(mixed, admin)).status, 403)
    assert.equal((await lockUntil(books, null)).status, 200)
    assert.equal((await lockUntil(books, "2026-02-30")).status, 422)
    const { entries } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    const moves = entries.flatMap(({ data }) => ("books_locked_until" in data ? [data["books_locked_until"]] : []))
    assert.deepEqual(moves, ["2026-01-31", null])
  })

  it("keeps everything that is dated until then as it is", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const rows = [
      ["2026-01-15", "121,00", "", "a"],
      ["2026-01-16", "-118,40", "", "b"]
    ] as const
    const { data: session } = await importer(app, books)(account, table(...rows))
    const [debit, credit] = await books.made("GET", "/bank-transactions")
    const january = { issue_date: "2026-01-31", due_date: "2026-02-28" }
    const draft = await books.draft(january)
    const issued = await books.issued(january)
    const { payment } = await books.paid({ issue_date: "2026-03-01" })
    await books.made("PUT", `/payments/${payment.id}`, { payment_date: "2026-01-31" })
    const expense = await books.spent({ expense_date: "2026-01-31" })
    const paid = await books.spent({ expense_date: "2026-01-31" })
    await books.made("POST", `/expenses/${paid.id}/mark-paid`, { paid_at: "2026-01-31" })
    assert.equal((await lockUntil(books, "2026-01-31")).status, 200)
    const before = await recordsOf(books)
    await locked(books, "POST", "/invoices", books.body(january))
    await locked(books, "PUT", `/invoices/${draft.id}`, { notes: "n" })
    await locked(books, "PUT", `/invoices/${draft.id}`, { issue_date: "2026-02-01" })
    await locked(books, "DELETE", `/invoices/${draft.id}`)
    await locked(books, "POST", `/invoices/${draft.id}/mark-sent`)
    await locked(books, "POST", `/invoices/${draft.id}/mark-paid`, { payment_date: "2026-02-01" })
    await locked(books, "POST", `/expenses/${expense.id}/convert-to-invoice-item`, { invoice_id: draft.id })
    await locked(books, "PUT", `/invoices/${issued.id}`, { due_date: "2026-03-31" })
    await locked(books, "POST", "/payments", {
      invoice_id: issued.id,
      amount: 1,
      payment_date: "2026-01-31",
      payment_method: "cash"
    })
    await locked(books, "PUT", `/payments/${payment.id}`, { payment_date: "2026-02-01" })
    await locked(books, "DELETE", `/payments/${payment.id}`)
    await locked(books, "POST", "/expenses", { ...before[3]?.[0], expense_date: "2026-01-31" })
    await locked(books, "PUT", `/expenses/${expense.id}`, { category: "travel" })
    await locked(books, "PUT", `/expenses/${expense.id}`, { expense_date: "2026-02-01" })
    await locked(books, "DELETE", `/expenses/${expense.id}`)
    await locked(books, "POST", `/expenses/${expense.id}/mark-paid`, { paid_at: "2026-01-31" })
    await locked(books, "PUT", `/expenses/${paid.id}`, { status: "pending" })
    await locked(books, "POST", `/bank-transactions/${credit.id}/match`, { invoice_id: issued.id })
    await locked(books, "POST", `/bank-transactions/${debit.id}/match`, { exclude: { reason: "fee" } })
    await locked(books, "POST", `/bank-transactions/${debit.id}/create-document`)
    await locked(books, "DELETE", `/bank-accounts/${account}/imports/${session.id}`)
    const more = await importer(app, books)(account, table(...rows, ["2026-01-17", "1,00", "", "c"]))
    assert.deepEqual([more.status, more.body.code], [422, "books_locked"])
    assert.deepEqual(await recordsOf(books), before)
  })

  it("lets the following period settle what the locked one left open", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const issued = await books.issued({ issue_date: "2026-01-31", due_date: "2026-02-28" })
    const expense = await books.spent({ expense_date: "2026-01-31", amount: 100, status: "approved" })
    await lockUntil(books, "2026-01-31")
    const rows = [
      ["2026-02-01", "121,00", "", "a"],
      ["2026-02-02", "-100,00", "", "b"]
    ] as const
    await importer(app, books)(account, table(...rows))
    const [debit, credit] = await books.made("GET", "/bank-transactions")
    await books.made("POST", `/bank-transactions/${credit.id}/match`, { invoice_id: issued.id })
    await books.made("POST", `/bank-transactions/${debit.id}/match`, { expense_id: expense.id })
    const note = await books.made("POST", "/credit-notes", { invoice_id: issued.id, amount: 21, reason: "Late" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    // A file that begins in the locked period adds only its later lines.
    const again = await importer(app, books)(account, table(...rows, ["2026-02-03", "5,00", "", "c"]))
    assert.deepEqual([again.status, again.data.imported], [201, 1])
    await books.made("PUT", `/invoices/${issued.id}`, { metadata: { ledger: "700" } })
  })

  it("refuses refunds and credit notes of today when today is locked", async () => {
    const books = await open()
    const { invoice, payment } = await books.paid()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 21, reason: "Late" })
    await lockUntil(books, today)
    await locked(books, "POST", `/payments/${payment.id}/refund`, { amount: 1 })
    await locked(books, "POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
  })

  it("ends with the day of the organization's time zone for a payment with a time, and with a plain date on that date", async () => {
    for (const [timezone, lastMoment, firstMoment] of [
      ["America/Los_Angeles", "2026-02-01T07:59:59Z", "2026-02-01T08:00:00Z"],
      ["Europe/Brussels", "2026-01-31T22:59:59Z", "2026-02-01T00:00:01+01:00"]
    ] as const) {
      const books = await open({ timezone })
      const { id } = await books.spent({ expense_date: "2026-02-01" })
      await lockUntil(books, "2026-01-31")
      for (const paid_at of ["2026-01-31", lastMoment]) {
        await locked(books, "POST", `/expenses/${id}/mark-paid`, { paid_at })
      }
      await books.made("POST", `/expenses/${id}/mark-paid`, { paid_at: firstMoment })
      const other = await books.spent({ expense_date: "2026-02-01" })
      await books.made("POST", `/expenses/${other.id}/mark-paid`, { paid_at: "2026-02-01" })
    }
  })

  it("keeps the payments of expenses that were paid until then", async () => {
    const books = await open()
    const paid = await books.spent({ expense_date: "2026-02-01", amount: 100 })
    await books.made("POST", `/expenses/${paid.id}/mark-paid`, { paid_at: "2026-01-20" })
    const owed = await books.spent({ expense_date: "2999-01-01", amount: 100 })
    await lockUntil(books, "2026-01-31")
    await locked(books, "PUT", `/expenses/${paid.id}`, { status: "pending" })
    await books.made("PUT", `/expenses/${paid.id}`, { notes: "Paid in January" })
    await lockUntil(books, today)
    await locked(books, "PUT", `/expenses/${owed.id}`, { status: "paid" })
    const { category, currency, description } = owed
    const bought = { category, currency, description, expense_date: "2999-01-01", amount: 5, status: "paid" }
    await locked(books, "POST", "/expenses", bought)
  })

  it("refuses writes that began before the date moved", async () => {
    const books = await open()
    const january = { expense_date: "2026-01-31", category: "rent", amount: 5, currency: "EUR", description: "Rent" }
    await books.made("POST", "/expenses", january)
    const answers = await race(24, (index) =>
      index === 12 ? lockUntil(books, "2026-01-31") : books.call("POST", "/expenses", january)
    )
    for (const { status } of answers) assert.include([200, 201, 422], status)
    const late = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`
          with moved as (
            select seq from audit_entries where organization_id = ${books.id} and canonical like '%"books_locked_until"%')
          select e.seq from audit_entries e, moved
          where e.organization_id = ${books.id} and e.seq > moved.seq and e.canonical like '%expense.created%'`
      }).pipe(Effect.orDie)
    )
    assert.deepEqual(late, [])
  })

  it.each([
    ["of a locked day", "2026-01-31", undefined, 422],
    ["of a locked day, with a key", "2026-01-31", "stale", 422],
    ["of an open day", "2026-02-01", undefined, 201],
    ["of an open day, with a key", "2026-02-01", "stale", 201]
  ])("answers a write %s that knew an earlier date as if it had begun later", async (_, day, key, status) => {
    const books = await open()
    const headers = key === undefined ? {} : { "idempotency-key": key }
    const expense = { expense_date: day, category: "rent", amount: 5, currency: "EUR", description: "Rent" }
    await books.spent({ expense_date: "2026-02-01" })
    const answer = await moveWhileWaiting(books.id, () => books.call("POST", "/expenses", expense, { headers }))
    assert.deepEqual([answer.status, answer.body.code], [status, status === 422 ? "books_locked" : undefined])
    assert.equal((await books.call("GET", "/expenses")).body.meta.total, status === 201 ? 2 : 1)
    if (key === undefined) return
    const again = await books.call("POST", "/expenses", expense, { headers })
    assert.deepEqual([again.text, again.headers.get("idempotency-replayed")], [answer.text, "true"])
  })
})
