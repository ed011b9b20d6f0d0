import { assert, describe, it } from "vitest"
import { today, useLines } from "../Lines.ts"

const { opened } = useLines()

const paidInCash = async (all: Awaited<ReturnType<typeof opened>>) => {
  const { id } = await all.books.issued()
  await all.books.made("POST", `/invoices/${id}/mark-paid`, { payment_method: "cash" })
  return id
}

describe("Cash that was recorded before a bank line", () => {
  it("is not the money of the line, so a paid invoice is refused with 422 and the line stays open", async () => {
    const all = await opened(["121,00"])
    const { books, lines, match, state } = all
    const id = await paidInCash(all)
    for (const body of [{ invoice_id: id }, { invoice_id: id, amount: 121 }]) {
      const { body: refused, status } = await match(lines[0], body)
      assert.deepEqual([status, refused.code], [422, "already_paid"])
    }
    const [payment, ...others] = await books.made("GET", "/payments")
    assert.deepEqual([payment.bank_transaction_id, others.length], [null, 0])
    assert.equal((await state(lines[0])).remaining_amount, 121)
  })

  it("stays beside the further payment that a line brings, which can be refunded", async () => {
    const all = await opened(["121,00"])
    const { books, lines, match } = all
    const id = await paidInCash(all)
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "allow_overpayment", value: true }] })
    assert.equal((await match(lines[0], { invoice_id: id, amount: 121 })).status, 200)
    assert.equal((await books.made("GET", "/payments")).length, 2)
    const { amount_paid, refundable_amount } = await books.invoice(id)
    assert.deepEqual([amount_paid, refundable_amount], [242, 121])
  })

  it("is linked with the line of its deposit if the request names the payment", async () => {
    const all = await opened(["121,00"])
    const { books, lines, match } = all
    const id = await paidInCash(all)
    const [payment] = await books.made("GET", "/payments")
    assert.equal((await match(lines[0], { invoice_id: id, payment_id: payment.id })).status, 200)
    const linked = await books.made("GET", "/payments")
    assert.deepEqual([linked.length, linked[0].bank_transaction_id], [1, lines[0]])
  })

  it("has paid its expense, which is refused with 422 until its payment method is corrected", async () => {
    const { books, lines, match, state } = await opened(["-100,00"])
    const draft = { expense_date: today, category: "fees", amount: 100, currency: "EUR", description: "Fees" }
    const { id } = await books.made("POST", "/expenses", draft)
    await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "Cash" })
    const { body, status } = await match(lines[0], { expense_id: id })
    assert.deepEqual([status, body.code], [422, "already_paid"])
    assert.equal((await state(lines[0])).remaining_amount, 100)
    await books.made("PUT", `/expenses/${id}`, { payment_method: "bank_transfer" })
    assert.equal((await match(lines[0], { expense_id: id })).status, 200)
    assert.equal((await books.made("GET", `/expenses/${id}`)).bank_transaction_id, lines[0])
  })
})
