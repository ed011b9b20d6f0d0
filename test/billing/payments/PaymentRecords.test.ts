import { beforeAll, describe, expect, it } from "vitest"
import { newLine, openAccount } from "../../banking/Books.ts"
import { type Books, paymentBody, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open()
})

const get = (id: number) => books.made("GET", `/payments/${id}`)
const put = (id: number, body: object, headers: Record<string, string> = {}) =>
  books.call("PUT", `/payments/${id}`, body, { headers })

/** Creates a payment by matching a bank line with an invoice. */
const reconciledPayment = async () => {
  const { id: invoice_id } = await books.issued()
  const line = await newLine(app, books, await openAccount(app, books.id), "121.00")
  const { payment_id } = await books.made("POST", `/bank-transactions/${line}/match`, { invoice_id })
  return { id: payment_id as number }
}

describe("PUT /api/v1/payments/{id}", () => {
  it("answers 200 with the description changed, and moves no money", async () => {
    const { invoice, payment } = await books.paid()
    const changes = { payment_date: "2026-04-01", payment_method: "cheque", reference: "R", notes: "N" }
    const { body, headers, status } = await put(payment.id, changes)
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    expect(body.data).toMatchObject({ ...changes, payment_method: "check", amount: 121, version: 2 })
    expect(await get(payment.id)).toEqual(body.data)
    expect(await books.invoice(invoice.id)).toEqual(invoice)
    const cleared = await put(payment.id, { reference: null })
    expect(cleared.body.data).toMatchObject({ reference: null, notes: "N", payment_date: "2026-04-01" })
  })

  it("reads a method with capitals, spaces and hyphens, and names all methods if it knows none", async () => {
    const { payment } = await books.paid()
    for (const [payment_method, read] of [
      ["Credit Card", "card"],
      [" SEPA credit-transfer ", "sepa_credit_transfer"],
      ["bank-transfer", "bank_transfer"]
    ]) {
      expect((await put(payment.id, { payment_method })).body.data.payment_method).toBe(read)
    }
    const named =
      "must be one of: bank_transfer, sepa_credit_transfer, direct_debit, card, cash, check, paypal, online, other."
    for (const [path, body] of [
      ["/payments", paymentBody(payment.invoice_id, 1, { payment_method: "barter" })],
      [`/invoices/${payment.invoice_id}/mark-paid`, { payment_method: "barter" }]
    ] as const) {
      const refused = await books.call("POST", path, body)
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        { payment_method: [`The payment_method field ${named}`] }
      ])
    }
  })

  it("answers 422 for fields that never change, whatever else the body says", async () => {
    const { payment } = await books.paid()
    const fixed = { amount: 120, invoice_id: payment.invoice_id + 1, currency: "USD", status: "refunded" }
    const { body, status } = await put(payment.id, { ...fixed, notes: "x" })
    const errors = Object.keys(fixed).map((field) => [field, [`The ${field} field cannot be changed.`]])
    expect([status, body.errors]).toEqual([422, Object.fromEntries(errors)])
    for (const [changes, field] of [
      [{ payment_date: null }, "payment_date"],
      [{ payment_method: "barter" }, "payment_method"]
    ] as const) {
      const refused = await put(payment.id, changes)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]])
    }
    expect(await get(payment.id)).toEqual(payment)
    expect((await put(payment.id, payment)).status).toBe(200)
  })

  it("answers 412 to an If-Match of another version", async () => {
    const { payment } = await books.paid()
    expect((await put(payment.id, { notes: "x" }, { "if-match": '"v2"' })).status).toBe(412)
    expect((await put(payment.id, { notes: "x" }, { "if-match": '"v1"' })).status).toBe(200)
  })
})

describe("DELETE /api/v1/payments/{id}", () => {
  it("answers 200, and the invoice owes the amount again", async () => {
    const { invoice, payment } = await books.paid()
    const { body, status } = await books.call("DELETE", `/payments/${payment.id}`)
    expect([status, body.data]).toEqual([200, { id: payment.id }])
    expect(await books.invoice(invoice.id)).toMatchObject({
      status: "sent",
      payment_status: "unpaid",
      amount_paid: 0,
      balance_due: 121,
      paid_at: null
    })
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/refund"]
    ] as const) {
      const answer = await books.call(method, `/payments/${payment.id}${path}`, method === "PUT" ? {} : undefined)
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    const listed = (await books.call("GET", `/payments?invoice_id=${invoice.id}`)).body
    expect([listed.data, listed.meta.total]).toEqual([[], 0])
    expect((await books.made("GET", `/invoices/${invoice.id}/payments/summary`)).payments_count).toBe(0)
  })

  it("answers 422 for a refunded payment, in part or in full, and for a reconciled one", async () => {
    const { payment: partly } = await books.paid()
    await books.made("POST", `/payments/${partly.id}/refund`, { amount: 1 })
    const { payment: fully } = await books.paid()
    await books.made("POST", `/payments/${fully.id}/refund`)
    const reconciled = await reconciledPayment()
    for (const { id } of [partly, fully, reconciled]) {
      const before = await get(id)
      const { body, status } = await books.call("DELETE", `/payments/${id}`)
      expect([status, body.code]).toEqual([422, "payment_locked"])
      expect(await get(id)).toEqual(before)
    }
    await books.pay(await books.invoice(partly.invoice_id))
  })

  it("answers 412 to an If-Match of another version", async () => {
    const { payment } = await books.paid()
    const remove = (match: string) =>
      books.call("DELETE", `/payments/${payment.id}`, undefined, { headers: { "if-match": match } })
    expect((await remove('"v3"')).status).toBe(412)
    expect((await remove('"v1"')).status).toBe(200)
  })
})

