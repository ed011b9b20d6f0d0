import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { line, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

const discount = (changes: object) => ({ description: "Loyalty", ...changes })

/** Opens an organization with two rates and helpers for documents with a line of each rate. */
const opened = async (rates: [number, number], nets: [number, number] = [100, 900]) => {
  const books = await open({ rates })
  const [first = 0, second = 0] = books.tax_rate_ids
  const items = [line(nets[0], { tax_rate_ids: [first] }), line(nets[1], { tax_rate_ids: [second] })]
  const set = (id: number, rate: number) =>
    app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update tax_rates set rate = ${rate} where organization_id = ${books.id} and id = ${id}`
      )
    )
  const duplicate = ({ id }: { readonly id: number }) => books.made("POST", `/invoices/${id}/duplicate`)
  return { books, first, second, items, set, duplicate }
}

describe("POST duplicate after the percentages of tax rates changed", () => {
  it("divides a discount of lines that are no longer taxed alike, with its percentage", async () => {
    const { books, duplicate, first, items, second, set } = await opened([20, 20])
    const parts = { items, discounts: [discount({ percentage: 10 })], charges: [discount({ amount: 50 })] }
    const invoice = await books.issued(parts)
    const { due_date: valid_until, ...body } = books.body(parts)
    const quote = await books.made("POST", "/quotes", { ...body, valid_until })
    expect(invoice.subtotal).toBe(950)
    await set(second, 10)
    for (const copy of [await duplicate(invoice), await books.made("POST", `/quotes/${quote.id}/duplicate`)]) {
      expect(copy.subtotal).toBe(950)
      expect(copy.discounts).toMatchObject([
        { description: "Loyalty", percentage: 10, base_amount: 100, net_amount: 10, tax_rate_ids: [first] },
        { description: "Loyalty", percentage: 10, base_amount: 900, net_amount: 90, tax_rate_ids: [second] }
      ])
      expect(copy.charges).toMatchObject([
        { amount: 5, tax_rate_ids: [first] },
        { amount: 45, tax_rate_ids: [second] }
      ])
      expect(copy.tax_breakdown).toMatchObject([
        { rate: 20, taxable_amount: 95 },
        { rate: 10, taxable_amount: 855 }
      ])
    }
  })

  it("divides the amount of a discount in proportion to the lines", async () => {
    const { books, duplicate, items, second, set } = await opened([20, 20])
    const invoice = await books.issued({ items, discounts: [discount({ amount: 100 })] })
    await set(second, 10)
    const copy = await duplicate(invoice)
    expect(copy.subtotal).toBe(900)
    expect(copy.tax_breakdown).toMatchObject([
      { rate: 20, taxable_amount: 90, tax_amount: 18 },
      { rate: 10, taxable_amount: 810, tax_amount: 81 }
    ])
    // The client can send the entries of the copy back.
    const { discounts } = copy
    expect(await books.made("PUT", `/invoices/${copy.id}`, { discounts })).toMatchObject({ subtotal: 900, total: 999 })
  })

  it("keeps amounts where a percentage would no longer apply to the same lines", async () => {
    const { books, duplicate, first, items, second, set } = await opened([20, 10])
    const invoice = await books.issued({
      items,
      discounts: [
        discount({ percentage: 10, tax_rate_ids: [first] }),
        discount({ percentage: 5, tax_rate_ids: [second] })
      ]
    })
    expect(invoice.subtotal).toBe(945)
    await set(second, 20)
    const copy = await duplicate(invoice)
    expect(copy.subtotal).toBe(945)
    expect(copy.discounts).toMatchObject([
      { amount: 10, percentage: null, tax_rate_ids: [first] },
      { amount: 45, percentage: null, tax_rate_ids: [second] }
    ])
    expect(copy.tax_breakdown.map(({ rate }: { readonly rate: number }) => rate)).toEqual([20, 20])
  })

  it("keeps the amount of a percentage that included a deduction of another rate", async () => {
    const { books, duplicate, first, items, second, set } = await opened([20, 20], [1000, -100])
    const invoice = await books.issued({ items, discounts: [discount({ percentage: 10 })] })
    expect(invoice.subtotal).toBe(810)
    await set(second, 10)
    const copy = await duplicate(invoice)
    expect(copy).toMatchObject({ subtotal: 810, discounts: [{ amount: 90, percentage: null, tax_rate_ids: [first] }] })
    expect(copy.discounts).toHaveLength(1)
  })

  it("gives a discount the rate that its lines have now", async () => {
    const { books, duplicate, first, items, second, set } = await opened([20, 20])
    const invoice = await books.issued({
      items: items.slice(1),
      discounts: [discount({ percentage: 10, tax_rate_ids: [first] })]
    })
    await set(second, 10)
    expect(await duplicate(invoice)).toMatchObject({
      subtotal: 810,
      total: 891,
      discounts: [{ percentage: 10, tax_rate_ids: [second] }]
    })
  })
})
