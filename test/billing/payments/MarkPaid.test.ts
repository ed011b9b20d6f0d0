import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open()
})

const markPaid = (id: number, body?: unknown) => books.call("POST", `/invoices/${id}/mark-paid`, body)
const paymentsOf = async (id: number) => (await books.call("GET", `/payments?invoice_id=${id}`)).body.data

describe("POST /api/v1/invoices/{id}/mark-paid", () => {
  it("answers 200 with the paid invoice; a payment of the balance exists", async () => {
    const invoice = await books.issued()
    const { body, headers, status } = await markPaid(invoice.id)
    expect([status, headers.get("etag")]).toEqual([200, '"v3"'])
    expect(body.data).toMatchObject({ status: "paid", amount_paid: 121, balance_due: 0, number: invoice.number })
    expect(body.data.paid_at).toBe(body.data.updated_at)
    expect(await books.invoice(invoice.id)).toEqual(body.data)
    const common = { amount: 121, payment_method: "bank_transfer", reference: null, notes: null, status: "completed" }
    expect(await paymentsOf(invoice.id)).toMatchObject([common])
  })

  it.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["null", "null"],
    ["nulls", { amount: null, notes: null }]
  ])("accepts %s", async (_, body) => {
    const answer = await markPaid((await books.issued()).id, body)
    expect([answer.status, answer.body.data?.balance_due]).toEqual([200, 0])
  })

  it.each([
    ["amount", { amount: 50 }],
    ["amount_paid", { amount_paid: "50.00" }],
    ["both, equal", { amount: "50", amount_paid: 50 }]
  ])("books the amount given as %s", async (_, body) => {
    const invoice = await books.issued()
    expect((await markPaid(invoice.id, body)).body.data).toMatchObject({ status: "partially_paid", balance_due: 71 })
    expect((await markPaid(invoice.id)).body.data).toMatchObject({ status: "paid", amount_paid: 121 })
    expect((await paymentsOf(invoice.id)).map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([50, 71])
  })

  it("keeps date, method, reference and notes; payment_reference is another name of reference", async () => {
    const invoice = await books.issued()
    const given = { payment_date: "2026-03-09", payment_method: "cash", notes: "at the door" }
    await markPaid(invoice.id, { ...given, amount: 1, payment_reference: "A" })
    await markPaid(invoice.id, { ...given, amount: 1, payment_reference: "B", reference: "B" })
    expect(await paymentsOf(invoice.id)).toMatchObject([
      { ...given, reference: "B" },
      { ...given, reference: "A" }
    ])
  })

  it("answers 422 for references that differ and for amounts that differ, are nothing, too fine or above the balance, and books nothing", async () => {
    const invoice = await books.issued()
    for (const [body, field] of [
      [{ amount: 50, amount_paid: 51 }, "amount_paid"],
      [{ reference: "A", payment_reference: "B" }, "payment_reference"],
      [{ amount: 0 }, "amount"],
      [{ amount_paid: -1 }, "amount_paid"],
      [{ amount: 1.001 }, "amount"],
      [{ amount_paid: 1.001 }, "amount"],
      [{ amount: "NaN" }, "amount"],
      [{ payment_date: "2026-02-30" }, "payment_date"],
      [{ payment_method: "barter" }, "payment_method"]
    ] as const) {
      const answer = await markPaid(invoice.id, body)
      expect([body, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([body, 422, [field]])
    }
    const refused = await markPaid(invoice.id, { amount: 121.01 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "amount_exceeds_balance",
      { balance_due: 121 }
    ])
    expect(await books.invoice(invoice.id)).toEqual(invoice)
    expect(await paymentsOf(invoice.id)).toEqual([])
  })

  it("answers 422 on currency for another currency than the invoice's, and books nothing", async () => {
    const invoice = await books.issued()
    const { body, status } = await markPaid(invoice.id, { amount: 50, currency: "USD" })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["currency"]])
    expect(await books.invoice(invoice.id)).toEqual(invoice)
    expect((await markPaid(invoice.id, { amount: 50, currency: "EUR" })).status).toBe(200)
  })

  it("issues a draft, and publishes the payment once", async () => {
    const draft = await books.draft()
    const { body } = await markPaid(draft.id)
    expect(body.data).toMatchObject({ status: "paid", sent_at: null, sent_method: null })
    expect(body.data.number).toMatch(/^INV-2026-/)
    const { issued_at, paid_at, updated_at } = body.data
    expect([issued_at, paid_at]).toEqual([updated_at, updated_at])
    const { events } = await app.run(verifiedAuditLog(books.id))
    const [payment] = await paymentsOf(draft.id)
    const caused = events.filter(
      ({ data }) => data.id === (data.object === "invoice" ? draft.id : payment.id) && data.object !== "customer"
    )
    expect(caused.map(({ type }) => type)).toEqual(["invoice.created", "payment.created", "invoice.paid"])
    expect(caused[1]?.data.attributes).toEqual(payment)
    expect(caused[2]?.data).toMatchObject({ previous: { status: "draft" }, attributes: body.data })
  })

  it("answers 422 already_paid for a paid invoice, and for a draft of nothing if an amount is given", async () => {
    const { invoice } = await books.paid()
    const free = await books.draft({ items: [line(10, { discount: 100 })] })
    for (const [target, body] of [
      [invoice, undefined],
      [invoice, { amount: 1 }],
      [free, { amount: 1 }]
    ] as const) {
      const refused = await markPaid(target.id, body)
      expect([refused.status, refused.body.code]).toEqual([422, "already_paid"])
      expect(await books.invoice(target.id)).toEqual(target)
    }
  })

  it("answers 422 already_paid for a paid invoice even if the organization allows overpayment, and books nothing", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const markAsPaid = (id: number, body?: object) => generous.call("POST", `/invoices/${id}/mark-paid`, body)
    const { invoice } = await generous.paid()
    const free = await generous.draft({ items: [line(10, { discount: 100 })] })
    for (const target of [invoice, free]) {
      const refused = await markAsPaid(target.id, { amount: 121 })
      expect([refused.status, refused.body.code]).toEqual([422, "already_paid"])
      expect(await generous.invoice(target.id)).toEqual(target)
    }
    const open_invoice = await generous.issued()
    expect((await markAsPaid(open_invoice.id, { amount: 150 })).body.data).toMatchObject({ refundable_amount: 29 })
    expect((await markAsPaid(open_invoice.id, { amount: 1 })).body.code).toBe("already_paid")
  })

  it.each([
    ["its total is zero", { items: [line(10, { discount: 100 })] }],
    ["it was paid in advance", { prepaid_amount: 121 }]
  ])("issues a draft without a payment if %s", async (_, changes) => {
    const draft = await books.draft(changes)
    const { body, status } = await markPaid(draft.id)
    expect([status, body.data]).toMatchObject([200, { status: "paid", balance_due: 0, sent_at: null }])
    expect(body.data.number).toMatch(/^INV-2026-/)
    expect(await books.invoice(draft.id)).toEqual(body.data)
    expect(await paymentsOf(draft.id)).toEqual([])
    const { events } = await app.run(verifiedAuditLog(books.id))
    expect(events.at(-1)).toMatchObject({
      type: "invoice.paid",
      data: { previous: { status: "draft" }, attributes: body.data }
    })
    expect((await markPaid(draft.id)).body.code).toBe("already_paid")
  })
})
