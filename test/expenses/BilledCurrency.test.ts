import { beforeAll, describe, expect, it } from "vitest"
import { line, statuses } from "../support/Billing.ts"
import { type ExpenseBooks, useExpenses } from "../support/Expenses.ts"

const { open } = useExpenses()
let books: ExpenseBooks

beforeAll(async () => {
  books = await open({ rates: [21] })
})

describe("the currency of an expense on a draft", () => {
  it("is that of the draft as long as the draft has its line", async () => {
    const { draft } = await books.billed()
    const change = (changes: object) => books.call("PUT", `/invoices/${draft.id}`, changes)
    const before = await books.invoice(draft.id)
    const refused = await change({ currency: "USD", notes: "n" })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { currency: ["The currency field must stay EUR, the currency of an expense on the invoice."] }
    ])
    expect(await books.invoice(draft.id)).toEqual(before)
    expect((await change({ currency: "USD", items: [line(100)] })).body.data).toMatchObject({
      currency: "USD",
      total: 121
    })
  })

  it("is that of the draft when the currency of the draft changes at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const [draft, expense] = [await books.draft(), await books.spent()]
      const answers = await Promise.all([
        books.call("POST", `/expenses/${expense.id}/convert-to-invoice-item`, { invoice_id: draft.id }),
        books.call("PUT", `/invoices/${draft.id}`, { currency: "USD" })
      ])
      expect(statuses(answers)).toEqual({ 200: 1, 422: 1 })
    }
  })
})
