import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { no_details } from "../../support/Billing.ts"
import { useExpenses } from "../../support/Expenses.ts"
import { seedMember, seedOrganizationToken } from "../../support/database/Seed.ts"
import { newLine, openAccount } from "../../banking/Books.ts"
import { csvRecords } from "../../support/files/CsvRecords.ts"

const { app, open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const take = (books: Books, body: object) => books.call("POST", "/reports/export", body)

/** Parses the records of a CSV export, by column name. */
const csv = async (books: Books, body: object) => {
  const { headers, status, text } = await take(books, body)
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
  return csvRecords(text)
}

const json = async (books: Books, body: object) => {
  const answer = await take(books, { ...body, format: "json" })
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
  return answer.body
}

/** The export has amounts as text where the endpoint has numbers, also in lists. */
const withNumbersOf = (own: unknown, said: unknown): unknown => {
  if (typeof own === "number" && typeof said === "string") return Number(said)
  if (typeof own !== "object" || own === null || typeof said !== "object" || said === null) return said
  if (Array.isArray(said)) return said.map((item, index) => withNumbersOf(Object.values(own)[index], item))
  const fields = new Map(Object.entries(own))
  return Object.fromEntries(Object.entries(said).map(([name, item]) => [name, withNumbersOf(fields.get(name), item)]))
}

const parts_of: Readonly<Record<string, ReadonlyArray<string>>> = {
  invoices: ["tax_breakdown"],
  quotes: ["tax_breakdown"],
  credit_notes: ["tax_breakdown"],
  payments: ["refunds"],
  expenses: ["tax_rates"]
}

describe("POST /api/v1/reports/export", () => {
  it("writes a CSV file with a byte order mark, CRLF, and one line per record in the order of creation", async () => {
    const books = await open()
    await books.issued({ notes: "first" })
    const draft = await books.draft({ issue_date: "2026-01-01", currency: "JPY" })
    const { headers, text } = await take(books, { resource: "invoices" })
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="invoices-\d{4}-\d\d-\d\d\.csv"/)
    // Decoding the answer to text would remove the byte order mark, so the bytes are compared.
    const bytes = await fetch(`${app.url}/api/v1/reports/export`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${books.owner.token}`,
        "x-organization-id": String(books.id),
        "content-type": "application/json"
      },
      body: JSON.stringify({ resource: "invoices" })
    })
    expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(text.split("\r\n").length).toBe(4)
    expect(text.endsWith("\r\n")).toBe(true)
    const [first, second] = csvRecords(text)
    expect(first).toMatchObject({
      number: "INV-2026-0001",
      status: "sent",
      customer_name: "Beta",
      issue_date: "2026-03-01",
      subtotal: "100.00",
      tax_total: "21.00",
      total: "121.00",
      amount_paid: "0.00",
      balance_due: "121.00",
      notes: "first"
    })
    expect(second).toMatchObject({ id: String(draft.id), number: "", status: "draft", total: "121", currency: "JPY" })
  })

  it("writes JSON with ids as numbers, amounts as decimal strings, and the number of records", async () => {
    const books = await open()
    const { invoice, payment } = await books.paid()
    const { data, meta, success } = await json(books, { resource: "payments" })
    expect([success, meta.resource, meta.count]).toEqual([true, "payments", 1])
    expect(meta.generated_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(data).toEqual([
      {
        id: payment.id,
        invoice_id: invoice.id,
        invoice_number: invoice.number,
        customer_id: books.customer_id,
        customer_name: "Beta",
        payment_date: "2026-03-05",
        amount: "121.00",
        refunded_amount: "0.00",
        refunds: [],
        currency: "EUR",
        status: "completed",
        payment_method: "bank_transfer",
        reference: null,
        notes: null,
        bank_transaction_id: null,
        is_prepayment: false,
        external_id: null,
        metadata: {},
        created_at: payment.created_at,
        updated_at: payment.updated_at
      }
    ])
    expect(await json(books, { resource: "quotes" })).toMatchObject({ success: true, data: [], meta: { count: 0 } })
  })

  it("exports every resource with the values that its own endpoint answers", async () => {
    const books = await open()
    await books.made("POST", "/contacts", { customer_id: books.customer_id, name: "Els", is_primary: true })
    const offer = { ...books.body(), valid_until: "2026-03-31" }
    const quote = await books.made("POST", "/quotes", offer)
    await books.made("POST", `/quotes/${quote.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    await books.issued({ due_date: "2026-03-31", currency: "USD", exchange_rate: 0.91 })
    await books.issued({
      delivery_period: { start: "2026-02-01", end: "2026-02-28" },
      delivery_address: { country: "BE" },
      purchase_order: "=1+1",
      payment_means: { method: "cash" },
      prepaid_amount: 21
    })
    const { invoice, payment } = await books.paid()
    await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
    const credit = { invoice_id: invoice.id, amount: 10, reason: "Late" }
    await books.made("POST", "/credit-notes", credit)
    const note = await books.made("POST", "/credit-notes", credit)
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    const taxed = { tax_amount: 20.55, is_vat_deductible: true, vat_deductible_percentage: 33.5, is_billable: true }
    await books.spent({ ...taxed, tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }] })
    await books.spent({ currency: "BHD", amount: 1.005, is_vat_deductible: true, tax_amount: 0.333 })
    await books.spent()
    const account = await openAccount(app, books.id)
    await books.made(
      "POST",
      `/bank-transactions/${await newLine(app, books, account, "-12,50", "=1+1")}/create-document`
    )
    await newLine(app, books, account, "121,00")
    for (const [resource, path] of Object.entries({
      invoices: "invoices",
      quotes: "quotes",
      customers: "customers",
      contacts: "contacts",
      payments: "payments",
      expenses: "expenses",
      credit_notes: "credit-notes",
      bank_transactions: "bank-transactions"
    })) {
      const { data, meta } = await json(books, { resource })
      expect([resource, data.length]).toEqual([resource, meta.count])
      expect(meta.count).toBeGreaterThan(0)
      for (const exported of data) {
        const record = await books.made("GET", `/${path}/${exported.id}`)
        const shared = Object.keys(exported).filter((name) => name in record)
        const details = Object.keys(no_details).filter((name) => name in record)
        expect(shared).toEqual(expect.arrayContaining(details))
        expect(shared.length).toBeGreaterThan(8)
        for (const name of shared) {
          expect([resource, name, withNumbersOf(record[name], exported[name])]).toEqual([resource, name, record[name]])
        }
        const parts = Object.keys(exported).filter((name) => /^(tax_breakdown|tax_rates|refunds)$/.test(name))
        expect([resource, parts]).toEqual([resource, parts_of[resource] ?? []])
      }
    }
    const [fils] = (await json(books, { resource: "expenses" })).data.slice(1)
    expect([fils.amount, fils.deductible_tax_amount]).toEqual(["1.005", "0.333"])
  })

  it("selects a period by the date of documents, or by the creation day of customers", async () => {
    const books = await open({ timezone: "Pacific/Kiritimati" })
    for (const issue_date of ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"])
      await books.issued({ issue_date })
    const february = { start_date: "2026-02-01", end_date: "2026-02-28" }
    const days = (await csv(books, { resource: "invoices", ...february })).map(({ issue_date }) => issue_date)
    expect(days).toEqual(["2026-02-01", "2026-02-28"])
    expect((await csv(books, { resource: "invoices", start_date: "2026-03-01" })).length).toBe(1)
    expect((await csv(books, { resource: "invoices", end_date: "2026-01-31" })).length).toBe(1)
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // In the organization's time zone, this moment is already on the first of March.
        yield* sql`update customers set created_at = '2026-02-28T10:30:00Z' where id = ${books.customer_id}`
      })
    )
    expect((await csv(books, { resource: "customers", ...february })).length).toBe(0)
    const march = { resource: "customers", start_date: "2026-03-01", end_date: "2026-03-01" }
    expect((await csv(books, march)).length).toBe(1)
  })

  it("exports a draft credit note without its reserved number, and in no period", async () => {
    const books = await open()
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 10, reason: "Late" })
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update credit_notes set number = 'CN-9', sequence = 9, issue_date = '2026-03-02' where id = ${note.id}`
      })
    )
    expect(await csv(books, { resource: "credit_notes" })).toMatchObject([
      { number: "", issue_date: "", status: "draft" }
    ])
    expect(await csv(books, { resource: "credit_notes", start_date: "2026-01-01" })).toEqual([])
  })

  it("exports every record once over many portions, and no record of another organization", async () => {
    const [books, theirs] = [await open(), await open()]
    const count = 2_500
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const id of [books.id, theirs.id]) {
          yield* sql`insert into customers (organization_id, name, search)
            select ${id}, 'Many ' || n, '' from generate_series(1, ${count}) n`
        }
      })
    )
    const names = (await csv(books, { resource: "customers" })).map(({ name }) => name)
    expect(names).toEqual(["Beta", ...Array.from({ length: count }, (_, index) => `Many ${index + 1}`)])
    const { data, meta } = await json(books, { resource: "customers" })
    expect([data.length, meta.count]).toEqual([count + 1, count + 1])
  })

  it("answers 422 for a missing or unknown resource, another format, and a period in the wrong order", async () => {
    const books = await open()
    for (const [body, fields] of [
      [{}, ["resource"]],
      [{ resource: "secrets" }, ["resource"]],
      [{ resource: "invoices", format: "xml", start_date: "2026-02-30" }, ["format", "start_date"]],
      [{ resource: "invoices", start_date: "2026-01-02", end_date: "2026-01-01" }, ["end_date"]]
    ] as const) {
      const answer = await take(books, body)
      expect([body, answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([body, 422, fields])
    }
  })

  it("requires the scope and the role owner, admin or accountant, and works for an archived organization", async () => {
    const books = await open()
    const statuses: Record<string, number> = {}
    for (const role of ["admin", "accountant", "member", "viewer"] as const) {
      const { token } = await app.run(seedMember(books.id, role))
      const answer = await books.call("POST", "/reports/export", { resource: "customers" }, { token })
      const report = await books.call("GET", "/reports/top-customers", undefined, { token })
      statuses[role] = answer.status
      statuses[`${role} reads`] = report.status
    }
    expect(statuses).toEqual({
      admin: 200,
      "admin reads": 200,
      accountant: 200,
      "accountant reads": 200,
      member: 403,
      "member reads": 403,
      viewer: 403,
      "viewer reads": 200
    })
    const token = await app.run(seedOrganizationToken(books.id, ["reports:read"]))
    const { body } = await books.call("POST", "/reports/export", { resource: "customers" }, { token })
    expect(body.required_scope).toBe("reports:export")
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update organizations set archived_at = now() where id = ${books.id}`
      })
    )
    expect((await take(books, { resource: "customers" })).status).toBe(200)
  })
})
