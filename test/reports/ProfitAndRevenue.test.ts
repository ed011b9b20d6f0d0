import { describe, expect, it } from "vitest"
import { useExpenses } from "../support/Expenses.ts"
import { line } from "../support/Billing.ts"

const { open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const profit = (books: Books, query = "start_date=2026-01-01&end_date=2026-03-31") =>
  books.made("GET", `/reports/profit-loss?${query}`)

describe("GET /api/v1/reports/profit-loss", () => {
  it("subtracts net expenses and non-deductible tax from net income", async () => {
    const books = await open()
    await books.issued()
    await books.issued({ issue_date: "2026-04-01" })
    const taxed = { amount: 60.5, tax_amount: 10.5 }
    await books.spent({ ...taxed, category: "cost_of_goods", is_vat_deductible: true })
    await books.spent({ ...taxed, category: "meals", is_vat_deductible: true, vat_deductible_percentage: 50 })
    await books.spent({ ...taxed, category: "travel" })
    await books.spent({ amount: 10, category: "Eigene", status: "approved" })
    for (const status of ["draft", "rejected"]) await books.spent({ ...taxed, status })
    const gone = await books.spent(taxed)
    await books.made("DELETE", `/expenses/${gone.id}`)
    expect(await profit(books)).toEqual({
      start_date: "2026-01-01",
      end_date: "2026-03-31",
      currency: "EUR",
      income: { invoiced: "100.00", credited: "0.00", total: "100.00" },
      expenses: {
        by_category: [
          { category: "Eigene", amount: "10.00" },
          { category: "cost_of_goods", amount: "50.00" },
          { category: "meals", amount: "50.00" },
          { category: "travel", amount: "50.00" }
        ],
        // 5.25 of the tax on the meal and all tax on the trip are not deductible.
        non_deductible_tax: "15.75",
        total: "175.75"
      },
      gross_profit: "50.00",
      net_profit: "-75.75",
      other_currencies: []
    })
  })

  it("shows credited amounts separately, by the date of the credit note", async () => {
    const books = await open()
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 60.5, reason: "Late" })
    const to = { recipients: "ap@beta.example", attach_pdf: false }
    const { issue_date } = await books.made("POST", `/credit-notes/${note.id}/send`, to)
    const whole = await profit(books, `start_date=2026-01-01&end_date=${issue_date}`)
    expect(whole.income).toEqual({ invoiced: "100.00", credited: "50.00", total: "50.00" })
    expect((await profit(books)).income).toEqual({ invoiced: "100.00", credited: "0.00", total: "100.00" })
  })

  it("separates expenses in other currencies, which have no exchange rate", async () => {
    const books = await open()
    await books.spent({ amount: 1000, currency: "JPY", tax_amount: 91 })
    const { expenses, other_currencies } = await profit(books)
    expect(expenses).toEqual({ by_category: [], non_deductible_tax: "0.00", total: "0.00" })
    expect(other_currencies).toEqual([
      {
        currency: "JPY",
        income: { invoiced: "0", credited: "0", total: "0" },
        expenses: { by_category: [{ category: "meals", amount: "909" }], non_deductible_tax: "91", total: "1000" },
        gross_profit: "0",
        net_profit: "-1000"
      }
    ])
  })

  it("ignores other organizations, and answers 422 without a period or for one in the wrong order", async () => {
    const [books, theirs] = [await open(), await open()]
    await theirs.issued()
    await theirs.spent()
    expect(await profit(books)).toMatchObject({ income: { total: "0.00" }, expenses: { total: "0.00" } })
    for (const query of ["start_date=2026-01-01", "start_date=2026-01-02&end_date=2026-01-01"]) {
      const { body, status } = await books.call("GET", `/reports/profit-loss?${query}`)
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, ["end_date"]])
    }
  })
})

const revenue = (books: Books, query: string) => books.made("GET", `/reports/revenue?${query}`)
const zero = { net: "0.00", tax: "0.00", gross: "0.00", credited: "0.00", invoices: 0 }
const sold = { net: "100.00", tax: "21.00", gross: "121.00", credited: "0.00", invoices: 1 }

