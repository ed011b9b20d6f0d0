import { beforeAll, describe, expect, it } from "vitest"
import { newLine, openAccount } from "../banking/Books.ts"
import { type ExpenseBooks, useExpenses } from "../support/Expenses.ts"

const { app, open } = useExpenses()
let books: ExpenseBooks
let ids: Readonly<Record<string, number>>

const spend = async (description: string, changes: object) => [
  description,
  (await books.spent({ description, ...changes })).id
]

beforeAll(async () => {
  books = await open()
  ids = Object.fromEntries([
    await spend("lunch", { expense_date: "2026-01-10", vendor: "Café Zürich", reference: "T-0091" }),
    await spend("train", { expense_date: "2026-02-10", category: "travel", vendor: "SNCB", is_billable: true }),
    await spend("hotel", {
      expense_date: "2026-02-10",
      category: "travel",
      status: "draft",
      vendor: "Hôtel Métropole"
    }),
    await spend("desk", { expense_date: "2026-03-01", category: "equipment", status: "paid" }),
    await spend("gift from Cafe Central", { expense_date: "2026-03-02", status: "approved", vendor: "50%_off" })
  ])
  const { id: invoice_id } = await books.draft()
  await books.act({ id: ids["train"] ?? 0 }, "convert-to-invoice-item", { invoice_id })
  const line = await newLine(app, books, await openAccount(app, books.id), "-18.40")
  await books.made("POST", `/bank-transactions/${line}/match`, { expense_id: ids["hotel"] })
  const { id } = await books.spent({ description: "deleted" })
  await books.made("DELETE", `/expenses/${id}`)
  await (await open()).spent({ description: "foreign" })
})

const found = async (query: string): Promise<ReadonlyArray<string>> => {
  const { body } = await books.call("GET", `/expenses?${query}`)
  expect([query, body.meta?.total]).toEqual([query, body.data?.length])
  return body.data.map(({ description }: { description: string }) => description)
}

const all = ["gift from Cafe Central", "desk", "hotel", "train", "lunch"]

describe("GET /api/v1/expenses", () => {
  it("answers the organization's own expenses, newest first, each as GET answers it", async () => {
    expect(await found("")).toEqual(all)
    const { data } = (await books.call("GET", "/expenses")).body
    for (const expense of data) expect(await books.expense(expense.id)).toEqual(expense)
  })

  it.each([
    ["category=travel", ["hotel", "train"]],
    ["category=Travel", []],
    ["date_from=2026-02-10", ["gift from Cafe Central", "desk", "hotel", "train"]],
    ["date_to=2026-02-10", ["hotel", "train", "lunch"]],
    ["date_from=2026-02-10&date_to=2026-02-10&category=travel", ["hotel", "train"]],
    ["date_from=2026-03-01&date_to=2026-02-01", []],
    ["status=draft", ["hotel"]],
    ["status=paid", ["desk"]],
    ["status=pending", ["train", "lunch"]],
    ["is_billable=true", ["train"]],
    ["is_billable=no", ["gift from Cafe Central", "desk", "hotel", "lunch"]],
    ["billed=yes", ["train"]],
    ["billed=no", ["gift from Cafe Central", "desk", "hotel", "lunch"]],
    ["billed=0&is_billable=1", []],
    ["reconciled=true", ["hotel"]],
    ["reconciled=false", ["gift from Cafe Central", "desk", "train", "lunch"]],
    ["search=CAFE", ["gift from Cafe Central", "lunch"]],
    ["search=t-0091", ["lunch"]],
    ["search=metropole", ["hotel"]],
    ["search=%25", ["gift from Cafe Central"]],
    ["search=%20", all],
    ["vendor=cafe", ["lunch"]],
    ["vendor=lunch", []],
    ["vendor=50%25_", ["gift from Cafe Central"]],
    ["vendor=z_rich", []]
  ])("finds by %s", async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it("answers 422 for an invalid filter", async () => {
    for (const query of [
      "status=open",
      "date_from=2026-02-30",
      "is_billable=perhaps",
      "reconciled=2",
      "date_to=soon"
    ]) {
      const { body, status } = await books.call("GET", `/expenses?${query}`)
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [query.split("=")[0]]])
    }
  })

  it("pages without repeating or losing an expense, and clamps numbers that are out of range", async () => {
    const seen = []
    for (const page of [1, 2, 3]) {
      const { data, meta } = (await books.call("GET", `/expenses?per_page=2&page=${page}`)).body
      expect(meta).toMatchObject({ current_page: page, last_page: 3, per_page: 2, total: 5 })
      seen.push(...data.map(({ description }: { description: string }) => description))
    }
    expect(seen).toEqual(all)
    const beyond = (await books.call("GET", "/expenses?per_page=2&page=9")).body
    expect([beyond.data, beyond.meta.total, beyond.meta.from]).toEqual([[], 5, null])
    for (const [asked, given] of [
      ["0", 1],
      ["101", 100],
      ["many", 25]
    ]) {
      expect((await books.call("GET", `/expenses?per_page=${asked}`)).body.meta.per_page).toBe(given)
    }
  })
})

describe("other endpoints for expenses", () => {
  it("count undeleted expenses in GET /api/v1/organizations/{id}/statistics", async () => {
    expect((await books.made("GET", `/organizations/${books.id}/statistics`)).expenses).toBe(5)
  })

  it("delete each expense by its own rules in DELETE /api/v1/batch/resources", async () => {
    const free = await books.spent()
    const remove = (query: string) => books.call("DELETE", `/batch/resources?resource=expenses&${query}`)
    const refused = await remove(`ids=${free.id},${ids["desk"]}&atomic=true`)
    expect([refused.status, (await books.expense(free.id)).version]).toEqual([422, 1])
    const { body, status } = await remove(`ids=${free.id},${ids["desk"]},${ids["train"]},${free.id},999999999`)
    const results = body.data.results.map(({ error, status }: { error: { code: string } | null; status: string }) => [
      status,
      error?.code
    ])
    expect([status, results]).toEqual([
      200,
      [
        ["succeeded", undefined],
        ["failed", "expense_locked"],
        ["failed", "expense_locked"],
        ["duplicate", undefined],
        ["failed", "not_found"]
      ]
    ])
    expect(await found("")).toEqual(all)
  })
})
