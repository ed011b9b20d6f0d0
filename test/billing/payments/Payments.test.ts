import { beforeAll, describe, expect, it } from "vitest"
import { type Books, paymentBody, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books
let theirs: Books

beforeAll(async () => {
  books = await open()
  theirs = await open()
})

const create = (body: object, by = books) => by.call("POST", "/payments", body)

/** Expects a refusal on exactly these fields or with this code, after which the invoice is unchanged. */
const refuses = async (invoice: { readonly id: number }, changes: object, expected: string | ReadonlyArray<string>) => {
  const before = await books.invoice(invoice.id)
  const { body, status } = await create({ ...paymentBody(invoice.id, 1), ...changes })
  const named = typeof expected === "string" ? body.code : Object.keys(body.errors ?? {})
  expect([status, named]).toEqual([422, expected])
  expect(await books.invoice(invoice.id)).toEqual(before)
  return body
}

describe("POST /api/v1/payments", () => {
  it("answers 201 with the payment, as GET then answers it, and the invoice owes that much less", async () => {
    const invoice = await books.issued()
    const { body, headers, status } = await create(
      paymentBody(invoice.id, 21.5, { reference: "E2E-77", notes: "first half", ignored: true })
    )
    expect([status, headers.get("etag")]).toEqual([201, '"v1"'])
    const { created_at, id, ...rest } = body.data
    expect(rest).toEqual({
      invoice_id: invoice.id,
      amount: 21.5,
      currency: "EUR",
      payment_date: "2026-03-05",
      payment_method: "bank_transfer",
      status: "completed",
      reference: "E2E-77",
      notes: "first half",
      refunded_amount: 0,
      refunds: [],
      bank_transaction_id: null,
      is_prepayment: false,
      external_id: null,
      metadata: {},
      updated_at: created_at,
      version: 1
    })
    expect(await books.made("GET", `/payments/${id}`)).toEqual(body.data)
    expect(await books.invoice(invoice.id)).toMatchObject({
      status: "partially_paid",
      payment_status: "partially_paid",
      amount_paid: 21.5,
      balance_due: 99.5,
      paid_at: null,
      version: 3
    })
  })

  it("settles the invoice with the last cent, at the moment of that payment", async () => {
    const invoice = await books.issued()
    await create(paymentBody(invoice.id, "120.99"))
    expect((await books.invoice(invoice.id)).status).toBe("partially_paid")
    const { body } = await create(paymentBody(invoice.id, 0.01))
    expect(await books.invoice(invoice.id)).toMatchObject({
      status: "paid",
      payment_status: "paid",
      balance_due: 0,
      paid_at: body.data.created_at
    })
    await refuses(invoice, { amount: 0.01 }, "already_paid")
  })

  it("issues a draft, in one transaction with the payment", async () => {
    const draft = await books.draft()
    await books.pay(draft, 121)
    const invoice = await books.invoice(draft.id)
    expect(invoice).toMatchObject({ status: "paid", sent_at: null, version: 3 })
    expect(invoice.number).toMatch(/^INV-2026-\d{4}$/)
    const { entries } = await app.run(verifiedAuditLog(books.id))
    const actions = entries.filter(({ data }) => data["invoice_id"] === draft.id).map(({ action }) => action)
    expect(actions).toEqual(["invoice.created", "invoice.issued", "payment.created"])
  })

  it("answers 422 amount_exceeds_balance with the balance due, and leaves a draft a draft", async () => {
    const invoice = await books.issued()
    const { details } = await refuses(invoice, { amount: 121.01 }, "amount_exceeds_balance")
    expect(details).toEqual({ balance_due: 121 })
    await refuses(await books.draft(), { amount: 121.01 }, "amount_exceeds_balance")
  })

  it("answers 422 for an amount that is nothing, no number, or finer than the currency's coin", async () => {
    const invoice = await books.issued()
    for (const amount of [0, -1, "NaN", "1e2", null, "", 1.005, 0.30000000000000004, 1e12]) {
      await refuses(invoice, { amount }, ["amount"])
    }
    const yen = await books.issued({ currency: "JPY" })
    await refuses(yen, { amount: 1.5 }, ["amount"])
    const dinars = await books.issued({ currency: "BHD" })
    await refuses(dinars, { amount: 1.0005 }, ["amount"])
    expect((await create(paymentBody(dinars.id, 1.005))).status).toBe(201)
    expect((await create(paymentBody(yen.id, "1.00"))).status).toBe(201)
  })

  it("answers 422 on currency for another currency than the invoice's, and leaves a draft a draft", async () => {
    const currency = ["The currency field must be EUR, the currency of the invoice."]
    for (const invoice of [await books.issued(), await books.draft()]) {
      expect((await refuses(invoice, { currency: "USD" }, ["currency"])).errors).toEqual({ currency })
      expect((await create({ ...paymentBody(invoice.id, 1), currency: "EUR" })).status).toBe(201)
    }
  })

  it("accepts a payment with a future date, and answers 422 for an invalid day", async () => {
    const invoice = await books.issued()
    expect((await create(paymentBody(invoice.id, 1, { payment_date: "2999-01-01" }))).status).toBe(201)
    await refuses(invoice, { payment_date: "2026-02-30" }, ["payment_date"])
    await refuses(invoice, { payment_date: undefined, payment_method: undefined }, ["payment_date", "payment_method"])
    await refuses(invoice, { reference: "x".repeat(256), notes: "x".repeat(5_001) }, ["reference", "notes"])
  })

  it.each([
    ["sepa_credit_transfer", "sepa_credit_transfer"],
    ["direct_debit", "direct_debit"],
    ["credit_card", "card"],
    ["wire", "bank_transfer"],
    ["transfer", "bank_transfer"],
    ["cheque", "check"],
    ["stripe", "online"],
    ["paypal", "paypal"],
    ["cash", "cash"],
    ["other", "other"]
  ])("stores the method %s as %s", async (given, payment_method) => {
    const invoice = await books.issued()
    const { body } = await create(paymentBody(invoice.id, 1, { payment_method: given }))
    expect(body.data.payment_method).toBe(payment_method)
  })

  it("answers 422 with the known methods for another one", async () => {
    for (const payment_method of ["barter", "constructor", "", 30]) {
      const { errors } = await refuses(await books.issued(), { payment_method }, ["payment_method"])
      if (payment_method !== 30) expect(errors.payment_method[0]).toContain("bank_transfer, sepa_credit_transfer")
    }
  })

  it("answers 422 on invoice_id for an unknown or foreign invoice", async () => {
    const foreign = await theirs.issued()
    for (const invoice_id of [foreign.id, 999_999, 0, "1", null]) {
      const { body, status } = await create({ ...paymentBody(1, 1), invoice_id })
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["invoice_id"]])
    }
    expect((await theirs.invoice(foreign.id)).amount_paid).toBe(0)
  })

  it("answers 403 without the scope, and to a member who keeps no books", async () => {
    const invoice = await books.issued()
    const narrow = await app.run(seedToken(books.owner.id, ["invoices:write", "payments:read"]))
    const member = await app.run(seedMember(books.id, "member"))
    for (const [token, code] of [
      [narrow, "missing_scope"],
      [member.token, "forbidden"]
    ] as const) {
      const { body, status } = await books.call("POST", "/payments", paymentBody(invoice.id, 1), { token })
      expect([status, body.code]).toEqual([403, code])
    }
    expect((await books.invoice(invoice.id)).amount_paid).toBe(0)
  })
})

