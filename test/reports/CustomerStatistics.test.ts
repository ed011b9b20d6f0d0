import { beforeAll, describe, expect, it } from "vitest"
import { line, paymentBody, useBilling } from "../support/Billing.ts"
import { movableClock } from "../support/service/MovableClock.ts"

const clock = movableClock()
const { open } = useBilling({}, { clock: clock.layer })

// At this moment, it is the fourteenth in Brussels and already the fifteenth on Kiritimati.
beforeAll(() => clock.set(Date.parse("2026-03-14T12:00:00Z")))

const cents = (amount: number | string) => Math.round(Number(amount) * 100)

describe("GET /api/v1/customers/{id}/statistics", () => {
  it("answers zeros in the organization's currency for a new customer", async () => {
    const books = await open({ currency: "JPY" })
    expect(await books.made("GET", `/customers/${books.customer_id}/statistics`)).toEqual({
      currency: "JPY",
      invoiced: 0,
      paid: 0,
      outstanding: 0,
      overdue: 0,
      credited: 0,
      invoices_count: 0,
      quotes_count: 0,
      average_days_to_pay: null,
      last_invoice_date: null,
      last_payment_date: null,
      unconverted: []
    })
  })

  it("sums issued invoices, converts those with a rate, and separates those without one", async () => {
    const books = await open()
    const pay = (id: number, amount: number, payment_date: string) =>
      books.made("POST", "/payments", paymentBody(id, amount, { payment_date }))
    const paid = await books.issued({ issue_date: "2026-01-01" })
    await pay(paid.id, 100, "2026-01-05")
    await pay(paid.id, 21, "2026-01-11")
    const quick = await books.issued({ issue_date: "2026-01-01" })
    const refunded = await pay(quick.id, 121, "2026-01-02")
    const late = await books.issued({ issue_date: "2026-02-01", due_date: "2026-02-02" })
    await pay(late.id, 21, "2026-02-03")
    await books.made("POST", `/payments/${refunded.id}/refund`, { amount: 1 })
    await books.issued({ issue_date: "2026-03-01", currency: "USD", exchange_rate: 0.5, items: [line(10)] })
    await books.issued({ issue_date: "2026-03-02", currency: "JPY", items: [line(1000)] })
    await books.draft({ issue_date: "2026-12-31" })
    expect(await books.made("GET", `/customers/${books.customer_id}/statistics`)).toEqual({
      currency: "EUR",
      invoiced: 369.05,
      paid: 262,
      outstanding: 107.05,
      overdue: 100,
      credited: 0,
      invoices_count: 6,
      quotes_count: 0,
      average_days_to_pay: 10,
      last_invoice_date: "2026-03-02",
      last_payment_date: "2026-02-03",
      unconverted: [
        {
          currency: "JPY",
          invoiced: 1210,
          paid: 0,
          outstanding: 1210,
          overdue: 0,
          credited: 0
        }
      ]
    })
  })

  it("converts what was paid and credited as the statement does, so that the sums add up", async () => {
    const books = await open()
    const { customer_id, made } = books
    const dated = { issue_date: "2026-01-10", due_date: "2026-02-10", currency: "USD", exchange_rate: 0.9137 }
    for (const prepaid_amount of [0, 0.33]) {
      const items = [line(3.33, { tax_exempt: true })]
      const { id } = await books.issued({ ...dated, items, prepaid_amount })
      const payment = await made("POST", "/payments", paymentBody(id, 1.66, { payment_date: "2026-01-11" }))
      await made("POST", `/payments/${payment.id}/refund`, { amount: 0.66 })
      const note = await made("POST", "/credit-notes", { invoice_id: id, amount: 0.55, reason: "Late" })
      await made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.example", attach_pdf: false })
    }
    const period = "start_date=2026-01-01&end_date=2999-12-31"
    const { closing_balance, totals } = await made("GET", `/customers/${customer_id}/statement?${period}`)
    const { credited, invoiced, outstanding, paid } = await made("GET", `/customers/${customer_id}/statistics`)
    expect([invoiced, credited, outstanding].map(cents)).toEqual(
      [totals.invoiced, totals.credited, closing_balance].map(cents)
    )
    expect(cents(paid)).toBe(cents(totals.paid) - cents(totals.refunded))
    expect(cents(invoiced) - cents(paid) - cents(credited)).toBe(cents(outstanding))
  })

  it("writes amounts as JSON numbers that are exact to the cent, or as text where the client prefers that", async () => {
    const books = await open()
    for (const price of [0.1, 0.2, 1_000_000.03]) {
      await books.issued({ items: [line(price, { tax_exempt: true })] })
    }
    const path = `/customers/${books.customer_id}/statistics`
    expect((await books.call("GET", path)).text).toContain('"invoiced":1000000.33,')
    const preferred = await books.call("GET", path, undefined, { headers: { prefer: "amounts=string" } })
    expect(preferred.body.data).toMatchObject({ invoiced: "1000000.33", paid: "0.00", invoices_count: 3 })
  })

  it("counts invoices due before today as overdue, in the organization's time zone", async () => {
    for (const [timezone, overdue] of [
      ["Europe/Brussels", 121],
      ["Pacific/Kiritimati", 242]
    ] as const) {
      const books = await open({ timezone })
      for (const due_date of ["2026-03-13", "2026-03-14", "2026-03-15"]) {
        await books.issued({ issue_date: "2026-03-01", due_date })
      }
      const found = await books.made("GET", `/customers/${books.customer_id}/statistics`)
      expect([timezone, found.outstanding, found.overdue]).toEqual([timezone, 363, overdue])
    }
  })

  it("counts credited amounts, and ignores deleted records", async () => {
    const books = await open()
    const statistics = () => books.made("GET", `/customers/${books.customer_id}/statistics`)
    const { invoice, payment } = await books.paid()
    const { id: credited } = await books.issued()
    const credit = { invoice_id: credited, amount: 21, reason: "Returned goods" }
    const note = await books.made("POST", "/credit-notes", credit)
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.example", attach_pdf: false })
    const unsent = await books.made("POST", "/credit-notes", credit)
    const draft = await books.draft()
    const before = { invoiced: 242, paid: 121, credited: 21, outstanding: 100, invoices_count: 3 }
    expect(await statistics()).toMatchObject({ ...before, last_payment_date: payment.payment_date })
    for (const path of [`payments/${payment.id}`, `credit-notes/${unsent.id}`, `invoices/${draft.id}`]) {
      await books.made("DELETE", `/${path}`)
    }
    const after = { ...before, paid: 0, outstanding: 221, invoices_count: 2, last_payment_date: null }
    expect(await statistics()).toMatchObject(after)
    const period = "start_date=2026-01-01&end_date=2999-12-31"
    const statement = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
    expect([statement.closing_balance, (await books.invoice(invoice.id)).balance_due]).toEqual(["221.00", 121])
  })
})