describe("GET /api/v1/payments", () => {
  it("answers newest first, filtered by invoice, status and method", async () => {
    const own = await open()
    const invoice = await own.issued()
    const made = []
    for (const [amount, payment_date, payment_method] of [
      [10, "2026-03-05", "cash"],
      [20, "2026-03-07", "card"],
      [30, "2026-03-06", "cash"]
    ] as const) {
      made.push(
        (await own.made("POST", "/payments", paymentBody(invoice.id, amount, { payment_date, payment_method }))).id
      )
    }
    const other = await own.paid()
    await own.made("POST", `/payments/${made[0]}/refund`, { amount: 4 })
    await own.made("POST", `/payments/${made[1]}/refund`)
    const ids = async (query: string) =>
      (await own.call("GET", `/payments?${query}`)).body.data.map(({ id }: { id: number }) => id)
    const [first, second, third] = made
    expect(await ids(`invoice_id=${invoice.id}`)).toEqual([second, third, first])
    expect(await ids("payment_method=cash")).toEqual([third, first])
    expect(await ids("payment_method=credit_card")).toEqual([second])
    expect(await ids("status=partially_refunded")).toEqual([first])
    expect(await ids("status=refunded")).toEqual([second])
    expect(await ids("status=completed")).toEqual([third, other.payment.id])
    expect(await ids("status=pending")).toEqual([])
    expect(await ids("per_page=2&page=2")).toEqual([other.payment.id, first])
    const listed = (await own.call("GET", `/payments?invoice_id=${invoice.id}`)).body
    expect(listed.data[0]).toEqual(await own.made("GET", `/payments/${second}`))
    expect(listed.meta.total).toBe(3)
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Gamma" })
    const theirs = await own.issued({ customer_id })
    const { id: paid } = await own.pay(theirs)
    expect(await ids(`customer_id=${customer_id}`)).toEqual([paid])
    expect((await own.call("GET", `/payments?customer_id=${customer_id}`)).body.meta.total).toBe(1)
    expect(await ids(`customer_id=${customer_id}&invoice_id=${invoice.id}`)).toEqual([])
  })

  it("finds a payment by the end of its reference or of the invoice's number, its external id and the customer's name", async () => {
    const own = await open()
    const [invoice, other] = [await own.issued(), await own.issued()]
    const body = paymentBody(invoice.id, 1, { reference: "E2E-90/4711", external_id: "erp_17" })
    const { id } = await own.made("POST", "/payments", body)
    const { id: latest } = await own.pay(other)
    const found = async (search: string, more = "") => {
      const { data, meta } = (await own.call("GET", `/payments?search=${encodeURIComponent(search)}${more}`)).body
      expect([search, more, "total" in meta ? meta.total : data.length]).toEqual([search, more, data.length])
      return data.map((payment: { id: number }) => payment.id)
    }
    for (const search of ["904711", "4711", "erp_17", invoice.number, invoice.number.slice(-4)]) {
      for (const more of ["", "&sort=payment_date", "&cursor=", "&payment_method=bank_transfer"]) {
        expect([search, more, await found(search, more)]).toEqual([search, more, [id]])
      }
      expect(await found(search, "&payment_method=cash")).toEqual([])
    }
    expect(await found("bet", "&payment_method=bank_transfer&sort=id")).toEqual([id, latest])
    for (const search of ["erp%17", "4712", "Gamma", "-"]) expect([search, await found(search)]).toEqual([search, []])
  })

  it("answers 422 for an unknown status, method or id", async () => {
    for (const query of ["status=lost", "payment_method=barter", "invoice_id=x"]) {
      expect((await books.call("GET", `/payments?${query}`)).status).toBe(422)
    }
  })

  it("answers nothing of another organization", async () => {
    const { payment } = await books.paid()
    const theirs = await open()
    expect((await theirs.call("GET", `/payments?invoice_id=${payment.invoice_id}`)).body.meta.total).toBe(0)
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/refund"]
    ] as const) {
      const answer = await theirs.call(method, `/payments/${payment.id}${path}`, method === "PUT" ? {} : undefined)
      expect([method, answer.status]).toEqual([method, 404])
    }
    expect(await get(payment.id)).toEqual(payment)
  })
})

describe("GET /api/v1/invoices/{id}/payments/summary", () => {
  it("answers the paid and refunded amounts, each payment by its date, and the balance due", async () => {
    const invoice = await books.issued()
    const summary = () => books.made("GET", `/invoices/${invoice.id}/payments/summary`)
    expect(await summary()).toEqual({
      invoice_id: invoice.id,
      currency: "EUR",
      total: 121,
      prepaid_amount: 0,
      amount_paid: 0,
      amount_refunded: 0,
      amount_credited: 0,
      balance_due: 121,
      payment_status: "unpaid",
      payments_count: 0,
      last_payment_date: null,
      payments: []
    })
    const late = await books.made("POST", "/payments", paymentBody(invoice.id, 50, { payment_date: "2026-03-09" }))
    const early = await books.made("POST", "/payments", paymentBody(invoice.id, 71, { payment_date: "2026-03-08" }))
    await books.made("POST", `/payments/${late.id}/refund`, { amount: 20 })
    const common = { payment_method: "bank_transfer" }
    expect(await summary()).toMatchObject({
      amount_paid: 121,
      amount_refunded: 20,
      balance_due: 20,
      payment_status: "partially_paid",
      payments_count: 2,
      last_payment_date: "2026-03-09"
    })
    expect((await summary()).payments).toEqual([
      { id: early.id, amount: 71, payment_date: "2026-03-08", status: "completed", ...common },
      { id: late.id, amount: 50, payment_date: "2026-03-09", status: "partially_refunded", ...common }
    ])
  })
})
