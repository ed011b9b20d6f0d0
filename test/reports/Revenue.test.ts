import { describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../support/Billing.ts"

const { open } = useBilling()

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