describe("GET /api/v1/reports/revenue", () => {
  it("sums issued invoices by month, including empty months, without drafts", async () => {
    const books = await open()
    await books.issued({ issue_date: "2026-01-31" })
    await books.issued({ issue_date: "2026-03-01" })
    await books.issued({ issue_date: "2026-04-01" })
    await books.draft({ issue_date: "2026-02-01" })
    expect(await revenue(books, "start_date=2026-01-01&end_date=2026-03-31")).toEqual({
      start_date: "2026-01-01",
      end_date: "2026-03-31",
      group_by: "month",
      currency: "EUR",
      rows: [
        { key: "2026-01", ...sold },
        { key: "2026-02", ...zero },
        { key: "2026-03", ...sold }
      ],
      totals: { net: "200.00", tax: "42.00", gross: "242.00", credited: "0.00", invoices: 2 },
      other_currencies: []
    })
  })

  it("names weeks by ISO 8601, in the year of their Thursday", async () => {
    const books = await open()
    await books.issued({ issue_date: "2026-01-01" })
    const { rows } = await revenue(books, "start_date=2025-12-28&end_date=2026-01-05&group_by=week")
    expect(rows).toEqual([
      { key: "2025-W52", ...zero },
      { key: "2026-W01", ...sold },
      { key: "2026-W02", ...zero }
    ])
  })

  it("lists customers with sales, and the top customers of all time, ties by id", async () => {
    const books = await open()
    const [second, third] = [
      await books.made("POST", "/customers", { name: "Gamma" }),
      await books.made("POST", "/customers", { name: "Delta" })
    ]
    await books.issued({ customer_id: third.id })
    await books.issued({ customer_id: second.id })
    await books.issued({ items: [line(50)], issue_date: "2025-01-01" })
    await books.issued({ items: [line(60)] })
    const { rows } = await revenue(books, "start_date=2026-01-01&end_date=2026-12-31&group_by=customer")
    const names = rows.map(({ key, name, net }: Record<string, unknown>) => [key, name, net])
    expect(names).toEqual([
      [String(second.id), "Gamma", "100.00"],
      [String(third.id), "Delta", "100.00"],
      [String(books.customer_id), "Beta", "60.00"]
    ])
    const best = async (limit: string) => {
      const { customers } = await books.made("GET", `/reports/top-customers?limit=${limit}`)
      return customers.map(({ name, net }: Record<string, unknown>) => [name, net])
    }
    expect(await best("2")).toEqual([
      ["Beta", "110.00"],
      ["Gamma", "100.00"]
    ])
    for (const [limit, count] of [
      ["0", 1],
      ["1000", 3],
      ["many", 3]
    ] as const)
      expect((await best(limit)).length).toBe(count)
  })

  it("keeps the currency of documents without an exchange rate", async () => {
    const books = await open()
    await books.issued({ currency: "USD", exchange_rate: 0.5 })
    await books.issued({ currency: "JPY" })
    const { other_currencies, totals } = await revenue(books, "start_date=2026-03-01&end_date=2026-03-31")
    expect(totals).toEqual({ ...sold, net: "50.00", tax: "10.50", gross: "60.50" })
    const yen = { net: "100", tax: "21", gross: "121", credited: "0", invoices: 1 }
    expect(other_currencies).toEqual([{ currency: "JPY", rows: [{ key: "2026-03", ...yen }], totals: yen }])
    const top = await books.made("GET", "/reports/top-customers")
    const customer = { customer_id: books.customer_id, name: "Beta" }
    expect(top.other_currencies).toEqual([{ currency: "JPY", customers: [{ ...customer, ...yen }] }])
  })

  it("converts the total of a document once, so that the gross revenue is what the customer owes", async () => {
    const books = await open()
    const invoice = await books.issued({ currency: "USD", exchange_rate: 0.5, items: [line(10.05)] })
    expect([invoice.subtotal, invoice.tax_total, invoice.total]).toEqual([10.05, 2.11, 12.16])
    const period = "start_date=2026-03-01&end_date=2026-03-31"
    const { totals } = await revenue(books, period)
    expect(totals).toEqual({ ...sold, net: "5.03", tax: "1.06", gross: "6.08" })
    const byCustomer = await revenue(books, `${period}&group_by=customer`)
    expect(byCustomer.totals).toEqual(totals)
    const statement = await books.made("GET", `/customers/${books.customer_id}/statement?${period}`)
    const aged = await books.made("GET", "/reports/aged-receivables?as_of=2026-03-31")
    expect([statement.closing_balance, aged.totals.total]).toEqual([totals.gross, totals.gross])
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 12.16, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"], attach_pdf: false })
    const { issue_date } = await books.made("GET", `/credit-notes/${note.id}`)
    const whole = await revenue(books, `start_date=2026-03-01&end_date=${issue_date}`)
    expect(whole.totals).toMatchObject({ net: "0.00", tax: "0.00", gross: "0.00", credited: "5.03" })
  })

  it("includes an invoice issued with a reused number, and excludes a deleted draft", async () => {
    const books = await open()
    const draft = await books.draft()
    await books.made("DELETE", `/invoices/${draft.id}`)
    const unreachable = await books.draft()
    expect((await books.call("POST", `/invoices/${unreachable.id}/send`)).status).toBe(422)
    const period = "start_date=2026-03-01&end_date=2026-03-31"
    expect((await revenue(books, period)).totals).toEqual(zero)
    await books.send(unreachable)
    expect((await revenue(books, period)).totals).toEqual(sold)
  })

  it("answers 422 without a period, for one in the wrong order or too long, and for an unknown grouping", async () => {
    const books = await open()
    for (const [query, fields] of [
      ["", ["end_date", "start_date"]],
      ["start_date=2026-01-02&end_date=2026-01-01", ["end_date"]],
      ["start_date=2026-01-02&end_date=2026-01-01&group_by=customer", ["end_date"]],
      ["start_date=1950-01-01&end_date=2026-12-31&group_by=day", ["end_date"]],
      ["start_date=2026-01-01&end_date=2026-12-31&group_by=hour", ["group_by"]]
    ] as const) {
      const { body, status } = await books.call("GET", `/reports/revenue?${query}`)
      expect([query, status, Object.keys(body.errors).toSorted()]).toEqual([query, 422, fields])
    }
  })
})