describe("where the organization allows overpayment", () => {
  it("accepts more than the balance; the excess can be refunded", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const invoice = await generous.issued()
    expect((await create(paymentBody(invoice.id, 126.95), generous)).status).toBe(201)
    expect(await generous.invoice(invoice.id)).toMatchObject({
      status: "paid",
      payment_status: "overpaid",
      balance_due: 0,
      refundable_amount: 5.95
    })
    expect((await create(paymentBody(invoice.id, 1), generous)).status).toBe(201)
    const { body, status } = await generous.call("POST", `/invoices/${invoice.id}/mark-paid`)
    expect([status, body.code]).toEqual([422, "already_paid"])
    expect((await generous.invoice(invoice.id)).refundable_amount).toBe(6.95)
  })

  it("publishes only once that an invoice is paid, however much is paid after that", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const invoice = await generous.issued()
    for (const amount of [100, 26.95, 1]) await generous.made("POST", "/payments", paymentBody(invoice.id, amount))
    const { events } = await app.run(verifiedAuditLog(generous.id))
    expect(events.map(({ type }) => type).filter((type) => /paid|payment/.test(type))).toEqual([
      "payment.created",
      "invoice.partially_paid",
      "payment.created",
      "invoice.paid",
      "payment.created"
    ])
  })

  it("publishes that a draft with nothing to pay is paid when a payment issues it, and only then", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const { id } = await generous.draft({ prepaid_amount: 121 })
    for (const amount of [5, 1]) await generous.made("POST", "/payments", paymentBody(id, amount))
    expect((await generous.invoice(id)).refundable_amount).toBe(6)
    const { events } = await app.run(verifiedAuditLog(generous.id))
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      "payment.created",
      "invoice.paid",
      "payment.created",
      "invoice.updated"
    ])
  })

  it("answers 422 on amount for more than the columns hold in sum", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const invoice = await generous.issued()
    expect((await create(paymentBody(invoice.id, 999_999_999_999), generous)).status).toBe(201)
    const before = await generous.invoice(invoice.id)
    const { body, status } = await create(paymentBody(invoice.id, 999_999_999_999), generous)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["amount"]])
    expect(await generous.invoice(invoice.id)).toEqual(before)
  })
})
