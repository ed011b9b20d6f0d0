import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { SuggestionRefreshes } from "../../../src/banking/refreshes/SuggestionRefreshes.ts"
import { line } from "../../support/Billing.ts"
import { ended, today, useLines } from "../Lines.ts"

const { app, opened } = useLines()

const run = Effect.flatMap(SuggestionRefreshes, (refreshes) => refreshes.run).pipe(
  Effect.provide(SuggestionRefreshes.layer)
)
const refresh = async () => {
  await app.inDatabase("update suggestion_refreshes set due_at = now() - interval '1 hour'")
  await app.run(run)
}

/** Opens books with a bank line that quotes two invoices, of which it has paid the first. */
const partial = async () => {
  const firm = await opened()
  const exempt = (amount: number) => firm.books.issued({ items: [line(amount, { tax_exempt: true })] })
  const [first, second] = [await exempt(100), await exempt(30)]
  const [id = 0] = await firm.add([["130,00", `${first.number} ${second.number}`]], { iban: null })
  await firm.match(id, { invoice_id: first.id })
  const suggested = async () => {
    const { status, suggestion } = await firm.state(id)
    assert.equal(status, "partially_matched")
    return suggestion === null ? null : `${suggestion.type} ${suggestion.id}`
  }
  return { ...firm, id, first, second, suggested }
}

describe("the suggestion of a partially matched line", () => {
  it("ends with the match of its document, and is found again by what remains of the line", async () => {
    const { books, second, suggested } = await partial()
    assert.isNull(await suggested())
    await refresh()
    assert.equal(await suggested(), `invoice ${second.id}`)
    await books.pay(second, 10)
    await refresh()
    // The line has 30.00 left and the invoice only 20.00, so the suggestion, if any, says so.
    await books.made("POST", `/invoices/${second.id}/mark-paid`, {})
    await refresh()
    assert.isNull(await suggested())
  })

  it("is confirmed in bulk for what remains, and never by a rule", async () => {
    const { books, id, second, state, suggested } = await partial()
    await refresh()
    assert.equal(await suggested(), `invoice ${second.id}`)
    const confirm = async () =>
      (await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [id] })).results[0]
    const { invoice_id, status } = await confirm()
    assert.deepEqual([status, invoice_id], ["confirmed", second.id])
    assert.deepEqual(ended(await state(id)), ["matched", 130, 0, 2])
    assert.deepEqual([(await books.invoice(second.id)).balance_due, (await confirm()).reason], [0, "already_matched"])
  })

  it("is neither a rule nor a fee nor a document that has another part of the line", async () => {
    const firm = await opened(["-50,00", "Monthly account fee LT-4711"])
    const { books, lines, match, state } = firm
    const conditions = [{ type: "remittance_contains", value: "fee" }]
    await books.made("POST", "/bank-rules", { name: "Fees", conditions, actions: { category: "fees" } })
    const spending = { expense_date: today, category: "fees", currency: "EUR", description: "Fees" }
    const expense = await books.made("POST", "/expenses", { ...spending, amount: 100, reference: "LT-4711" })
    await match(lines[0], { expense_id: expense.id, amount: 20 })
    await refresh()
    const { status, suggestion } = await state(lines[0])
    assert.deepEqual([status, suggestion], ["partially_matched", null])
    const { results } = await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: lines })
    assert.deepEqual([results[0].status, results[0].reason], ["skipped", "no_suggestion"])
    const dry = await books.made("POST", "/bank-rules?dry_run=1", { name: "F", conditions, actions: { category: "f" } })
    assert.deepEqual(dry.transaction_ids, [])
  })
})
