import { describe, expect, it } from "vitest"
import { useExpenses } from "../support/Expenses.ts"

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
