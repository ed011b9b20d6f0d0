import { beforeAll, describe, expect, it } from "vitest"
import { race, statuses } from "../support/Billing.ts"
import { expenseBody, type ExpenseBooks, useExpenses } from "../support/Expenses.ts"
import { seedMember } from "../support/database/Seed.ts"

const { app, historyOf, open } = useExpenses()
let books: ExpenseBooks

beforeAll(async () => {
  books = await open()
})

describe("PUT /api/v1/expenses/{id} of a settled expense", () => {
  it("answers 422 for another amount or currency of a paid one, until its status is set back", async () => {
    const books = await open()
    const { id } = await books.spent({ status: "paid", tax_amount: 20.55 })
    for (const changes of [{ amount: 100 }, { currency: "USD" }]) {
      const { body, status } = await books.call("PUT", `/expenses/${id}`, changes)
      expect([status, body.code]).toEqual([422, "expense_locked"])
    }
    expect(await books.made("PUT", `/expenses/${id}`, { notes: "n", tax_amount: 18 })).toMatchObject({ amount: 118.4 })
    expect(await books.made("PUT", `/expenses/${id}`, { status: "pending", amount: 100 })).toMatchObject({
      amount: 100
    })
  })

  it("answers 422 for other amounts of an invoiced one, until the line is removed", async () => {
    const books = await open()
    const { id } = await books.spent({ tax_amount: 20.55 })
    const { id: invoice_id, items } = await books.draft()
    await books.made("POST", `/expenses/${id}/convert-to-invoice-item`, { invoice_id })
    for (const changes of [{ amount: 100 }, { tax_amount: 0 }, { currency: "USD" }]) {
      const { body, status } = await books.call("PUT", `/expenses/${id}`, changes)
      expect([status, body.code]).toEqual([422, "expense_locked"])
    }
    await books.made("PUT", `/expenses/${id}`, { category: "travel" })
    await books.made("PUT", `/invoices/${invoice_id}`, { items })
    expect(await books.made("PUT", `/expenses/${id}`, { amount: 100 })).toMatchObject({ amount: 100 })
  })
})

describe("POST /api/v1/expenses/{id}/mark-paid", () => {
  it("answers 200 from every open status, with the payment details that were sent", async () => {
    for (const state of ["draft", "pending", "approved"]) {
      const expense = await books.spent({ status: state, payment_method: "card", reference: "T-0091" })
      const given = { paid_at: "2026-03-01", payment_method: "bank_transfer", payment_reference: "E2E-77" }
      const { body, headers, status } = await books.act(expense, "mark-paid", given)
      expect([state, status, headers.get("etag")]).toEqual([state, 200, '"v2"'])
      const paid = { ...given, status: "paid", paid_at: "2026-02-28T23:00:00.000Z", version: 2 }
      expect(body.data).toEqual({ ...expense, ...paid, updated_at: expect.any(String) })
      expect(await books.expense(expense.id)).toEqual(body.data)
      expect((await historyOf(books.id, expense.id)).actions).toEqual(["expense.created", "expense.paid"])
    }
  })

  it("accepts the first and the last time of all", async () => {
    for (const paid_at of ["1900-01-01", "9999-12-31T23:59:59.999Z"]) {
      const { body } = await books.act(await books.spent(), "mark-paid", { paid_at })
      expect(body.data.paid_at).toContain(paid_at)
    }
  })

  it("defaults to the current time and the expense's own details", async () => {
    for (const given of [undefined, {}, { paid_at: null, payment_method: null, payment_reference: null }]) {
      const { body } = await books.act(await books.spent({ payment_method: "card" }), "mark-paid", given)
      const { paid_at, updated_at } = body.data
      expect([body.data.payment_method, body.data.payment_reference, paid_at]).toEqual(["card", null, updated_at])
    }
  })

  it("answers 422 already_paid the second time, and 422 for an invalid time, and changes nothing", async () => {
    const open = await books.spent()
    for (const given of [{ paid_at: "yesterday" }, { paid_at: 5 }, { payment_reference: "x".repeat(256) }]) {
      const { body, status } = await books.act(open, "mark-paid", given)
      expect([status, Object.keys(body.errors)]).toEqual([422, Object.keys(given)])
    }
    expect(await books.expense(open.id)).toEqual(open)
    const paid = await books.spent({ status: "paid" })
    const { body, status } = await books.act(paid, "mark-paid", { payment_reference: "E2E-2" })
    expect([status, body.code]).toEqual([422, "already_paid"])
    expect(await books.expense(paid.id)).toEqual(paid)
  })

  it("pays once when eight requests pay concurrently", async () => {
    for (let round = 0; round < 4; round++) {
      const expense = await books.spent()
      const answers = await race(8, (index) => books.act(expense, "mark-paid", { payment_reference: `E2E-${index}` }))
      expect(statuses(answers)).toEqual({ 200: 1, 422: 7 })
      const [paid] = answers.filter(({ status }) => status === 200)
      expect(await books.expense(expense.id)).toEqual(paid?.body.data)
      expect((await historyOf(books.id, expense.id)).actions).toEqual(["expense.created", "expense.paid"])
    }
  })

  it("stays consistent when the expense is deleted at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const expense = await books.spent()
      const [paid, gone] = await Promise.all([
        books.act(expense, "mark-paid"),
        books.call("DELETE", `/expenses/${expense.id}`)
      ])
      expect([
        [200, 422],
        [404, 200]
      ]).toContainEqual([paid.status, gone.status])
      expect((await books.call("GET", `/expenses/${expense.id}`)).status).toBe(paid.status)
    }
  })
})

