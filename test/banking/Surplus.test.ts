import { assert, describe, it } from "vitest"
import { ended, useLines } from "./Lines.ts"

const { opened } = useLines()

/** Opens books in which a bank line has paid an invoice of 121.00 and has 29.00 left. */
const overpaid = async (settings: ReadonlyArray<{ readonly key: string; readonly value: unknown }> = []) => {
  const { books, lines, ...rest } = await opened(["150,00"], ["-29,00"])
  await books.made("PUT", `/organizations/${books.id}`, { settings })
  const invoice = await books.issued()
  const [line = 0, back = 0] = lines
  await rest.match(line, { invoice_id: invoice.id })
  assert.deepEqual(ended(await rest.state(line)), ["partially_matched", 121, 29, 1])
  return { books, line, back, invoice, ...rest }
}

describe("what a bank line has left after it paid an invoice", () => {
  it("does not go to the paid invoice, and the refusal names the ways to end the line", async () => {
    const { invoice, line, match, state } = await overpaid()
    for (const body of [{ invoice_id: invoice.id }, { invoice_id: invoice.id, amount: 29 }]) {
      const { body: refused, status } = await match(line, body)
      assert.deepEqual([status, refused.code], [422, "already_paid"])
      for (const way of [
        "another document",
        "create-document",
        '{"exclude": {"reason": "other"}}',
        "allow_overpayment"
      ])
        assert.include(refused.message, way)
    }
    assert.deepEqual(ended(await state(line)), ["partially_matched", 121, 29, 1])
  })

  it("pays another document", async () => {
    const { books, line, match, state } = await overpaid()
    const other = await books.issued()
    assert.equal((await match(line, { invoice_id: other.id })).body.data.amount, 29)
    assert.deepEqual(ended(await state(line)), ["matched", 150, 0, 2])
    assert.equal((await books.invoice(other.id)).balance_due, 92)
  })

  it("becomes an invoice of its own", async () => {
    const { books, line, state } = await overpaid()
    const { customer_id: counterparty_id } = books
    const made = await books.made("POST", `/bank-transactions/${line}/create-document`, { counterparty_id })
    assert.deepInclude(await books.invoice(made.invoice_id), { total: 29, status: "paid" })
    assert.deepEqual(ended(await state(line)), ["matched", 150, 0, 2])
  })

  it("is excluded with a reason", async () => {
    const { line, match, state } = await overpaid()
    assert.equal((await match(line, { exclude: { reason: "other", note: "paid twice" } })).body.data.amount, 29)
    assert.deepEqual(ended(await state(line)), ["matched", 150, 0, 2])
  })

  it("is booked on the paid invoice if overpayments are allowed, and refunded by another line", async () => {
    const { back, books, invoice, line, match, state } = await overpaid([{ key: "allow_overpayment", value: true }])
    assert.equal((await match(line, { invoice_id: invoice.id })).body.code, "already_paid")
    const { payment_id } = (await match(line, { invoice_id: invoice.id, amount: 29 })).body.data
    assert.deepEqual(ended(await state(line)), ["matched", 150, 0, 2])
    assert.deepInclude(await books.invoice(invoice.id), { payment_status: "overpaid", refundable_amount: 29 })
    const { refunds } = await books.made("POST", `/payments/${payment_id}/refund`)
    await match(back, { payment_refund_id: refunds[0].id })
    assert.deepEqual(ended(await state(back)), ["matched", 29, 0, 1])
    assert.deepInclude(await books.invoice(invoice.id), { payment_status: "paid", refundable_amount: 0 })
  })
})
