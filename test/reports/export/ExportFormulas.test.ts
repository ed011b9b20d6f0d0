import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { paymentBody } from "../../support/Billing.ts"
import { csvRecords } from "../../support/files/CsvRecords.ts"
import { useExpenses } from "../../support/Expenses.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, seedOrganizationToken } from "../../support/database/Seed.ts"

const { app, open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const take = (books: Books, body: object) => books.call("POST", "/reports/export", body)
const csv = async (books: Books, resource: string) => csvRecords((await take(books, { resource })).text)

/** Text that a spreadsheet would evaluate as a formula. */
const formulas = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "=cmd|' /C calc'!A0",
  '="a","b"',
  "\uFF1D1+1",
  "\uFF0B1",
  "\uFF0D1",
  "\uFF20A1"
]
const harmless = ['Café; "Zürich"', "a,b", "two\nlines", "'quoted", "5-3", "日本語", " spaced ", ";=1", "1=1"]

describe("a CSV export", () => {
  it("escapes text that a spreadsheet would evaluate, and keeps all other text", async () => {
    const books = await open()
    for (const description of [...formulas, ...harmless]) await books.spent({ description, vendor: description })
    const records = await csv(books, "expenses")
    const words = records.map(({ description }) => description)
    expect(words).toEqual([...formulas.map((formula) => `'${formula}`), ...harmless])
    const exact = (await take(books, { resource: "expenses", format: "json" })).body.data
    expect(exact.map(({ vendor }: { vendor: string }) => vendor)).toEqual([...formulas, ...harmless])
  })

  it("keeps a negative amount as a number", async () => {
    const books = await open()
    await books.draft({
      items: [
        { description: "a", unit_price: 10 },
        { description: "b", unit_price: -1 }
      ]
    })
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update invoices set rounding_adjustment = -0.01, total = total - 0.01 where organization_id = ${books.id}`
      })
    )
    const { text } = await take(books, { resource: "invoices" })
    expect(text).toContain(",-0.01,")
  })

  it("is safe in every text field of every resource", async () => {
    const books = await open()
    const evil = "=1+1"
    const party = { phone: evil, address_line1: evil, address_line2: evil, city: evil, state: evil, postal_code: evil }
    const customer = await books.made("POST", "/customers", { name: evil, ...party, notes: evil })
    const named = { customer_id: customer.id, notes: evil, terms: evil }
    await books.made("POST", "/contacts", {
      customer_id: customer.id,
      name: evil,
      phone: evil,
      position: evil,
      notes: evil
    })
    await books.made("POST", "/quotes", { ...books.body(named), valid_until: "2999-03-31" })
    const invoice = await books.issued(named)
    const receipt = { reference: evil, notes: evil }
    await books.made("POST", "/payments", paymentBody(invoice.id, 1, receipt))
    await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: evil })
    await books.spent({ category: evil, vendor: evil, description: evil, payment_method: evil, ...receipt })
    const inert: Record<string, number> = {}
    for (const resource of ["customers", "contacts", "quotes", "invoices", "payments", "credit_notes", "expenses"]) {
      const cells = (await csv(books, resource)).flatMap((record) => Object.values(record))
      expect([resource, cells.filter((cell) => cell.startsWith("="))]).toEqual([resource, []])
      inert[resource] = cells.filter((cell) => cell === `'${evil}`).length
    }
    expect(inert).toEqual({
      customers: 8,
      contacts: 5,
      quotes: 3,
      invoices: 3,
      payments: 3,
      credit_notes: 2,
      expenses: 6
    })
  })
})

/** The content of an organization's tables, except its audit chain. */
const state = async (books: Books) => {
  const chain = ["audit_entries", "journals"]
  return (await app.run(digestOf(books.id))).filter(({ table }) => !chain.includes(table))
}

describe("POST /api/v1/reports/export", () => {
  it("audits who exported what, before the first byte and each time, and changes nothing else", async () => {
    const books = await open()
    const body = { resource: "customers", end_date: "2999-12-31" }
    const key = { headers: { "idempotency-key": "export-1" } }
    const before = await state(books)
    const first = await books.call("POST", "/reports/export", body, key)
    expect(await state(books)).toEqual(before)
    await books.made("POST", "/customers", { name: "Gamma" })
    const second = await books.call("POST", "/reports/export", { ...body, format: null }, key)
    expect([csvRecords(first.text).length, csvRecords(second.text).length]).toEqual([1, 2])
    const token = await app.run(seedOrganizationToken(books.id, ["reports:export"]))
    await books.call("POST", "/reports/export", { resource: "payments", format: "json" }, { token })
    const { entries } = await app.run(verifiedAuditLog(books.id))
    const exported = entries.filter(({ action }) => action === "report.exported")
    const period = { start_date: null, end_date: "2999-12-31" }
    expect(exported.map(({ data }) => data)).toEqual([
      { resource: "customers", format: "csv", ...period, records: 1, surface: "api" },
      { resource: "customers", format: "csv", ...period, records: 2, surface: "api" },
      { resource: "payments", format: "json", start_date: null, end_date: null, records: 0, surface: "api" }
    ])
    const [first_actor, , last_actor] = exported.map(({ actor }) => actor)
    expect([first_actor, last_actor?.split(":")[0]]).toEqual([`user:${books.owner.id}`, "token"])
  })

  it("records nothing for a refused export", async () => {
    const books = await open()
    const { token } = await app.run(seedMember(books.id, "viewer"))
    const before = await app.run(digestOf(books.id))
    const reversed = { resource: "invoices", start_date: "2026-01-02", end_date: "2026-01-01" }
    expect((await books.call("POST", "/reports/export", reversed)).status).toBe(422)
    expect((await books.call("POST", "/reports/export", { resource: "invoices" }, { token })).status).toBe(403)
    expect(await app.run(digestOf(books.id))).toEqual(before)
  })
})
