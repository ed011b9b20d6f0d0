import { beforeAll, describe, expect, it } from "vitest"
import { line, paymentBody } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"
import { movableClock } from "../support/service/MovableClock.ts"

const clock = movableClock()
const { open } = useExpenses({}, { clock: clock.layer })
type Books = Awaited<ReturnType<typeof open>>

// At this moment, it is the fourteenth in Brussels and already the fifteenth on Kiritimati.
beforeAll(() => clock.set(Date.parse("2026-03-14T12:00:00Z")))

const dashboard = (books: Books, period?: string) =>
  books.made("GET", `/reports/dashboard${period === undefined ? "" : `?period=${period}`}`)

const sell = (books: Books, issue_date: string, changes: object = {}) =>
  books.issued({ issue_date, due_date: issue_date, ...changes })

describe("GET /api/v1/reports/dashboard", () => {
  it("summarizes this month and compares it with the previous one", async () => {
    const books = await open()
    const paid = await sell(books, "2026-03-02")
    await books.pay(paid)
    await sell(books, "2026-03-14")
    await sell(books, "2026-03-13", { items: [line(10)] })
    await sell(books, "2026-02-28", { items: [line(200)] })
    await books.draft({ issue_date: "2026-03-03" })
    await books.spent({ expense_date: "2026-03-31", amount: 60.5, tax_amount: 10.5, is_vat_deductible: true })
    await books.spent({ expense_date: "2026-02-01", amount: 12.1, tax_amount: 2.1 })
    const offer = { ...books.body({ issue_date: "2026-03-01" }), valid_until: "2999-03-31" }
    const quotes = []
    for (let count = 0; count < 3; count++) quotes.push(await books.made("POST", "/quotes", offer))
    const to = { recipients: "ap@beta.example", attach_pdf: false }
    for (const { id } of quotes.slice(1)) await books.made("POST", `/quotes/${id}/send`, to)
    await books.made("POST", `/quotes/${quotes[2].id}/mark-accepted`)
    expect(await dashboard(books)).toEqual({
      period: "this_month",
      start_date: "2026-03-01",
      end_date: "2026-03-31",
      currency: "EUR",
      revenue: "210.00",
      expenses: "50.00",
      profit: "160.00",
      // 121.00 are due today; 12.10 were due yesterday, and 242.00 in February.
      outstanding: "375.10",
      overdue: "254.10",
      vat_balance: "33.60",
      counts: { invoices_issued: 3, invoices_paid: 1, quotes_sent: 2, quotes_accepted: 1, expenses: 1 },
      previous: { revenue: "200.00", expenses: "12.10", profit: "187.90" },
      series: [{ period: "2026-03", revenue: "210.00", expenses: "50.00" }],
      other_currencies: []
    })
  })

  it("has an entry for each month of the period", async () => {
    const books = await open()
    await sell(books, "2026-01-14")
    await sell(books, "2026-03-14")
    const { previous, revenue, series } = await dashboard(books, "last_30_days")
    expect(series).toEqual([
      { period: "2026-02", revenue: "0.00", expenses: "0.00" },
      { period: "2026-03", revenue: "100.00", expenses: "0.00" }
    ])
    expect([revenue, previous.revenue]).toEqual(["100.00", "100.00"])
    const year = await dashboard(books, "last_12_months")
    expect([year.series.length, year.series[0].period, year.revenue]).toEqual([12, "2025-04", "200.00"])
  })

  it("uses today in the organization's time zone", async () => {
    const [brussels, kiritimati] = [await open(), await open({ timezone: "Pacific/Kiritimati" })]
    for (const books of [brussels, kiritimati]) await sell(books, "2026-03-14")
    expect([(await dashboard(brussels)).overdue, (await dashboard(kiritimati)).overdue]).toEqual(["0.00", "121.00"])
    expect((await dashboard(kiritimati, "last_30_days")).end_date).toBe("2026-03-15")
  })

  it("converts at the document's rate, and separates other currencies", async () => {
    const books = await open()
    await sell(books, "2026-03-02", { currency: "USD", exchange_rate: 0.5 })
    await sell(books, "2026-03-02", { currency: "JPY" })
    await books.spent({ expense_date: "2026-03-02", amount: 11, currency: "JPY" })
    const { other_currencies, outstanding, revenue, vat_balance } = await dashboard(books)
    expect([revenue, outstanding, vat_balance]).toEqual(["50.00", "60.50", "10.50"])
    expect(other_currencies).toEqual([
      {
        currency: "JPY",
        revenue: "100",
        expenses: "11",
        profit: "89",
        outstanding: "121",
        overdue: "121",
        vat_balance: "21"
      }
    ])
  })

  it("accepts the aliases of periods, ignores other organizations, and answers 422 for an unknown period", async () => {
    const [books, theirs] = [await open(), await open()]
    await sell(theirs, "2026-03-02")
    for (const name of ["month", "quarter", "year"]) {
      expect(await dashboard(books, name)).toMatchObject({
        period: `this_${name}`,
        revenue: "0.00",
        outstanding: "0.00"
      })
    }
    const { body, status } = await books.call("GET", "/reports/dashboard?period=decade")
    expect([status, Object.keys(body.errors)]).toEqual([422, ["period"]])
  })
})

const documents = 40

/** Reads continuously until the writes are done, and then once more; returns all answers. */
const during = async <Answer>(writes: Promise<unknown>, read: () => Promise<Answer>) => {
  const progress = { isDone: false }
  const ended = writes.finally(() => (progress.isDone = true))
  const answers: Array<Answer> = []
  while (!progress.isDone) answers.push(await read())
  await ended
  answers.push(await read())
  return answers
}

describe("a report during concurrent writes", () => {
  it("shows a single moment: its figures are consistent", async () => {
    const books = await open()
    const drafts: Array<{ readonly id: number }> = []
    for (let count = 0; count < documents; count++) drafts.push(await books.draft({ issue_date: "2026-03-02" }))
    const issuing = async () => {
      for (const draft of drafts) await books.send(draft)
    }
    const seen = await during(issuing(), () => books.made("GET", "/reports/dashboard"))
    for (const { counts, outstanding, revenue, series, vat_balance } of seen) {
      const issued = counts.invoices_issued
      expect({ revenue, outstanding, vat_balance, month: series[0].revenue }).toEqual({
        revenue: `${issued * 100}.00`,
        outstanding: `${issued * 121}.00`,
        vat_balance: `${issued * 21}.00`,
        month: `${issued * 100}.00`
      })
    }
    expect(seen.at(-1).counts.invoices_issued).toBe(documents)
  })

  it("of a past day does not change with later payments, refunds and credit notes", async () => {
    const books = await open()
    const invoices = []
    for (let count = 0; count < 10; count++) invoices.push(await books.issued({ issue_date: "2026-02-01" }))
    const settling = invoices.map(async ({ id }) => {
      const whole = paymentBody(id, 121, { payment_date: "2026-03-02" })
      const payment = await books.made("POST", "/payments", whole)
      await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
      const part = await books.made("POST", "/payments", paymentBody(id, 21, { payment_date: "2026-03-03" }))
      await books.made("DELETE", `/payments/${part.id}`)
    })
    const seen = await during(Promise.all(settling), () =>
      books.made("GET", "/reports/aged-receivables?as_of=2026-03-01")
    )
    expect(new Set(seen.map(({ totals }) => totals.total))).toEqual(new Set(["1210.00"]))
    const now = await books.made("GET", "/reports/aged-receivables")
    expect([now.as_of, now.totals.total]).toEqual(["2026-03-14", "210.00"])
  })
})
