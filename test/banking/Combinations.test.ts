import { describe, expect, it } from "vitest"
import { line, useBilling } from "../support/Billing.ts"
import { newLine, openAccount } from "./Books.ts"

const { app, open } = useBilling()

describe("a bank line that equals the sum of several invoices of one customer", () => {
  it("suggests the first invoice, but none if another customer with that name could have paid", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const owing = async () => {
      const { id: customer_id } = await books.made("POST", "/customers", { name: "Delta Works" })
      const invoices = []
      for (const amount of [100, 30, 7]) {
        invoices.push(await books.issued({ customer_id, items: [line(amount, { tax_exempt: true })] }))
      }
      return invoices
    }
    const suggested = async () => {
      const id = await newLine(app, books, account, "130,00", "both", "Delta Works")
      return (await books.made("GET", `/bank-transactions/${id}`)).suggestion
    }
    const [first] = await owing()
    expect(await suggested()).toMatchObject({ type: "invoice", id: first.id })
    await owing()
    expect(await suggested()).toBeNull()
  })
})
