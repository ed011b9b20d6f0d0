import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"

const { open } = useBilling()

let books: Books
/** Rates of 21 % and 6 %; the first is the default. */
let [standard, reduced] = [0, 0]
beforeAll(async () => {
  books = await open({ rates: [21, 6] })
  ;[standard = 0, reduced = 0] = books.tax_rate_ids
})

const sums = ({ charge_total, discount_total, subtotal, tax_total, total }: Readonly<Record<string, unknown>>) => ({
  subtotal,
  discount_total,
  charge_total,
  tax_total,
  total
})
const mixed = () => [line(100), line(50, { tax_rate_ids: [reduced] })]

const refused = async (changes: object, fields: ReadonlyArray<string>) => {
  const answer = await books.call("POST", "/invoices", books.body(changes))
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, fields])
  return answer.body.message
}

describe("discounts and charges on a document", () => {
  it("belong to the tax group that they name, whose tax is rounded once", async () => {
    const invoice = await books.draft({
      items: mixed(),
      discounts: [{ description: "Loyalty", percentage: 10, tax_rate_ids: [standard] }],
      charges: [{ description: "Transport", amount: 9.99, tax_rate_ids: [reduced] }]
    })
    expect(sums(invoice)).toEqual({
      subtotal: 149.99,
      discount_total: 10,
      charge_total: 9.99,
      tax_total: 22.5,
      total: 172.49
    })
    expect(invoice.tax_breakdown).toMatchObject([
      { rate: 21, taxable_amount: 90, tax_amount: 18.9 },
      { rate: 6, taxable_amount: 59.99, tax_amount: 3.6 }
    ])
    expect(invoice.discounts).toEqual([
      {
        description: "Loyalty",
        amount: null,
        percentage: 10,
        base_amount: 100,
        net_amount: 10,
        tax_exempt: false,
        tax_exemption_reason: null,
        tax_amount: 2.1,
        tax_rates: [{ id: standard, name: "VAT 21%", rate: 21, category: "S", taxable_amount: 10, tax_amount: 2.1 }],
        tax_rate_ids: [standard]
      }
    ])
    expect(invoice.charges[0]).toMatchObject({ amount: 9.99, percentage: null, base_amount: null, net_amount: 9.99 })
    expect(await books.invoice(invoice.id)).toEqual(invoice)
  })

  it("have the taxes of the lines if these are all the same", async () => {
    const exempt = { tax_exempt: true, tax_exemption_reason: "AE" }
    const invoice = await books.draft({
      items: [line(100, exempt), line(20, exempt)],
      discounts: [{ description: "Early", amount: 20 }]
    })
    expect(invoice.discounts[0]).toMatchObject({ ...exempt, tax_amount: 0, tax_rate_ids: [] })
    expect(invoice.tax_breakdown).toMatchObject([{ category: "AE", taxable_amount: 100 }])
    const message = await refused({ items: mixed(), discounts: [{ description: "Early", percentage: 5 }] }, [
      "discounts.0.tax_rate_ids"
    ])
    expect(message).toContain("the lines have different taxes; send an entry for each.")
  })

  it.each([
    [{ discounts: [{ description: "A" }] }, ["discounts.0.amount"]],
    [{ discounts: [{ description: "A", amount: 1, percentage: 1 }] }, ["discounts.0.percentage"]],
    [{ discounts: [{ description: " ", amount: 1 }] }, ["discounts.0.description"]],
    [{ discounts: [{ description: "A", amount: -1 }] }, ["discounts.0.amount"]],
    [{ discounts: [{ description: "A", amount: 1.234 }] }, ["discounts.0.amount"]],
    [{ discounts: [{ description: "A", percentage: 101 }] }, ["discounts.0.percentage"]],
    [{ charges: [{ description: "A", percentage: 0 }] }, ["charges.0.percentage"]],
    [{ charges: [{ description: "A", amount: 1, tax_rate_ids: [999_999] }] }, ["charges.0.tax_rate_ids.0"]],
    [{ charges: [{ description: "A", amount: 1, tax_exemption_reason: "E" }] }, ["charges.0.tax_exemption_reason"]],
    [{ charges: [{ description: "A", percentage: 1, tax_exempt: true }] }, ["charges.0.percentage"]],
    [{ charges: Array.from({ length: 21 }, () => ({ description: "A", amount: 1 })) }, ["charges"]],
    [{ discounts: [{ description: "A", amount: 100.01 }] }, ["discounts"]],
    [
      { items: [line(-5), line(10, { tax_exempt: true })], charges: [{ description: "A", amount: 1 }] },
      ["charges.0.tax_rate_ids"]
    ]
  ])("refuses %j under the field's path", async (changes, fields) => {
    await refused(changes, fields)
  })

  it("refuses a percentage of rebates that outweigh the lines", async () => {
    const items = [line(-5), line(10, { tax_rate_ids: [reduced] })]
    const discounts = [{ description: "A", percentage: 10, tax_rate_ids: [standard] }]
    await refused({ items, discounts }, ["discounts.0.percentage"])
  })

  it("follow the lines when these change, and keep their own rates", async () => {
    const discounts = [{ description: "Loyalty", percentage: 10 }]
    const draft = await books.draft({ items: [line(100)], discounts })
    const path = `/invoices/${draft.id}`
    expect(sums(await books.made("PUT", path, { items: [line(200)] }))).toMatchObject({ subtotal: 180, total: 217.8 })
    const yen = await books.made("PUT", path, { currency: "JPY" })
    expect(yen.discounts[0].net_amount).toBe(Math.round(yen.discounts[0].base_amount / 10))
    expect((await books.made("PUT", path, { discounts: [] })).discount_total).toBe(0)
    expect((await books.made("PUT", path, { discounts })).discounts).toHaveLength(1)
    expect((await books.made("PUT", path, { discounts: null })).discounts).toEqual([])
  })

  it("count in reports as the documents say", async () => {
    const own = await open({ rates: [21, 6] })
    const [first = 0, second = 0] = own.tax_rate_ids
    const invoice = await own.issued({
      items: [line(100), line(50, { tax_rate_ids: [second] })],
      discounts: [{ description: "Loyalty", percentage: 10, tax_rate_ids: [first] }],
      charges: [{ description: "Transport", amount: 9.99, tax_rate_ids: [second] }]
    })
    const period = "start_date=2026-01-01&end_date=2026-12-31"
    const vat = await own.made("GET", `/reports/vat?${period}`)
    const revenue = await own.made("GET", `/reports/revenue?${period}`)
    expect(JSON.stringify(vat)).toContain("59.99")
    expect(JSON.stringify(revenue)).toContain(String(invoice.subtotal))
    const statement = await own.made("GET", `/customers/${own.customer_id}/statement?${period}`)
    expect(statement.closing_balance).toBe("172.49")
  })

  it("are credited with the lines that they belong to", async () => {
    const invoice = await books.issued({
      items: mixed(),
      discounts: [{ description: "Loyalty", percentage: 10, tax_rate_ids: [standard] }],
      charges: [{ description: "Transport", amount: 9.99, tax_rate_ids: [reduced] }]
    })
    const credit = (amount: number) =>
      books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount, reason: "Returned" })
    const part = await credit(72.49)
    const rest = await credit(100)
    for (const field of ["subtotal", "tax_total", "total"]) {
      expect([field, Math.round((part[field] + rest[field]) * 100)]).toEqual([field, Math.round(invoice[field] * 100)])
    }
    const whole = await books.issued({
      items: mixed(),
      discounts: [{ description: "L", amount: 1, tax_rate_ids: [reduced] }]
    })
    const note = await books.made("POST", "/credit-notes", { invoice_id: whole.id, amount: whole.total, reason: "All" })
    expect(sums(note)).toMatchObject({ subtotal: whole.subtotal, tax_total: whole.tax_total, total: whole.total })
    const net = note.items.reduce((sum: number, item: { line_total: number }) => sum + item.line_total, 0)
    expect(net).toBe(whole.subtotal)
  })
})

