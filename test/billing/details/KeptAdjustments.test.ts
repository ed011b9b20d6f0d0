import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

let books: Books
/** Rates of 21 %, 9 % and 0 %; the first is the default. */
let [standard, reduced, zero] = [0, 0, 0]
beforeAll(async () => {
  books = await open({ rates: [21, 9, 0] })
  ;[standard = 0, reduced = 0, zero = 0] = books.tax_rate_ids
})

const at = (rate: number, unit_price = 100) => line(unit_price, { tax_rate_ids: [rate] })
const discount = (changes: object = {}) => ({ description: "Loyalty", amount: 10, ...changes })

const refused = async (id: number, changes: object) => {
  const answer = await books.call("PUT", `/invoices/${id}`, changes)
  expect(answer.status).toBe(422)
  return Object.entries(answer.body.errors)
}
const put = (id: number, changes: object) => books.made("PUT", `/invoices/${id}`, changes)

describe("PUT of other lines without the discounts and charges", () => {
  it("gives the new taxes of all lines to those that had the old taxes of all lines", async () => {
    for (const changes of [{ amount: 10 }, { amount: null, percentage: 10 }]) {
      const draft = await books.draft({ items: [line(100)], discounts: [discount(changes)], charges: [discount()] })
      const changed = await put(draft.id, { items: [at(reduced), at(reduced)] })
      expect(changed.discounts[0].tax_rate_ids).toEqual([reduced])
      expect(changed.charges[0].tax_rate_ids).toEqual([reduced])
      expect(changed.tax_breakdown).toHaveLength(1)
      const exempt = await put(draft.id, { items: [line(100, { tax_exempt: true, tax_exemption_reason: "AE" })] })
      expect(exempt.discounts[0]).toMatchObject({ tax_exempt: true, tax_exemption_reason: "AE", tax_rate_ids: [] })
      expect(exempt).toMatchObject({ subtotal: 100, tax_total: 0 })
    }
    const quote = await books.made("POST", "/quotes", {
      ...books.body({ discounts: [discount()] }),
      valid_until: "2999-03-31"
    })
    expect(await books.made("PUT", `/quotes/${quote.id}`, { items: [at(reduced)] })).toMatchObject({ total: 98.1 })
  })

  it("uses the version of a rate that the new lines have", async () => {
    const own = await open({ rates: [21, 9] })
    const [first = 0, second = 0] = own.tax_rate_ids
    const both = { items: [line(100), line(100, { tax_rate_ids: [second] })] }
    const alike = await own.draft({ items: [line(100)], discounts: [discount()] })
    const mixed = await own.draft({ ...both, discounts: [discount({ tax_rate_ids: [first] })] })
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update tax_rates set rate = 22 where organization_id = ${own.id} and id = ${first}`
      )
    )
    for (const { id, items } of [
      { id: alike.id, items: [line(100)] },
      { id: mixed.id, ...both }
    ]) {
      const changed = await own.made("PUT", `/invoices/${id}`, { items })
      expect(changed.discounts[0].tax_rates).toMatchObject([{ id: first, rate: 22 }])
    }
  })

  it("keeps other taxes, and refuses a discount whose lines are all gone by the name of its list", async () => {
    const items = [line(100), at(reduced)]
    const mixed = await books.draft({
      items,
      discounts: [discount({ tax_rate_ids: [standard] })],
      charges: [discount({ tax_rate_ids: [zero] })]
    })
    const changed = await put(mixed.id, { items: [line(200), at(zero)] })
    expect(changed.discounts[0].tax_rate_ids).toEqual([standard])
    expect(changed.charges[0].tax_rate_ids).toEqual([zero])
    const message = "The discounts field is required, because no line has the taxes of its entry 1 any more."
    expect(await refused(mixed.id, { items: [at(reduced)] })).toEqual([["discounts", [message]]])
    const charged = await books.draft({
      items,
      charges: [discount({ amount: null, percentage: 1, tax_rate_ids: [standard] })]
    })
    expect(await refused(charged.id, { items: [at(reduced)] })).toMatchObject([["charges", [expect.any(String)]]])
    const alone = await books.draft({ items: [line(100)], discounts: [discount({ tax_rate_ids: [zero] })] })
    expect((await put(alone.id, { items: [at(reduced)] })).discounts[0].tax_rate_ids).toEqual([zero])
  })

  it("follows the taxes that the request repeats", async () => {
    const { discounts, id, items } = await books.draft({ items: [line(100)], discounts: [discount()] })
    const repeated = await put(id, { discounts, items: [{ ...items[0], tax_rate_ids: [reduced] }] })
    expect(repeated.discounts[0].tax_rate_ids).toEqual([standard])
    expect(repeated).toMatchObject({ subtotal: 90, tax_total: 6.9 })
  })
})

describe("a percentage that an earlier version calculated from lines with other exemption codes", () => {
  it("becomes its amount, when a request changes the lines or the currency but not the discounts", async () => {
    const exempt = { tax_exempt: true, tax_exemption_reason: "E" }
    const coded = line(100, { ...exempt, exemption_code: "VATEX-EU-132" })
    const old = async () => {
      const { id } = await books.draft({ items: [coded], discounts: [discount({ amount: null, percentage: 10 })] })
      await app.inDatabase(`update invoices set discounts = discounts #- '{0,exemption_code}' where id = ${id}`)
      return id
    }
    const kept = { discounts: [{ amount: 10, percentage: null, net_amount: 10, tax_exemption_reason: "E" }] }
    expect(await put(await old(), { items: [{ ...coded, unit_price: 200 }] })).toMatchObject({ ...kept, subtotal: 190 })
    expect(await put(await old(), { currency: "USD" })).toMatchObject({ ...kept, subtotal: 90, currency: "USD" })
    expect(await put(await old(), { charges: [discount({ amount: 5, ...exempt })] })).toMatchObject(kept)
    const invoice_id = await old()
    const spent = { expense_date: "2026-01-05", category: "meals", description: "Lunch", currency: "EUR" }
    const expense = await books.made("POST", "/expenses", { ...spent, amount: 100 })
    await books.made("POST", `/expenses/${expense.id}/convert-to-invoice-item`, { invoice_id })
    expect(await books.invoice(invoice_id)).toMatchObject({ ...kept, subtotal: 190 })
  })
})
