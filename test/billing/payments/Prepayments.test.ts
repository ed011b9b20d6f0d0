import { BigDecimal, Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { DatedSales } from "../../../src/billing/sales/DatedSales.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useArchive } from "../../archive/DocumentArchiver.ts"
import type { Books } from "../../support/Billing.ts"
import { verifyBooks } from "../../support/Conservation.ts"

const { app, archiveAll, open, prove, state } = useArchive()
let books: Books
beforeAll(async () => {
  books = await open()
})

/** An invoice over 121, of which 21 were paid before it and 100 later, and which was then credited. */
const credited = async () => {
  const invoice = await books.issued({ prepaid_amount: 21 })
  const payment = await books.pay(invoice, 100)
  const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 121, reason: "Cancelled" })
  await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@b.example", attach_pdf: false })
  return { invoice, payment, refund: `/invoices/${invoice.id}/refund` }
}

const refusal = async (method: string, path: string, body?: object) => {
  const answer = await books.call(method, path, body)
  return [answer.status, answer.body.code, answer.body.details ?? Object.keys(answer.body.errors)]
}

/** The money that reports to a tax authority state as received, by day. */
const receipts = () => {
  const days = { start: Day.make("2026-01-01"), end: Day.make("2026-12-31") }
  return app
    .run(
      DatedSales.use((sales) => sales.receipts(OrganizationId.make(books.id), days)).pipe(
        Effect.provide(DatedSales.layer)
      )
    )
    .then((rows) => rows.map(({ received, received_on }) => [received_on, BigDecimal.format(received)]))
}

const statementUntil = (day: string) =>
  books.made("GET", `/customers/${books.customer_id}/statement?start_date=2026-01-01&end_date=${day}`)

describe("POST /api/v1/invoices/{id}/refund", () => {
  it("refunds the payments first, and then what was paid before the invoice, up to the refundable amount", async () => {
    const { invoice, payment, refund } = await credited()
    const tooMuch = [422, "amount_exceeds_refundable", { refundable_amount: 121 }]
    expect(await refusal("POST", refund, { amount: 121.01 })).toEqual(tooMuch)
    expect(await refusal("POST", refund, { amount: 1.001 })).toEqual([422, "validation_failed", ["amount"]])
    const partly = await books.made("POST", refund, { amount: 110, reason: "Cancelled" })
    expect(partly).toMatchObject({ id: invoice.id, amount_refunded: 110, refundable_amount: 11 })
    const payments = await books.made("GET", `/payments?invoice_id=${invoice.id}&sort=-payment_date`)
    expect(payments).toMatchObject([
      { id: payment.id, is_prepayment: false, status: "refunded" },
      { is_prepayment: true, amount: 21, refunded_amount: 10, payment_date: invoice.issue_date }
    ])
    expect(await books.made("POST", refund)).toMatchObject({ status: "credited", refundable_amount: 0 })
    expect(await refusal("POST", refund)).toEqual([422, "amount_exceeds_refundable", { refundable_amount: 0 }])
    const summary = await books.made("GET", `/invoices/${invoice.id}/payments/summary`)
    expect(summary).toMatchObject({ prepaid_amount: 21, amount_paid: 121, amount_refunded: 121, payments_count: 1 })
  })

  it("makes a payment that can be refunded again, but neither moved to another day nor deleted", async () => {
    const { invoice, refund } = await credited()
    await books.made("POST", refund)
    const [prepayment] = await books.made("GET", `/payments?invoice_id=${invoice.id}&sort=payment_date`)
    const path = `/payments/${prepayment.id}`
    expect(await refusal("PUT", path, { payment_date: "2026-03-02" })).toEqual([
      422,
      "validation_failed",
      ["payment_date"]
    ])
    await books.made("DELETE", `${path}/refunds/${prepayment.refunds[0].id}`)
    expect(await books.invoice(invoice.id)).toMatchObject({ amount_paid: 121, refundable_amount: 21 })
    const locked = { payment_id: prepayment.id, refund_ids: [], bank_transaction_id: null }
    expect(await refusal("DELETE", path)).toEqual([422, "payment_locked", locked])
    await books.made("POST", `${path}/refund`)
    expect(await books.invoice(invoice.id)).toMatchObject({ amount_refunded: 121, refundable_amount: 0 })
  })

  it("refunds a payment of the invoice's day before what was paid in advance, and takes no earlier day", async () => {
    const invoice = await books.issued({ prepaid_amount: 21 })
    const payment_date = invoice.issue_date
    const paid = { invoice_id: invoice.id, amount: 100, payment_date, payment_method: "cash" }
    const payment = await books.made("POST", "/payments", paid)
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 121, reason: "Cancelled" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@b.example", attach_pdf: false })
    const path = `/invoices/${invoice.id}/refund`
    const early = { amount: 110, refund_date: "2020-01-01" }
    expect(await refusal("POST", path, early)).toEqual([422, "validation_failed", ["refund_date"]])
    await books.made("POST", path, { amount: 110 })
    expect(await books.made("GET", `/payments/${payment.id}`)).toMatchObject({ refunded_amount: 100 })
  })

  it("does not make the customer's statistics count a payment", async () => {
    const other = await open()
    const invoice = await other.issued({ prepaid_amount: 121 })
    const note = await other.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 21, reason: "Discount" })
    await other.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@b.example", attach_pdf: false })
    await other.made("POST", `/invoices/${invoice.id}/refund`)
    const statistics = await other.made("GET", `/customers/${other.customer_id}/statistics`)
    expect(statistics).toMatchObject({ average_days_to_pay: null, last_payment_date: null })
  })

  it("answers 422 for an invoice that nothing exceeds, also if it was paid before", async () => {
    const invoice = await books.issued({ prepaid_amount: 121 })
    const refused = [422, "amount_exceeds_refundable", { refundable_amount: 0 }]
    expect(await refusal("POST", `/invoices/${invoice.id}/refund`)).toEqual(refused)
  })
})

it("a refund of a prepaid amount counts in statement, receivables and reports, and a proof passes", async () => {
  books = await open()
  const { invoice, refund } = await credited()
  expect(await receipts()).toEqual([
    [invoice.issue_date, "21"],
    ["2026-03-05", "100"]
  ])
  await books.made("POST", refund, { amount: 110 })
  expect(await receipts()).toEqual([[invoice.issue_date, "11"]])
  await books.made("POST", refund)
  expect(await receipts()).toEqual([])
  for (const day of [invoice.issue_date, "2999-12-31"]) {
    const { totals } = await books.made("GET", `/reports/aged-receivables?as_of=${day}`)
    expect((await statementUntil(day)).closing_balance).toBe(totals.total)
  }
  const { closing_balance, entries } = await statementUntil("2999-12-31")
  const amounts = entries.map((entry: Readonly<Record<string, unknown>>) => [
    entry["type"],
    entry["debit"],
    entry["credit"]
  ])
  expect(amounts.toSorted()).toEqual([
    ["credit_note", "0.00", "121.00"],
    ["invoice", "121.00", "0.00"],
    ["payment", "0.00", "100.00"],
    ["prepayment", "0.00", "21.00"],
    ["refund", "10.00", "0.00"],
    ["refund", "100.00", "0.00"],
    ["refund", "11.00", "0.00"]
  ])
  expect(closing_balance).toBe("0.00")
  await app.run(verifyBooks)
  await archiveAll(books)
  await prove(books)
  expect((await state(books)).integrity_state).toBe("passed")
})
