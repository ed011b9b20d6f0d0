import { assert, describe, it } from "vitest"
import { importer, openAccount, table } from "../banking/Books.ts"
import { useExpenses } from "../support/Expenses.ts"

const { app, open } = useExpenses()

const december = { expense_date: "2025-12-15", amount: 121, tax_amount: 21, is_vat_deductible: true }

/** Opens books with these bank lines, the latest first; `close` closes the year 2025. */
const opened = async (...rows: ReadonlyArray<readonly [day: string, amount: string]>) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  await importer(app, books)(account, table(...rows.map(([day, amount]) => [day, amount, "", day] as const)))
  const lines = await books.made("GET", "/bank-transactions?sort=-booking_date")
  const close = () =>
    books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "books_locked_until", value: "2025-12-31" }]
    })
  const inputTax = async () => {
    const { periods } = await books.made("GET", "/reports/vat?start_date=2025-10-01&end_date=2025-12-31")
    return JSON.stringify(periods)
  }
  const locked = async (method: string, path: string, body?: object) => {
    const { body: answer, status } = await books.call(method, path, body)
    assert.deepEqual([status, answer.code], [422, "books_locked"], `${method} ${path}`)
  }
  return { ...books, lines, line: lines[0], close, inputTax, locked }
}

describe("an expense of a closed period", () => {
  it.each(["draft", "rejected"])("stays out of its reports if it was %s", async (status) => {
    const { close, inputTax, line, locked, made, spent } = await opened(["2026-01-10", "-121,00"])
    const { id } = await spent({ ...december, status })
    await close()
    const before = await inputTax()
    if (status === "draft") await locked("POST", `/expenses/${id}/mark-paid`, { paid_at: "2026-01-10" })
    await locked("POST", `/bank-transactions/${line.id}/match`, { expense_id: id })
    assert.equal(await inputTax(), before)
    assert.equal((await made("GET", `/expenses/${id}`)).status, status)
  })

  it.each(["draft", "rejected"])("stays in its reports if a match paid it after it was %s", async (status) => {
    const { close, inputTax, line, locked, made, spent } = await opened(["2026-01-10", "-121,00"])
    const { id } = await spent({ ...december, status })
    await made("POST", `/bank-transactions/${line.id}/match`, { expense_id: id })
    await close()
    const before = await inputTax()
    assert.include(before, "21.00")
    await locked("POST", `/bank-transactions/${line.id}/unmatch`)
    assert.equal(await inputTax(), before)
    assert.equal((await made("GET", `/expenses/${id}`)).status, "paid")
  })

  it("keeps its payment of a closed day if the match with a later line is undone", async () => {
    const { close, locked, made, spent, lines } = await opened(["2026-01-10", "-100,00"], ["2025-12-30", "-21,00"])
    const { id } = await spent({ ...december, status: "approved" })
    for (const line of lines) await made("POST", `/bank-transactions/${line.id}/match`, { expense_id: id })
    const paid = await made("GET", `/expenses/${id}`)
    assert.equal(paid.status, "paid")
    await close()
    await locked("POST", `/bank-transactions/${lines[0].id}/unmatch`)
    assert.deepEqual(await made("GET", `/expenses/${id}`), paid)
  })

  it("can be paid, billed and linked in the next one", async () => {
    const { close, draft, inputTax, issued, line, made, spent } = await opened(["2026-01-10", "-121,00"])
    const [paid, billed, linked] = [await spent(december), await spent(december), await spent(december)]
    const later = await draft({ issue_date: "2026-01-20", due_date: "2026-02-20" })
    const invoice = await issued({ issue_date: "2026-01-20", due_date: "2026-02-20" })
    await close()
    const before = await inputTax()
    await made("POST", `/bank-transactions/${line.id}/match`, { expense_id: paid.id })
    await made("POST", `/bank-transactions/${line.id}/unmatch`)
    await made("POST", `/expenses/${paid.id}/mark-paid`, { paid_at: "2026-01-10" })
    await made("POST", `/expenses/${billed.id}/mark-billable`)
    await made("PUT", `/expenses/${billed.id}`, { is_billable: false })
    await made("POST", `/expenses/${billed.id}/convert-to-invoice-item`, { invoice_id: later.id })
    await made("POST", `/expenses/${linked.id}/link-to-invoice`, { invoice_id: invoice.id })
    await made("PUT", `/expenses/${linked.id}`, { linked_invoice_id: null })
    assert.equal(await inputTax(), before)
  })

  it("can lose the payment of an open day again, but not that of a closed one", async () => {
    const { close, inputTax, locked, made, spent } = await opened()
    const [open, early] = [await spent(december), await spent(december)]
    await made("POST", `/expenses/${early.id}/mark-paid`, { paid_at: "2025-12-30" })
    await close()
    const before = await inputTax()
    await made("POST", `/expenses/${open.id}/mark-paid`, { paid_at: "2026-01-10" })
    await locked("PUT", `/expenses/${open.id}`, { status: "draft" })
    await locked("PUT", `/expenses/${open.id}`, { status: "pending", category: "other" })
    const unpaid = await made("PUT", `/expenses/${open.id}`, { status: "pending" })
    assert.deepEqual([unpaid.status, unpaid.paid_at], ["pending", null])
    await locked("PUT", `/expenses/${open.id}`, { status: "approved" })
    assert.equal((await made("PUT", `/expenses/${open.id}`, { status: "paid" })).status, "paid")
    await locked("PUT", `/expenses/${early.id}`, { status: "pending" })
    assert.equal(await inputTax(), before)
  })
})
