import { describe, expect, it } from "vitest"
import { useBilling } from "../../../support/Billing.ts"

const { app, open } = useBilling()

describe("Prefer: amounts=string", () => {
  it("turns every amount of an invoice into a string with the currency's decimals, and nothing else", async () => {
    const { id: organization, owner } = await app.organization({ rates: [21] })
    const as = { token: owner.token, organization, headers: { prefer: "respond-async, amounts=string" } }
    const customer = await app.call("POST", "/api/v1/customers", { ...as, body: { name: "Beta" } })
    const body = {
      customer_id: customer.body.data.id,
      issue_date: "2026-03-01",
      due_date: "2026-03-31",
      currency: "EUR",
      items: [
        { description: "Parts", quantity: 3, unit_price: "0.0125", tax_exempt: true },
        { description: "Work", unit_price: 100 }
      ]
    }
    const { body: answer, headers } = await app.call("POST", "/api/v1/invoices", { ...as, body })
    expect(headers.get("preference-applied")).toBe("amounts=string")
    expect(answer.data).toMatchObject({
      total: "121.04",
      tax_total: "21.00",
      balance_due: "121.04",
      amount_paid: "0.00"
    })
    expect(answer.data.items[0]).toMatchObject({ quantity: 3, unit_price: "0.0125", line_total: "0.04", position: 1 })
    expect(answer.data.items[1].tax_rates[0]).toMatchObject({ rate: 21, taxable_amount: "100.00", tax_amount: "21.00" })
    expect(answer.data.tax_breakdown[1]).toMatchObject({ rate: 21, taxable_amount: "100.00" })

    const refused = await app.call("POST", `/api/v1/invoices/${answer.data.id}/mark-paid`, {
      ...as,
      body: { amount: 500 }
    })
    expect(refused.body).toMatchObject({ code: "amount_exceeds_balance", details: { balance_due: "121.04" } })
  })

  it("leaves the API document as it is, compressed or not", async () => {
    for (const coding of ["gzip", "identity"]) {
      const prefer = await fetch(`${app.url}/openapi.json`, {
        headers: { "accept-encoding": coding, prefer: "amounts=string" }
      })
      const plain = await fetch(`${app.url}/openapi.json`, { headers: { "accept-encoding": coding } })
      expect([prefer.status, prefer.headers.get("preference-applied")]).toEqual([200, null])
      expect(await prefer.text()).toBe(await plain.text())
    }
  })

  it.each(["AMOUNTS=string", 'amounts="string"', "amounts = string; x"])("knows %s as the same", async (prefer) => {
    const { id: organization, owner } = await app.organization()
    const as = { token: owner.token, organization, headers: { prefer } }
    const { headers } = await app.call("GET", "/api/v1/invoices", as)
    expect(headers.get("preference-applied")).toBe("amounts=string")
  })

  it("turns the amounts of a bank rule into strings, which its request has, too", async () => {
    const { id: organization, owner } = await app.organization()
    const as = { token: owner.token, organization, headers: { prefer: "amounts=string" } }
    const conditions = [
      { type: "amount_min", value: 4 },
      { type: "amount_between", min: 1, max: "9.5" }
    ]
    const body = { name: "Fees", conditions, actions: { category: "bank_fees" } }
    const { body: answer } = await app.call("POST", "/api/v1/bank-rules", { ...as, body })
    expect(answer.data.conditions).toEqual([
      { type: "amount_min", value: "4" },
      { type: "amount_between", min: "1", max: "9.5" }
    ])
  })

  it("turns the amounts of an event into strings, like those of its record", async () => {
    const books = await open()
    const { id } = await books.draft()
    const asText = async (path: string) => {
      const headers = { prefer: "amounts=string" }
      return (await books.call("GET", path, undefined, { headers })).body.data
    }
    const record = await asText(`/invoices/${id}`)
    const [event] = await asText("/events?types=invoice.created")
    expect(event.data.attributes).toEqual(record)
    expect(record.items[0].unit_price).toBeTypeOf("string")
    for (const { example, name } of await asText("/webhooks/events")) {
      const total = example.data.attributes.total ?? "0.00"
      expect([name, total]).toEqual([name, expect.any(String)])
    }
  })

  it("leaves the amounts of other requests numbers", async () => {
    const { id: organization, owner } = await app.organization()
    const { body, headers } = await app.call("GET", "/api/v1/invoices", { token: owner.token, organization })
    expect(body.meta.total).toBe(0)
    expect(headers.get("preference-applied")).toBeNull()
  })
})
