import { describe, expect, it } from "vitest"
import { line } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"

const { historyOf, open } = useExpenses()

describe("an expense that its invoice releases", () => {
  it("causes an audit entry and expense.updated for each expense, whatever removes the line or the link", async () => {
    const books = await open()
    const { draft, expense } = await books.billed()
    const [own] = draft.items
    await books.made("PUT", `/invoices/${draft.id}`, { items: [{ ...line(1), id: own.id }] })
    await books.act(expense, "convert-to-invoice-item", { invoice_id: draft.id })
    await books.made("DELETE", `/invoices/${draft.id}`)
    const other = await books.draft()
    await books.act(expense, "convert-to-invoice-item", { invoice_id: other.id })
    const gone = await books.spent()
    for (const each of [expense, gone]) await books.act(each, "link-to-invoice", { invoice_id: other.id })
    await books.made("DELETE", `/expenses/${gone.id}`)
    await books.made("DELETE", `/batch/resources?resource=invoices&ids=${other.id}&atomic=true`)
    const { actions, events } = await historyOf(books.id, expense.id)
    const [billed, released, linked] = ["expense.billed", "expense.released", "expense.linked"]
    expect(actions).toEqual(["expense.created", billed, released, billed, released, billed, linked, released])
    expect(events.at(-1)?.data.attributes).toEqual(await books.expense(expense.id))
    expect(events.at(-1)?.data.attributes).toMatchObject({ billed_invoice_id: null, linked_invoice_id: null })
    expect(events.slice(1).map(({ type }) => type)).toEqual(actions.slice(1).map(() => "expense.updated"))
    expect((await historyOf(books.id, gone.id)).actions.at(-1)).toBe("expense.deleted")
  })
})