describe("POST /api/v1/expenses/{id}/mark-billable", () => {
  it("answers 200, and 200 without a new version when repeated", async () => {
    const expense = await books.spent()
    const { body, status } = await books.act(expense, "mark-billable")
    const changes = { is_billable: true, version: 2, updated_at: expect.any(String) }
    expect([status, body.data]).toEqual([200, { ...expense, ...changes }])
    expect((await books.act(expense, "mark-billable", {})).body.data).toEqual(body.data)
    expect((await historyOf(books.id, expense.id)).actions).toEqual(["expense.created", "expense.marked_billable"])
  })
})

describe("a rejected expense", () => {
  it("is neither paid nor billed: 422 expense_rejected, and nothing changes", async () => {
    const expense = await books.spent({ status: "rejected" })
    const { id: invoice_id } = await books.draft()
    for (const [action, body] of [
      ["mark-paid", {}],
      ["convert-to-invoice-item", { invoice_id }]
    ] as const) {
      const { body: refused, status } = await books.act(expense, action, body)
      expect([action, status, refused.code]).toEqual([action, 422, "expense_rejected"])
    }
    const { body, status } = await books.call("PUT", `/expenses/${expense.id}`, { status: "paid", amount: 5 })
    expect([status, body.code]).toEqual([422, "expense_rejected"])
    expect(await books.expense(expense.id)).toEqual(expense)
    expect((await books.invoice(invoice_id)).items).toHaveLength(1)
  })
})

describe("a billed expense", () => {
  it("is not rejected, neither when it is open nor when it is paid: 422 expense_locked", async () => {
    for (const state of ["approved", "paid"]) {
      const { expense } = await books.billed({ status: state })
      const { body, status } = await books.call("PUT", `/expenses/${expense.id}`, { status: "rejected" })
      expect([status, body.code]).toEqual([422, "expense_locked"])
      expect(await books.expense(expense.id)).toEqual(expense)
    }
  })
})

describe("an expense of another organization", () => {
  it("is answered with the same 404 as a missing one by every action, and stays unchanged", async () => {
    const other = await open()
    const foreign = await other.spent()
    const { id: invoice_id } = await books.draft()
    const none = await books.call("GET", "/expenses/999999999")
    for (const [method, action, body] of [
      ["GET", ""],
      ["PUT", "", { notes: "n" }],
      ["DELETE", ""],
      ["POST", "/convert-to-invoice-item", { invoice_id }],
      ["POST", "/duplicate"],
      ["POST", "/link-to-invoice", { invoice_id }],
      ["POST", "/mark-billable"],
      ["POST", "/mark-paid", {}]
    ] as const) {
      const { status, text } = await books.call(method, `/expenses/${foreign.id}${action}`, body)
      expect([action, status, text]).toEqual([action, 404, none.text])
    }
    expect(await other.expense(foreign.id)).toEqual(foreign)
    expect((await books.invoice(invoice_id)).items).toHaveLength(1)
  })
})

describe("access to expenses", () => {
  it("lets a viewer read, and lets only callers with expenses:write change", async () => {
    const { id } = await books.spent()
    const viewer = await app.run(seedMember(books.id, "viewer"))
    const reader = await app.run(seedMember(books.id, "owner", ["expenses:read"]))
    const as = (token: string, method: string, path: string, body?: unknown) =>
      books.call(method, path, body, { token })
    for (const { token } of [viewer, reader]) {
      expect((await as(token, "GET", `/expenses/${id}`)).status).toBe(200)
      expect((await as(token, "GET", "/expenses")).status).toBe(200)
      for (const [method, path] of [
        ["POST", "/expenses"],
        ["PUT", `/expenses/${id}`],
        ["DELETE", `/expenses/${id}`],
        ["POST", `/expenses/${id}/duplicate`],
        ["POST", `/expenses/${id}/mark-paid`],
        ["POST", `/expenses/${id}/mark-billable`],
        ["POST", `/expenses/${id}/link-to-invoice`],
        ["POST", `/expenses/${id}/convert-to-invoice-item`]
      ] as const) {
        expect([path, (await as(token, method, path, expenseBody())).status]).toEqual([path, 403])
      }
    }
    expect((await books.expense(id)).version).toBe(1)
  })
})
