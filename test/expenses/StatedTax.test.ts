import { beforeAll, describe, expect, it } from "vitest"
import { type ExpenseBooks, useExpenses } from "../support/Expenses.ts"

const { open } = useExpenses()
let books: ExpenseBooks
beforeAll(async () => {
  books = await open()
})

describe("PUT /api/v1/expenses/{id}", () => {
  it("answers 200 and keeps the stated total tax if its rows are sent unchanged, also of an invoiced one", async () => {
    const rows = [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.56 }]
    const { id } = await books.spent({ tax_amount: 20.55, tax_rates: rows })
    const put = (changes: object) => books.made("PUT", `/expenses/${id}`, changes)
    expect(await put({ notes: "x", tax_rates: rows })).toMatchObject({ notes: "x", tax_amount: 20.55 })
    const { id: invoice_id, items } = await books.draft()
    await books.made("POST", `/expenses/${id}/convert-to-invoice-item`, { invoice_id })
    expect(await put({ notes: "y", tax_rates: rows })).toMatchObject({ notes: "y", tax_amount: 20.55 })
    await books.made("PUT", `/invoices/${invoice_id}`, { items })
    expect(await put({ tax_amount: null })).toMatchObject({ tax_amount: 20.56, tax_rates: rows })
  })

  it("answers 200 and deducts the percentage that is sent with is_vat_deductible, also 0", async () => {
    const { id } = await books.spent({ tax_amount: 20.55 })
    const put = (changes: object) => books.made("PUT", `/expenses/${id}`, changes)
    const shown = await put({ notes: "x", is_vat_deductible: false, vat_deductible_percentage: 0 })
    expect(shown).toMatchObject({ vat_deductible_percentage: 0, deductible_tax_amount: 0 })
    expect(await put({ is_vat_deductible: true, vat_deductible_percentage: 0 })).toMatchObject({
      vat_deductible_percentage: 0,
      deductible_tax_amount: 0
    })
    expect(await put({ vat_deductible_percentage: null })).toMatchObject({
      vat_deductible_percentage: 100,
      deductible_tax_amount: 20.55
    })
  })
})
