import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Books, line, paymentBody, useBilling } from "../support/Billing.ts"
import { unseal } from "../support/Seals.ts"

const { app, open } = useBilling()

const aged = (books: Books, as_of: string) => books.made("GET", `/reports/aged-receivables?as_of=${as_of}`)
const owing = (books: Books, due_date: string, changes: object = {}) =>
  books.issued({ issue_date: "2026-01-01", due_date, items: [line(100, { tax_exempt: true })], ...changes })
const pay = (books: Books, id: number, amount: number, payment_date: string) =>
  books.made("POST", "/payments", paymentBody(id, amount, { payment_date }))
const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Brussels" }).format(new Date())

const none = { current: "0.00", "1_30": "0.00", "31_60": "0.00", "61_90": "0.00", over_90: "0.00", total: "0.00" }

describe("GET /api/v1/reports/aged-receivables", () => {
  it("has a payment before the invoice as the customer's credit, like the statement of the customer", async () => {
    const books = await open()
    const { id } = await owing(books, "2026-04-30", { issue_date: "2026-03-10" })
    await pay(books, id, 60, "2026-03-01")
    const { customers, totals } = await aged(books, "2026-03-05")
    expect([totals.current, totals.total]).toEqual(["-60.00", "-60.00"])
    expect(customers[0].invoices).toMatchObject([{ id, balance_due: "-60.00", days_overdue: 0, bucket: "current" }])
    const period = "start_date=2026-01-01&end_date=2026-03-05"
    const { closing_balance } = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
    expect(closing_balance).toBe(totals.total)
    expect((await aged(books, "2026-03-10")).totals.total).toBe("40.00")
  })

  it("sums open amounts in buckets by the days past the due date", async () => {
    const books = await open()
    const dues = [
      "2026-04-30",
      "2026-04-29",
      "2026-03-31",
      "2026-03-30",
      "2026-03-01",
      "2026-02-28",
      "2026-01-30",
      "2026-01-29"
    ]
    const invoices = []
    for (const due_date of dues) invoices.push(await owing(books, due_date))
    await books.draft({ due_date: "2026-01-02", issue_date: "2026-01-01" })
    const report = await aged(books, "2026-04-30")
    const sums = {
      current: "100.00",
      "1_30": "200.00",
      "31_60": "200.00",
      "61_90": "200.00",
      over_90: "100.00",
      total: "800.00"
    }
    expect(report).toMatchObject({
      as_of: "2026-04-30",
      currency: "EUR",
      buckets: ["current", "1_30", "31_60", "61_90", "over_90"],
      totals: sums,
      other_currencies: [],
      omitted_customers: 0,
      omitted_invoices: 0
    })
    const [customer] = report.customers
    expect(customer).toMatchObject({ customer_id: books.customer_id, name: "Beta", ...sums })
    const rows = customer.invoices.map(({ bucket, days_overdue, id }: Record<string, unknown>) => [
      id,
      days_overdue,
      bucket
    ])
    expect(rows.toReversed()).toEqual([
      [invoices[0].id, 0, "current"],
      [invoices[1].id, 1, "1_30"],
      [invoices[2].id, 30, "1_30"],
      [invoices[3].id, 31, "31_60"],
      [invoices[4].id, 60, "31_60"],
      [invoices[5].id, 61, "61_90"],
      [invoices[6].id, 90, "61_90"],
      [invoices[7].id, 91, "over_90"]
    ])
    expect(customer.invoices[0]).toEqual({
      id: invoices[7].id,
      number: invoices[7].number,
      due_date: "2026-01-29",
      days_overdue: 91,
      balance_due: "100.00",
      bucket: "over_90"
    })
  })

  it("lists the customers by name, and the invoices of a customer by due date", async () => {
    const books = await open()
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Alpha" })
    await owing(books, "2026-03-31")
    await owing(books, "2026-02-28")
    await owing(books, "2026-01-31", { customer_id })
    const { customers } = await aged(books, "2026-04-30")
    expect(customers).toMatchObject([
      { name: "Alpha", total: "100.00", invoices: [{ due_date: "2026-01-31" }] },
      { name: "Beta", total: "200.00", invoices: [{ due_date: "2026-02-28" }, { due_date: "2026-03-31" }] }
    ])
  })

  it("includes for a past day only what had happened by then", async () => {
    const books = await open({ timezone: "Pacific/Kiritimati" })
    const invoice = await owing(books, "2026-01-10")
    const payment = await pay(books, invoice.id, 100, "2026-02-10")
    const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: 30 })
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* unseal("payment_refunds")
        // In the organization's time zone, this moment is already on the first of March.
        yield* sql`
          update payment_refunds set refund_date = null, created_at = '2026-02-28T10:30:00Z' where id = ${refunds[0].id}`
      })
    )
    const gone = await pay(books, invoice.id, 5, "2026-01-11")
    await books.made("DELETE", `/payments/${gone.id}`)
    const totals = []
    for (const day of ["2025-12-31", "2026-01-01", "2026-02-09", "2026-02-10", "2026-02-28", "2026-03-01"]) {
      totals.push((await aged(books, day)).totals.total)
    }
    expect(totals).toEqual(["0.00", "100.00", "100.00", "0.00", "0.00", "30.00"])
  })

  it("counts a refund on its day, also after its payment was moved to another day", async () => {
    const books = await open()
    const invoice = await owing(books, "2026-01-10")
    const payment = await pay(books, invoice.id, 100, "2026-01-15")
    await books.made("POST", `/payments/${payment.id}/refund`, { amount: 30, refund_date: "2026-01-20" })
    const totals = async () => {
      const found = []
      for (const day of ["2026-01-14", "2026-01-15", "2026-01-19", "2026-01-20", "2026-01-25"]) {
        const { total } = (await aged(books, day)).totals
        const period = `start_date=2026-01-01&end_date=${day}`
        const { closing_balance } = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
        expect(closing_balance).toBe(total)
        found.push(total)
      }
      return found
    }
    expect(await totals()).toEqual(["100.00", "0.00", "0.00", "30.00", "30.00"])
    await books.made("PUT", `/payments/${payment.id}`, { payment_date: "2026-01-19" })
    expect(await totals()).toEqual(["100.00", "100.00", "0.00", "30.00", "30.00"])
  })

  it("counts a credit note from its date on, and the excess over the invoice as owed to the customer", async () => {
    const books = await open()
    const invoice = await owing(books, "2026-01-10")
    await pay(books, invoice.id, 100, "2026-01-05")
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 40, reason: "Late" })
    const to = { recipients: "ap@beta.example", attach_pdf: false }
    const { issue_date } = await books.made("POST", `/credit-notes/${note.id}/send`, to)
    expect((await aged(books, "2026-01-31")).totals).toEqual(none)
    const { customers, totals } = await aged(books, issue_date)
    expect(totals).toEqual({ ...none, current: "-40.00", total: "-40.00" })
    expect(customers[0].invoices).toMatchObject([{ balance_due: "-40.00", days_overdue: 0, bucket: "current" }])
  })

  it("ignores draft credit notes, even one that kept its number and date after a failed send", async () => {
    const books = await open()
    const invoice = await owing(books, "2026-01-10")
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 40, reason: "Late" })
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          update credit_notes set number = 'CN-2026-0001', sequence = 1, issue_date = '2026-02-01' where id = ${note.id}`
      )
    )
    for (const day of ["2026-01-31", "2026-02-28"]) expect((await aged(books, day)).totals.total).toBe("100.00")
    const period = "start_date=2026-01-01&end_date=2026-12-31"
    const statement = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
    expect(statement.entries).toMatchObject([{ type: "invoice", balance: "100.00" }])
    expect(statement).toMatchObject({ totals: { credited: "0.00" }, closing_balance: "100.00" })
  })

  it("converts at the invoice's rate, and keeps the currency of invoices without a rate", async () => {
    const books = await open()
    await owing(books, "2026-01-10", { currency: "USD", exchange_rate: 0.91735 })
    await owing(books, "2026-01-10", { currency: "JPY" })
    const { customers, other_currencies, totals } = await aged(books, "2026-01-10")
    expect(totals).toEqual({ ...none, current: "91.74", total: "91.74" })
    expect(customers[0].invoices[0].balance_due).toBe("91.74")
    expect(other_currencies).toMatchObject([
      { currency: "JPY", totals: { current: "100", total: "100" }, customers: [{ invoices: [{ balance_due: "100" }] }] }
    ])
  })

  it("defaults to today, ignores other organizations, and answers 422 for an invalid day", async () => {
    const [books, theirs] = [await open(), await open()]
    await owing(theirs, "2026-01-10")
    const before = today()
    const { body } = await books.call("GET", "/reports/aged-receivables")
    expect(body.data).toMatchObject({ totals: none, customers: [] })
    expect([before, today()]).toContain(body.data.as_of)
    expect((await books.call("GET", "/reports/aged-receivables?as_of=2026-02-30")).status).toBe(422)
  })
})
