import { beforeAll, describe, expect, it } from "vitest"
import { race, statuses } from "../support/Billing.ts"
import { expenseBody, type ExpenseBooks, useExpenses } from "../support/Expenses.ts"
import { seedMember } from "../support/database/Seed.ts"

const { app, historyOf, open } = useExpenses()
let books: ExpenseBooks
beforeAll(async () => {
  books = await open()
})

const count = async () => (await books.call("GET", "/expenses")).body.meta.total
const put = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  books.call("PUT", `/expenses/${id}`, body, { headers })

const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Brussels" }).format(Date.now())

const lunch = {
  expense_date: "2026-02-27",
  category: "meals",
  amount: 118.4,
  tax_amount: 20.55,
  tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }],
  currency: "EUR",
  country: "BE",
  vendor: "Café Zürich",
  description: "Lunch",
  is_vat_deductible: true,
  vat_deductible_percentage: 50,
  payment_method: "card",
  reference: "T-0091"
}

describe("POST /api/v1/expenses", () => {
  it("answers 201 with the tax split, as GET does, and emits expense.created", async () => {
    const { body, headers, status } = await books.call("POST", "/expenses", lunch)
    const { created_at, id, updated_at, ...expense } = body.data
    expect([status, headers.get("etag"), created_at]).toEqual([201, '"v1"', updated_at])
    expect(expense).toEqual({
      ...lunch,
      exchange_rate: null,
      net_amount: 97.85,
      deductible_tax_amount: 10.28,
      non_deductible_tax_amount: 10.27,
      receipt_path: null,
      is_billable: false,
      billed_invoice_id: null,
      billed_item_id: null,
      linked_invoice_id: null,
      status: "pending",
      paid_at: null,
      payment_reference: null,
      notes: null,
      bank_transaction_id: null,
      external_id: null,
      metadata: {},
      version: 1
    })
    const read = await books.call("GET", `/expenses/${id}`)
    expect([read.body.data, read.headers.get("etag")]).toEqual([body.data, expect.stringMatching(/^"v1\./)])
    const { actions, events } = await historyOf(books.id, id)
    expect(actions).toEqual(["expense.created"])
    expect(events.map(({ data, type }) => [type, data])).toEqual([
      ["expense.created", { object: "expense", id, attributes: body.data }]
    ])
  })

  it("treats omitted and null fields alike", async () => {
    const given = { vendor: null, tax_amount: null, tax_rates: null, is_billable: null, status: null, country: null }
    const expected = { net_amount: 118.4, tax_amount: null, tax_rates: [], status: "pending", is_billable: false }
    const none = { is_vat_deductible: false, vat_deductible_percentage: 0, deductible_tax_amount: 0, country: null }
    for (const changes of [{}, given]) expect(await books.spent(changes)).toMatchObject({ ...expected, ...none })
    const deductible = await books.spent({ tax_amount: "20.55", is_vat_deductible: true })
    expect(deductible).toMatchObject({ vat_deductible_percentage: 100, deductible_tax_amount: 20.55 })
    expect(deductible).toMatchObject({ non_deductible_tax_amount: 0, net_amount: 97.85 })
    const kept = await books.spent({ tax_amount: 20.55, vat_deductible_percentage: 50 })
    expect(kept).toMatchObject({ is_vat_deductible: false, deductible_tax_amount: 0, non_deductible_tax_amount: 20.55 })
  })

  it("sums the tax rows when the tax is absent, and accepts rows that are off by a cent each", async () => {
    const rows = [
      { rate: 21, taxable_amount: 50, tax_amount: 10.5 },
      { rate: 6, taxable_amount: 20, tax_amount: 1.2 }
    ]
    expect(await books.spent({ tax_rates: rows })).toMatchObject({ tax_amount: 11.7, net_amount: 106.7 })
    expect(await books.spent({ tax_rates: rows, tax_amount: 11.72 })).toMatchObject({ tax_amount: 11.72 })
    const { body, status } = await books.call("POST", "/expenses", expenseBody({ tax_rates: rows, tax_amount: 11.73 }))
    expect([status, Object.keys(body.errors)]).toEqual([422, ["tax_rates"]])
  })

  it("accepts any category and any payment method", async () => {
    for (const category of ["travel", "Hundefutter & Leinen", "x".repeat(64)]) {
      expect(await books.spent({ category, payment_method: "Firmenkarte" })).toMatchObject({ category })
    }
  })

  it("is paid from the start when its status is paid", async () => {
    const { created_at, paid_at } = await books.spent({ status: "paid" })
    expect(paid_at).toBe(created_at)
  })

  it("answers 422 for missing or invalid fields, and stores nothing", async () => {
    const before = await count()
    const row = { rate: 21, taxable_amount: 1, tax_amount: 0.21 }
    const discount = { rate: 0, taxable_amount: -10, tax_amount: 0 }
    const contradictory = ["tax_rates.0.tax_amount", "tax_rates.0.taxable_amount"]
    for (const [changes, ...fields] of [
      [{ expense_date: undefined }, "expense_date"],
      [{ expense_date: "2026-02-30" }, "expense_date"],
      [{ category: undefined }, "category"],
      [{ category: " " }, "category"],
      [{ category: "x".repeat(65) }, "category"],
      [{ amount: undefined }, "amount"],
      [{ amount: 0 }, "amount"],
      [{ amount: -1, tax_amount: 0.21 }, "tax_amount"],
      [{ amount: -1, tax_amount: -1.01 }, "tax_amount"],
      [{ amount: -118.4, tax_rates: [row] }, "tax_amount", "tax_rates.0.taxable_amount", "tax_rates.0.tax_amount"],
      [{ amount: 1.005 }, "amount"],
      [{ amount: 100.5, currency: "JPY" }, "amount"],
      [{ amount: 1e12 }, "amount"],
      [{ currency: undefined }, "currency"],
      [{ currency: "EURO" }, "currency"],
      [{ description: undefined }, "description"],
      [{ description: "" }, "description"],
      [{ country: "XX" }, "country"],
      [{ tax_amount: 118.41 }, "tax_amount"],
      [{ tax_amount: -1 }, "tax_amount"],
      [{ tax_amount: 1.005 }, "tax_amount"],
      [{ vat_deductible_percentage: 100.01 }, "vat_deductible_percentage"],
      [{ vat_deductible_percentage: -1 }, "vat_deductible_percentage"],
      [{ tax_rates: [{ ...row, rate: 101 }] }, "tax_rates.0.rate"],
      [{ tax_rates: [row, { rate: 21, taxable_amount: 0.005, tax_amount: 0 }] }, "tax_rates.1.taxable_amount"],
      [{ amount: 121, tax_rates: [{ rate: 21, taxable_amount: 100, tax_amount: 99 }] }, ...contradictory],
      [{ amount: 121, tax_rates: [{ rate: 21, taxable_amount: 200, tax_amount: 42 }] }, contradictory[1]],
      [{ tax_rates: [{ ...row, tax_amount: 119 }] }, ...contradictory, "tax_amount"],
      [{ amount: 119, tax_rates: [{ rate: 19, taxable_amount: 100, tax_amount: 18 }] }, contradictory[0]],
      [{ tax_rates: Array.from({ length: 21 }, () => row) }, "tax_rates"],
      [
        { amount: 119.6, tax_rates: [{ rate: 0, taxable_amount: 107.85, tax_amount: 0 }, discount] },
        "tax_rates.1.taxable_amount"
      ],
      [{ tax_rates: [{ ...row, tax_amount: -20.55, taxable_amount: 138.95 }] }, "tax_amount", "tax_rates.0.tax_amount"],
      [{ tax_amount: 5, tax_rates: [row] }, "tax_rates"],
      [{ status: "open" }, "status"],
      [{ is_billable: "perhaps" }, "is_billable"],
      [{ notes: "n".repeat(5_001) }, "notes"],
      [{ amount: 0.001, tax_amount: 0.001 }, "amount", "tax_amount"]
    ] as const) {
      const { body, status } = await books.call("POST", "/expenses", expenseBody(changes))
      expect([changes, status, Object.keys(body.errors ?? {})]).toEqual([changes, 422, fields])
    }
    expect(await count()).toBe(before)
  })

  it("locks the organization's currency, unless the expense is refused", async () => {
    const own = await open()
    const currency = (code: string) => own.call("PUT", `/organizations/${own.id}`, { currency: code })
    await own.call("POST", "/expenses", expenseBody({ amount: 0 }))
    expect((await currency("USD")).status).toBe(200)
    const { id } = await own.spent()
    await own.made("DELETE", `/expenses/${id}`)
    expect((await currency("EUR")).body).toMatchObject({ code: "currency_locked" })
  })

  it("creates one expense from sixteen requests with one Idempotency-Key", async () => {
    const before = await count()
    const headers = { "idempotency-key": "receipt-1" }
    const answers = await race(16, () => books.call("POST", "/expenses", lunch, { headers }))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const again = await books.call("POST", "/expenses", lunch, { headers })
    expect([again.status, again.headers.get("idempotency-replayed"), await count()]).toEqual([201, "true", before + 1])
  })
})

describe("PUT /api/v1/expenses/{id}", () => {
  it("answers 200 with every field changed and a new version, and null clears optional fields", async () => {
    const { id } = await books.spent()
    const given = { ...lunch, expense_date: "2026-03-01", notes: "n", is_billable: true, status: "approved" }
    const { body, headers, status } = await put(id, given)
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    expect(body.data).toMatchObject({ ...given, deductible_tax_amount: 10.28 })
    expect(await books.expense(id)).toEqual(body.data)
    const cleared = { vendor: null, notes: null, country: null, tax_amount: null, tax_rates: null, reference: null }
    const { body: after } = await put(id, cleared)
    expect(after.data).toMatchObject({ ...cleared, tax_rates: [], net_amount: 118.4, category: "meals", version: 3 })
    expect((await put(id, {})).body.data).toEqual(after.data)
    expect((await historyOf(books.id, id)).actions).toEqual(["expense.created", "expense.updated", "expense.updated"])
  })

  it("recalculates the tax split", async () => {
    const { id } = await books.spent(lunch)
    const changed = async (changes: object) => (await put(id, changes)).body.data
    expect(await changed({ vat_deductible_percentage: 25 })).toMatchObject({ deductible_tax_amount: 5.14 })
    expect(await changed({ vat_deductible_percentage: null })).toMatchObject({ vat_deductible_percentage: 100 })
    expect(await changed({ is_vat_deductible: false })).toMatchObject({ deductible_tax_amount: 0 })
    const rows = [{ rate: 6, taxable_amount: 100, tax_amount: 6 }]
    expect(await changed({ tax_rates: rows })).toMatchObject({ tax_amount: 6, net_amount: 112.4 })
    expect(await changed({ tax_rates: [] })).toMatchObject({ tax_amount: 6, tax_rates: [] })
  })

  it("removes the payment when the status changes", async () => {
    const { id } = await books.spent()
    await books.act({ id }, "mark-paid", { payment_reference: "E2E-1" })
    const { body } = await put(id, { status: "approved" })
    expect(body.data).toMatchObject({ status: "approved", paid_at: null, payment_reference: null })
  })

  it("answers 422 like POST, and changes nothing", async () => {
    const expense = await books.spent(lunch)
    for (const [changes, field] of [
      [{ amount: 20 }, "tax_amount"],
      [{ tax_amount: 5 }, "tax_rates"],
      [{ currency: "JPY" }, "amount"],
      [{ expense_date: null }, "expense_date"],
      [{ category: "" }, "category"],
      [{ status: "done" }, "status"]
    ] as const) {
      const { body, status } = await put(expense.id, changes)
      expect([status, Object.keys(body.errors)]).toEqual([422, expect.arrayContaining([field])])
    }
    expect(await books.expense(expense.id)).toEqual(expense)
  })

  it("answers 412 to an If-Match of another version, and accepts one of eight concurrent writers", async () => {
    const { id } = await books.spent()
    const refused = await put(id, { notes: "lost" }, { "if-match": '"v2"' })
    expect([refused.status, refused.body.details]).toEqual([412, { version: 1 }])
    const answers = await race(8, (index) => put(id, { notes: `writer ${index}` }, { "if-match": '"v1"' }))
    expect(statuses(answers)).toEqual({ 200: 1, 412: 7 })
    const gone = await books.call("DELETE", `/expenses/${id}`, undefined, { headers: { "if-match": '"v1"' } })
    expect([gone.status, (await books.expense(id)).version]).toEqual([412, 2])
  })
})

describe("DELETE /api/v1/expenses/{id}", () => {
  it("answers 200, and 404 for the deleted expense from then on", async () => {
    const { id } = await books.spent()
    const removed = await books.call("DELETE", `/expenses/${id}`)
    expect([removed.status, removed.body.data]).toEqual([200, { id }])
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { body, status } = await books.call(method, `/expenses/${id}`, method === "PUT" ? {} : undefined)
      expect([method, status, body.code]).toEqual([method, 404, "not_found"])
    }
    expect((await books.act({ id }, "duplicate")).status).toBe(404)
    expect((await historyOf(books.id, id)).actions).toEqual(["expense.created", "expense.deleted"])
  })

  it("answers 422 for a paid or invoiced expense, and keeps it", async () => {
    const paid = await books.spent({ status: "paid" })
    const { expense: billed } = await books.billed()
    for (const expense of [paid, billed]) {
      const { body, status } = await books.call("DELETE", `/expenses/${expense.id}`)
      const { billed_invoice_id } = expense
      expect([status, body.code, body.details]).toEqual([
        422,
        "expense_locked",
        { status: expense.status, billed_invoice_id }
      ])
      expect(await books.expense(expense.id)).toEqual(expense)
    }
  })

  it("lets a member delete only drafts of their own", async () => {
    const { token } = await app.run(seedMember(books.id, "member"))
    const as = (method: string, path: string, body?: unknown) => books.call(method, path, body, { token })
    const own = (await as("POST", "/expenses", expenseBody({ status: "draft" }))).body.data
    const pending = (await as("POST", "/expenses", expenseBody())).body.data
    const foreign = await books.spent({ status: "draft" })
    for (const { id } of [pending, foreign]) {
      expect((await as("DELETE", `/expenses/${id}`)).body).toMatchObject({ code: "forbidden" })
      expect((await books.expense(id)).id).toBe(id)
    }
    expect((await as("DELETE", `/expenses/${own.id}`)).status).toBe(200)
  })
})

describe("POST /api/v1/expenses/{id}/duplicate", () => {
  it("answers 201 with a copy dated today, without status, reference, receipt and links of the original", async () => {
    const { expense } = await books.billed({ ...lunch, notes: "n" })
    await books.act(expense, "mark-paid", { payment_reference: "E2E-1" })
    const original = await books.expense(expense.id)
    const first = today()
    const { body, headers, status } = await books.act(original, "duplicate")
    expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
    const { created_at, expense_date, id, updated_at, ...copy } = body.data
    expect(copy).toEqual({
      ...Object.fromEntries(Object.keys(copy).map((key) => [key, original[key]])),
      status: "pending",
      reference: null,
      paid_at: null,
      payment_reference: null,
      billed_invoice_id: null,
      billed_item_id: null,
      version: 1
    })
    expect([first, today()]).toContain(expense_date)
    expect([created_at, await books.expense(original.id)]).toEqual([updated_at, original])
    expect((await historyOf(books.id, id)).events.map(({ type }) => type)).toEqual(["expense.created"])
  })
})
