import { expect, it } from "vitest"
import { useExpenses } from "../../support/Expenses.ts"

const { open } = useExpenses()

const sum = (records: ReadonlyArray<Record<string, string>>, field: string, left_out: ReadonlyArray<string>) =>
  records
    .filter(({ status = "" }) => !left_out.includes(status))
    .reduce((total, record) => total + Number(record[field]), 0)

it("the taxes of exported records add up to the VAT report, without the statuses that it leaves out", async () => {
  const books = await open({ settings: { invoice_number_on: "create" } })
  const issued = await books.issued()
  await books.draft()
  const { id: voided } = await books.draft()
  await books.made("DELETE", `/invoices/${voided}`)
  const notes = []
  for (const reason of ["Late", "Damaged"]) {
    notes.push(await books.made("POST", "/credit-notes", { invoice_id: issued.id, amount: 12.1, reason }))
  }
  const to = { recipients: "a@beta.example", attach_pdf: false }
  const { issue_date: end_date } = await books.made("POST", `/credit-notes/${notes[0].id}/send`, to)
  const meal = { tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }], is_vat_deductible: true }
  for (const status of ["draft", "pending", "approved", "rejected"]) await books.spent({ ...meal, status })
  await books.spent({ ...meal, is_vat_deductible: false })

  const exported = async (resource: string): Promise<ReadonlyArray<Record<string, string>>> =>
    (await books.call("POST", "/reports/export", { resource, format: "json" })).body.data
  const [invoices, credit_notes, expenses] = [
    await exported("invoices"),
    await exported("credit_notes"),
    await exported("expenses")
  ]
  const statuses = [invoices, credit_notes, expenses].map((records) => records.map(({ status }) => status))
  expect(statuses).toEqual([
    ["partially_paid", "draft", "void"],
    ["sent", "draft"],
    ["draft", "pending", "approved", "rejected", expect.any(String)]
  ])
  const output = sum(invoices, "tax_total", ["draft", "void"]) - sum(credit_notes, "tax_total", ["draft"])
  const input = sum(expenses, "deductible_tax_amount", ["draft", "rejected"])
  const { totals } = await books.made("GET", `/reports/vat?start_date=2026-01-01&end_date=${end_date}`)
  expect(totals).toMatchObject({ output: output.toFixed(2), input: input.toFixed(2) })
  expect(input).toBeCloseTo(2 * 20.55)
})
