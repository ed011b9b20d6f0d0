import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, no_details, useBilling } from "../../support/Billing.ts"

const { open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open({ rates: [21, 6, 20, 23, 22, 5.5, 10, 8] })
})

/** Lines with their subtotal, tax and total (rules/invoices.md, Rounding); `rate` is the percentage of a line. */
interface Vector {
  readonly name: string
  readonly currency?: string
  readonly lines: ReadonlyArray<object>
  readonly amounts: readonly [subtotal: number, tax: number, total: number]
}

const at = (rate: number, unit_price: number, changes: object = {}) => ({ ...line(unit_price, changes), rate })

const vectors: ReadonlyArray<Vector> = [
  { name: "three lines of 10.01", lines: [at(20, 10.01), at(20, 10.01), at(20, 10.01)], amounts: [30.03, 6.01, 36.04] },
  { name: "20 %", lines: [at(20, 299.33), at(20, 179.33), at(20, 99.34)], amounts: [578, 115.6, 693.6] },
  { name: "23 %", lines: [at(23, 55.55), at(23, 11.11)], amounts: [66.66, 15.33, 81.99] },
  {
    name: "a discount of 4 %",
    lines: [at(22, 348.35, { quantity: 16, discount: 4 })],
    amounts: [5350.66, 1177.15, 6527.81]
  },
  { name: "ten lines of 3.60", lines: Array.from({ length: 10 }, () => at(5.5, 3.6)), amounts: [36, 1.98, 37.98] },
  { name: "one line of ten", lines: [at(5.5, 3.6, { quantity: 10 })], amounts: [36, 1.98, 37.98] },
  {
    name: "four lines",
    lines: [at(20, 68.33), at(20, 68.33), at(20, 57.5), at(20, 85)],
    amounts: [279.16, 55.83, 334.99]
  },
  { name: "yen", currency: "JPY", lines: [at(10, 333, { quantity: 3 }), at(8, 1127)], amounts: [2126, 190, 2316] },
  { name: "Bahraini dinars", currency: "BHD", lines: [at(10, 1.235, { quantity: 7 })], amounts: [8.645, 0.865, 9.51] },
  {
    name: "two rates, a discount and an exempt line",
    lines: [
      at(21, 19.99, { quantity: 3, discount: 10 }),
      at(6, 40, { quantity: 2.5 }),
      at(21, 0.05),
      line(100, { tax_exempt: true })
    ],
    amounts: [254.02, 17.34, 271.36]
  }
]

const withRates = (lines: ReadonlyArray<object>) =>
  lines.map((item) => {
    if (!("rate" in item)) return item
    const { rate, ...rest } = item
    const index = [21, 6, 20, 23, 22, 5.5, 10, 8].findIndex((known) => known === rate)
    return { ...rest, tax_rate_ids: [books.tax_rate_ids[index]] }
  })

describe("POST /api/v1/invoices", () => {
  it.each(vectors)("prices $name", async ({ amounts, currency = "EUR", lines }) => {
    const { body, status } = await books.call("POST", "/invoices", books.body({ currency, items: withRates(lines) }))
    expect(status).toBe(201)
    const { balance_due, subtotal, tax_total, total } = body.data
    expect([subtotal, tax_total, total]).toEqual(amounts)
    expect(balance_due).toBe(total)
    expect((await books.invoice(body.data.id)).total).toBe(total)
  })

  it("answers 201 with the whole draft, as GET then answers it, under version 1", async () => {
    const { body, headers, status } = await books.call("POST", "/invoices", {
      ...books.body({ due_date: "2999-03-31", notes: "Thank you", terms: "30 days", exchange_rate: 1.1 }),
      items: [line(19.99, { quantity: 3, unit: "hour", discount: 10 })],
      unknown: "is ignored"
    })
    expect(status).toBe(201)
    expect(headers.get("etag")).toBe('"v1"')
    const { created_at, id, items, tax_breakdown, updated_at, ...rest } = body.data
    expect(rest).toEqual({
      number: null,
      invoice_number: null,
      draft_reference: `DRAFT-${id}`,
      status: "draft",
      payment_status: "unpaid",
      is_overdue: false,
      days_overdue: 0,
      customer_id: books.customer_id,
      customer: { id: books.customer_id, name: "Beta" },
      issue_date: "2026-03-01",
      due_date: "2999-03-31",
      currency: "EUR",
      exchange_rate: 1.1,
      subtotal: 53.97,
      discounts: [],
      charges: [],
      discount_total: 6,
      charge_total: 0,
      tax_total: 11.33,
      rounding_adjustment: 0,
      total: 65.3,
      prepaid_amount: 0,
      ...no_details,
      amount_paid: 0,
      amount_credited: 0,
      amount_refunded: 0,
      balance_due: 65.3,
      refundable_amount: 0,
      payment_reference: null,
      notes: "Thank you",
      terms: "30 days",
      external_id: null,
      metadata: {},
      issued_at: null,
      sent_at: null,
      sent_method: null,
      paid_at: null,
      voided_at: null,
      quote_id: null,
      version: 1
    })
    const rate = { name: "VAT 21%", rate: 21, category: "S", taxable_amount: 53.97, tax_amount: 11.33 }
    expect(items).toEqual([
      {
        id: items[0].id,
        position: 1,
        description: "Consulting",
        quantity: 3,
        unit: "HUR",
        unit_price: 19.99,
        discount: 10,
        discount_type: "percent",
        line_subtotal: 59.97,
        discount_amount: 6,
        line_total: 53.97,
        tax_exempt: false,
        tax_exemption_reason: null,
        tax_amount: 11.33,
        tax_rates: [{ id: books.tax_rate_ids[0], ...rate }],
        tax_rate_ids: [books.tax_rate_ids[0]]
      }
    ])
    expect(tax_breakdown).toEqual([{ tax_rate_id: books.tax_rate_ids[0], ...rate }])
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(updated_at).toBe(created_at)
    expect(await books.invoice(id)).toEqual(body.data)
  })

  it("prices a line of an organization without rates at 0 %", async () => {
    const untaxed = await open({ rates: [] })
    const invoice = await untaxed.draft()
    expect(invoice).toMatchObject({ subtotal: 100, tax_total: 0, total: 100 })
    expect(invoice.tax_breakdown).toEqual([
      { tax_rate_id: null, name: "No tax", rate: 0, category: "Z", taxable_amount: 100, tax_amount: 0 }
    ])
  })

  it("reads amounts sent as numeric strings exactly", async () => {
    const { items, total } = await books.draft({ items: [line("12.50", { quantity: "2", tax_exempt: true })] })
    expect([items[0].unit_price, items[0].quantity, total]).toEqual([12.5, 2, 25])
  })

  it("locks the organization's currency with the first invoice, a draft", async () => {
    const fresh = await open()
    await fresh.draft()
    const { body, status } = await fresh.call("PUT", `/organizations/${fresh.id}`, { currency: "USD" })
    expect([status, body.code]).toEqual([422, "currency_locked"])
  })
})
