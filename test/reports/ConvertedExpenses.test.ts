import { describe, expect, it } from "vitest"
import { useExpenses } from "../support/Expenses.ts"

const { open } = useExpenses()

/** 21 % of 100.27 is 21.06, half of which is deductible. At 0.91735, this is 91.98 and 19.32, of which 9.66. */
const purchase = {
  expense_date: "2026-03-10",
  category: "software",
  amount: 121.33,
  currency: "USD",
  description: "Licence",
  tax_rates: [{ rate: 21, taxable_amount: 100.27, tax_amount: 21.06 }],
  is_vat_deductible: true,
  vat_deductible_percentage: 50
}

const dates = "start_date=2026-01-01&end_date=2026-12-31"

const reported = async () => {
  const books = await open()
  const vat = async () => (await books.made("GET", `/reports/vat?${dates}`)).rows
  const profit = async (period = dates) => books.made("GET", `/reports/profit-loss?${period}`)
  return { books, vat, profit }
}

const row = { rate: "21", category: "software", documents: 1 }
const inEuro = { ...row, taxable: "91.98", tax: "19.32", deductible: "9.66" }
const inDollars = { ...row, taxable: "100.27", tax: "21.06", deductible: "10.53" }

describe("the exchange rate of an expense", () => {
  it("converts the expense in all reports", async () => {
    const { books, profit, vat } = await reported()
    const expense = await books.made("POST", "/expenses", { ...purchase, exchange_rate: 0.91735 })
    expect(expense).toMatchObject({ amount: 121.33, currency: "USD", exchange_rate: 0.91735 })
    const [euro, ...others] = await vat()
    expect([euro.currency, euro.input, others]).toEqual(["EUR", "9.66", []])
    expect(euro.rates).toMatchObject([inEuro])
    const { expenses, other_currencies } = await profit()
    expect([expenses.by_category, expenses.non_deductible_tax, expenses.total, other_currencies]).toEqual([
      [{ category: "software", amount: "91.98" }],
      "9.66",
      "101.64",
      []
    ])
    const [exported] = await books.made("POST", "/reports/export", { resource: "expenses", format: "json" })
    expect([exported.currency, Number(exported.exchange_rate)]).toEqual(["USD", 0.91735])
  })

  it("is optional: without it, the expense stays in its currency", async () => {
    const { books, profit, vat } = await reported()
    const { exchange_rate, id } = await books.made("POST", "/expenses", purchase)
    expect(exchange_rate).toBeNull()
    expect((await vat())[1]).toMatchObject({ currency: "USD", input: "10.53", rates: [inDollars] })
    await books.made("PUT", `/expenses/${id}`, { exchange_rate: 0.91735 })
    expect(await vat()).toMatchObject([{ currency: "EUR", input: "9.66", rates: [inEuro] }])
    await books.made("PUT", `/expenses/${id}`, { exchange_rate: null })
    const [euro, dollars] = await vat()
    expect([euro.input, euro.rates, dollars.input]).toEqual(["0.00", [], "10.53"])
    const { expenses, other_currencies } = await profit()
    expect([expenses.total, other_currencies.length, other_currencies[0].expenses.total]).toEqual(["0.00", 1, "110.80"])
  })

  it("applies to the dashboard, and together with expenses of the same day in the same category", async () => {
    const { books, profit } = await reported()
    const expense_date = (await books.made("POST", "/expenses", purchase)).created_at.slice(0, 10)
    const today = { ...purchase, expense_date, category: "travel" }
    await books.made("POST", "/expenses", { ...today, exchange_rate: 0.5 })
    await books.made("POST", "/expenses", { ...today, currency: "EUR", exchange_rate: 0.5 })
    await books.made("POST", "/expenses", { ...today, exchange_rate: 0.5, status: "draft" })
    await books.made("POST", "/expenses", { ...today, exchange_rate: 0.5, status: "rejected" })
    const gone = await books.made("POST", "/expenses", { ...today, exchange_rate: 0.5 })
    await books.made("DELETE", `/expenses/${gone.id}`)
    const { expenses } = await profit(`start_date=${expense_date}&end_date=${expense_date}`)
    expect(expenses.by_category).toEqual([{ category: "travel", amount: "150.41" }])
    const dashboard = await books.made("GET", "/reports/dashboard?period=last_30_days")
    expect(dashboard.expenses).toBe(expenses.total)
  })

  it.each([
    // At 0.5, the taxes of 21.05 and 6.05 are 10.53 and 3.03, although their sum of 27.10 is 13.55.
    ["each rate is rounded up", {}, "13.56", "0.00", "100.54"],
    ["half of it is deductible", { vat_deductible_percentage: 50 }, "6.78", "6.78", "107.32"],
    ["its tax is a cent less than its rates", { tax_amount: 27.09 }, "13.55", "0.00", "100.54"],
    ["its tax is not deductible", { is_vat_deductible: false }, "0.00", "13.55", "114.09"]
  ])("gives all reports the same tax if %s", async (_, changes, deductible, lost, total) => {
    const { books, profit, vat } = await reported()
    const expense_date = (await books.made("POST", "/expenses", purchase)).created_at.slice(0, 10)
    await books.made("POST", "/expenses", {
      ...purchase,
      expense_date,
      amount: 228.17,
      exchange_rate: 0.5,
      vat_deductible_percentage: 100,
      tax_rates: [
        { rate: 21, taxable_amount: 100.24, tax_amount: 21.05 },
        { rate: 6, taxable_amount: 100.83, tax_amount: 6.05 }
      ],
      ...changes
    })
    const [euro] = await vat()
    const { expenses } = await profit(`start_date=${expense_date}&end_date=${expense_date}`)
    const dashboard = await books.made("GET", "/reports/dashboard?period=last_30_days")
    expect([euro.input, expenses.non_deductible_tax, expenses.total]).toEqual([deductible, lost, total])
    expect([dashboard.expenses, dashboard.vat_balance]).toEqual([
      total,
      deductible === "0.00" ? "0.00" : `-${deductible}`
    ])
  })

  it("has up to 12 decimals, because a unit of a currency may be worth little", async () => {
    const { books, profit, vat } = await reported()
    const spent = { ...purchase, amount: 2_500_000, currency: "VND", vat_deductible_percentage: null }
    const tax_rates = [{ rate: 10, taxable_amount: 2_272_727, tax_amount: 227_273 }]
    const { exchange_rate, id } = await books.made("POST", "/expenses", {
      ...spent,
      tax_rates,
      exchange_rate: 3.543e-5
    })
    expect([exchange_rate, (await books.expense(id)).exchange_rate]).toEqual([0.00003543, 0.00003543])
    expect((await vat())[0]).toMatchObject({ currency: "EUR", input: "8.05" })
    expect((await profit()).expenses.total).toBe("80.52")
    const [exported] = await books.made("POST", "/reports/export", { resource: "expenses", format: "json" })
    expect(exported.exchange_rate).toBe("0.00003543")
    for (const [sent, stored] of [
      ["0.000000000001", 1e-12],
      [123_456.5, 123_456.5]
    ]) {
      await books.made("PUT", `/expenses/${id}`, { exchange_rate: sent })
      expect((await books.expense(id)).exchange_rate).toBe(stored)
    }
  })

  it("is refused with 422 unless it is greater than 0 and has at most 12 decimals", async () => {
    const { books } = await reported()
    for (const exchange_rate of [0, -1, 1e-13, 1e12]) {
      const { body, status } = await books.call("POST", "/expenses", { ...purchase, exchange_rate })
      expect([status, Object.keys(body.errors)]).toEqual([422, ["exchange_rate"]])
    }
  })

  it("is removed by another currency, unless the request states the rate", async () => {
    const { books } = await reported()
    const put = (id: number, changes: object) => books.made("PUT", `/expenses/${id}`, changes)
    const { id } = await books.made("POST", "/expenses", {
      ...purchase,
      amount: 100,
      tax_rates: [],
      exchange_rate: 0.5
    })
    expect(await put(id, { currency: "USD", notes: "same" })).toMatchObject({ exchange_rate: 0.5 })
    expect(await put(id, { currency: "JPY", amount: 15000 })).toMatchObject({ currency: "JPY", exchange_rate: null })
    expect(await put(id, { currency: "CHF", exchange_rate: 1.05 })).toMatchObject({ exchange_rate: 1.05 })
    expect(await put(id, { currency: "GBP", exchange_rate: 1.05 })).toMatchObject({ exchange_rate: 1.05 })
  })

  it("is not copied by a duplicate, which is dated on another day", async () => {
    const { books } = await reported()
    const { id } = await books.made("POST", "/expenses", { ...purchase, exchange_rate: 0.5 })
    expect((await books.made("POST", `/expenses/${id}/duplicate`)).exchange_rate).toBeNull()
  })
})
