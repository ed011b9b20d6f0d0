import { describe, expect, it } from "vitest"
import { line } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"

const { app, historyOf, open } = useExpenses()

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

  it("can be billed again once credit notes credit the whole invoice, and stays linked to it", async () => {
    const books = await open()
    const { draft, expense } = await books.billed()
    await books.act(expense, "link-to-invoice", { invoice_id: draft.id })
    await books.made("POST", `/invoices/${draft.id}/mark-sent`)
    const { items, total } = await books.invoice(draft.id)
    const credit = async (body: object) => {
      const note = await books.made("POST", "/credit-notes", { invoice_id: draft.id, reason: "Cancelled", ...body })
      await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["buyer@example.com"] })
      return note
    }
    // A note that credits the line of the expense wholly, but not the invoice, releases nothing.
    const line = await credit({ items: [{ invoice_item_id: items[1].id, quantity: 1 }] })
    const other = await books.draft()
    const again = () => books.act(expense, "convert-to-invoice-item", { invoice_id: other.id })
    expect((await again()).body).toMatchObject({ code: "already_invoiced", details: { invoice_id: draft.id } })
    await credit({ amount: (total - line.total).toFixed(2) })
    const free = { billed_invoice_id: null, billed_item_id: null, linked_invoice_id: draft.id }
    expect(await books.expense(expense.id)).toMatchObject(free)
    const { actions, events } = await historyOf(books.id, expense.id)
    expect([actions.at(-1), events.at(-1)?.data.attributes]).toEqual([
      "expense.released",
      await books.expense(expense.id)
    ])
    expect((await again()).body.data).toMatchObject({ billed_invoice_id: other.id })
    // Before 2026-11-30, an invoice kept its expenses when it was credited as a whole.
    const kept = `billed_invoice_id = ${draft.id}, billed_item_id = ${items[1].id}`
    await app.inDatabase(`update expenses set ${kept} where id = ${expense.id}`)
    expect((await again()).body.data).toMatchObject({ billed_invoice_id: other.id })
  })
})