describe("prepaid_amount", () => {
  it("lowers what is due from the draft on, and is a part of what was paid", async () => {
    const draft = await books.draft({ prepaid_amount: 21 })
    const due = { prepaid_amount: 21, amount_paid: 21, balance_due: 100, total: 121, tax_total: 21 }
    expect(draft).toMatchObject({ ...due, status: "draft" })
    const changed = await books.made("PUT", `/invoices/${draft.id}`, { prepaid_amount: 20 })
    expect(changed).toMatchObject({ amount_paid: 20, balance_due: 101 })
    const issued = await books.send(draft)
    expect(issued).toMatchObject({ status: "partially_paid", payment_status: "partially_paid", paid_at: null })
    const { amount } = await books.pay(issued)
    expect(amount).toBe(101)
    const paid = await books.invoice(draft.id)
    expect(paid).toMatchObject({ status: "paid", amount_paid: 121, prepaid_amount: 20, balance_due: 0 })
    const summary = await books.made("GET", `/invoices/${draft.id}/payments/summary`)
    expect(summary).toMatchObject({ prepaid_amount: 20, amount_paid: 121, payments_count: 1 })
  })

  it("pays an invoice when it is all of the total", async () => {
    const issued = await books.issued({ prepaid_amount: 121 })
    expect(issued).toMatchObject({ status: "paid", payment_status: "paid", balance_due: 0 })
    expect(issued.paid_at).not.toBeNull()
    const again = await books.call("POST", `/invoices/${issued.id}/mark-paid`)
    expect([again.status, again.body.code]).toEqual([422, "already_paid"])
  })

  it("is given back by a credit note as refundable", async () => {
    const issued = await books.issued({ prepaid_amount: 21 })
    const note = await books.made("POST", "/credit-notes", { invoice_id: issued.id, amount: 121, reason: "Cancelled" })
    const sent = await books.made("POST", `/credit-notes/${note.id}/send`, {
      recipients: "a@b.example",
      attach_pdf: false
    })
    expect(sent.refundable_amount).toBe(21)
    expect(await books.invoice(issued.id)).toMatchObject({ status: "credited", refundable_amount: 21 })
  })

  it("may not be more than the total, nor finer than the currency", async () => {
    await refused({ prepaid_amount: 121.01 }, ["prepaid_amount"])
    await refused({ prepaid_amount: -1 }, ["prepaid_amount"])
    await refused({ prepaid_amount: 1.001 }, ["prepaid_amount"])
    const { id } = await books.draft({ prepaid_amount: 121 })
    const lowered = await books.call("PUT", `/invoices/${id}`, { items: [line(1)] })
    expect([lowered.status, Object.keys(lowered.body.errors)]).toEqual([422, ["prepaid_amount"]])
  })

  it("belongs to its document: a duplicate begins without it, a converted quote keeps it", async () => {
    const draft = await books.draft({ prepaid_amount: 21 })
    expect(await books.made("POST", `/invoices/${draft.id}/duplicate`)).toMatchObject({
      prepaid_amount: 0,
      amount_paid: 0
    })
    const quote = await books.made("POST", "/quotes", books.body({ prepaid_amount: 21, valid_until: "2999-03-31" }))
    expect(quote.prepaid_amount).toBe(21)
    const invoice = await books.made("POST", `/quotes/${quote.id}/convert-to-invoice`)
    expect(invoice).toMatchObject({ prepaid_amount: 21, balance_due: 100 })
  })

  it("is part of the customer's statement and lowers receivables", async () => {
    const own = await open()
    await own.issued({ prepaid_amount: 21 })
    const statement = await own.made(
      "GET",
      `/customers/${own.customer_id}/statement?start_date=2026-01-01&end_date=2026-12-31`
    )
    expect(
      statement.entries.map(({ credit, debit, type }: Readonly<Record<string, unknown>>) => [type, debit, credit])
    ).toEqual([
      ["invoice", "121.00", "0.00"],
      ["prepayment", "0.00", "21.00"]
    ])
    expect([statement.totals.paid, statement.closing_balance]).toEqual(["21.00", "100.00"])
    const aged = await own.made("GET", "/reports/aged-receivables?as_of=2026-12-31")
    expect(JSON.stringify(aged)).toContain("100")
    expect(JSON.stringify(aged)).not.toContain("121")
  })
})
