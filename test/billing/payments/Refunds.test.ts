import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, paymentBody, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { unseal } from "../../support/Seals.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open()
})

const refund = (id: number, body?: unknown) => books.call("POST", `/payments/${id}/refund`, body)

describe("POST /api/v1/payments/{id}/refund", () => {
  it("answers 200 with the payment and its refund, and the invoice owes the amount again", async () => {
    const { invoice, payment } = await books.paid()
    const { body, headers, status } = await refund(payment.id, { amount: 21, reason: "damaged" })
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    expect(body.data).toMatchObject({ amount: 121, refunded_amount: 21, status: "partially_refunded", version: 2 })
    const [row] = body.data.refunds
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Brussels" }).format(Date.parse(row.created_at))
    expect(body.data.refunds).toEqual([
      { id: row.id, amount: 21, reason: "damaged", refund_date: today, created_at: body.data.updated_at }
    ])
    expect(await books.made("GET", `/payments/${payment.id}`)).toEqual(body.data)
    expect(await books.invoice(invoice.id)).toMatchObject({
      status: "partially_paid",
      amount_paid: 121,
      amount_refunded: 21,
      balance_due: 21,
      paid_at: null
    })
    const { events } = await app.run(verifiedAuditLog(books.id))
    const refunded = events.filter(({ data, type }) => type === "payment.refunded" && data.id === payment.id)
    expect(refunded.map(({ data }) => data.attributes)).toEqual([body.data])
  })

  it.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["null", "null"]
  ])("refunds the rest with %s", async (_, body) => {
    const { invoice, payment } = await books.paid()
    await refund(payment.id, { amount: "20.50" })
    const answer = await refund(payment.id, body)
    expect(answer.body.data).toMatchObject({ status: "refunded", refunded_amount: 121 })
    expect(answer.body.data.refunds.map(({ amount }: { amount: number }) => amount)).toEqual([20.5, 100.5])
    expect(await books.invoice(invoice.id)).toMatchObject({
      status: "sent",
      payment_status: "unpaid",
      balance_due: 121
    })
  })

  it("answers 422 for more than the rest, for nothing, and too fine an amount, and refunds nothing", async () => {
    const { invoice, payment } = await books.paid()
    const first = (await refund(payment.id, { amount: 100 })).body.data
    const before = await books.invoice(invoice.id)
    const refused = await refund(payment.id, { amount: 21.01 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "amount_exceeds_refundable",
      { refundable_amount: 21 }
    ])
    for (const [body, field] of [
      [{ amount: 0 }, "amount"],
      [{ amount: -1 }, "amount"],
      [{ amount: 0.001 }, "amount"],
      [{ amount: "all" }, "amount"],
      [{ reason: "x".repeat(256) }, "reason"]
    ] as const) {
      const answer = await refund(payment.id, body)
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    }
    expect(await books.made("GET", `/payments/${payment.id}`)).toEqual(first)
    expect(await books.invoice(invoice.id)).toEqual(before)
    await refund(payment.id)
    expect((await refund(payment.id)).body.code).toBe("amount_exceeds_refundable")
    expect((await refund(payment.id, { amount: 0.01 })).body.code).toBe("amount_exceeds_refundable")
  })

  it("answers 422 on currency for another currency than the invoice's, and refunds nothing", async () => {
    const { payment } = await books.paid()
    const { body, status } = await refund(payment.id, { amount: 21, currency: "USD" })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["currency"]])
    expect(await books.made("GET", `/payments/${payment.id}`)).toEqual(payment)
    expect((await refund(payment.id, { amount: 21, currency: "EUR" })).status).toBe(200)
  })

  it("counts on its day, which is never before that of the payment", async () => {
    const { body, status } = await refund((await books.paid()).payment.id, { amount: 21, refund_date: "2026-03-04" })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["refund_date"]])
    const dated = await refund((await books.paid()).payment.id, { amount: 21, refund_date: "2026-03-07" })
    expect(dated.body.data.refunds[0].refund_date).toBe("2026-03-07")
    const { id } = await books.issued()
    const later = await books.made("POST", "/payments", paymentBody(id, 121, { payment_date: "2999-01-02" }))
    expect((await refund(later.id)).body.data.refunds[0].refund_date).toBe("2999-01-02")
  })

  it("lets a reopened invoice be paid again, and publishes the event again", async () => {
    const { invoice, payment } = await books.paid()
    await refund(payment.id)
    const again = await books.made("POST", `/invoices/${invoice.id}/mark-paid`)
    expect(again).toMatchObject({ status: "paid", amount_paid: 242, amount_refunded: 121, balance_due: 0 })
    const { events } = await app.run(verifiedAuditLog(books.id))
    expect(events.filter(({ data, type }) => type === "invoice.paid" && data.id === invoice.id)).toHaveLength(2)
  })

  it("refunds the overpaid amount of an invoice, and leaves it paid", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const { id } = await generous.issued()
    const payment = await generous.pay({ id, balance_due: 131 })
    await generous.made("POST", `/payments/${payment.id}/refund`, { amount: 10 })
    expect(await generous.invoice(id)).toMatchObject({ status: "paid", payment_status: "paid", refundable_amount: 0 })
  })

  it("cannot be taken back if the invoice was paid again since, unless overpayments are allowed", async () => {
    const { invoice, payment } = await books.paid()
    const [row] = (await refund(payment.id)).body.data.refunds
    const again = await books.pay({ id: invoice.id, balance_due: 121 })
    const before = await books.invoice(invoice.id)
    const takeBack = () => books.call("DELETE", `/payments/${payment.id}/refunds/${row.id}`)
    const { body, status } = await takeBack()
    expect([status, body.code, body.details]).toEqual([422, "amount_exceeds_balance", { balance_due: 0 }])
    expect(await books.invoice(invoice.id)).toEqual(before)
    await books.made("DELETE", `/payments/${again.id}`)
    expect((await takeBack()).body.data).toMatchObject({ status: "completed", refunds: [] })

    const generous = await open({ settings: { allow_overpayment: true } })
    const paid = await generous.paid()
    const refunded = await generous.made("POST", `/payments/${paid.payment.id}/refund`)
    await generous.pay({ id: paid.invoice.id, balance_due: 121 })
    await generous.made("DELETE", `/payments/${paid.payment.id}/refunds/${refunded.refunds[0].id}`)
    expect(await generous.invoice(paid.invoice.id)).toMatchObject({
      payment_status: "overpaid",
      refundable_amount: 121
    })
  })

  it("can be taken back if a credit note was sent since, because the credit can be refunded", async () => {
    const { invoice, payment } = await books.paid()
    const [row] = (await refund(payment.id)).body.data.refunds
    const credit = { invoice_id: invoice.id, amount: 121, reason: "Returned goods" }
    const note = await books.made("POST", "/credit-notes", credit)
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example" })
    await books.made("DELETE", `/payments/${payment.id}/refunds/${row.id}`)
    expect(await books.invoice(invoice.id)).toMatchObject({ status: "credited", refundable_amount: 121 })
  })

  it("answers 403 without the scope payments:refund, and to a member", async () => {
    const { payment } = await books.paid()
    const narrow = await app.run(seedToken(books.owner.id, ["payments:read", "payments:write"]))
    const member = await app.run(seedMember(books.id, "member"))
    for (const [token, code] of [
      [narrow, "missing_scope"],
      [member.token, "forbidden"]
    ] as const) {
      const { body, status } = await books.call("POST", `/payments/${payment.id}/refund`, undefined, { token })
      expect([status, body.code]).toEqual([403, code])
    }
    expect((await books.made("GET", `/payments/${payment.id}`)).refunded_amount).toBe(0)
  })
})

describe("PUT /api/v1/payments/{id} of a refunded payment", () => {
  it("answers 422 for a day after that of its first refund", async () => {
    const { payment } = await books.paid()
    for (const refund_date of ["2026-04-10", "2026-04-02"]) await refund(payment.id, { amount: 1, refund_date })
    const dated = (payment_date: string) => books.call("PUT", `/payments/${payment.id}`, { payment_date })
    const { body, status } = await dated("2026-04-03")
    const message = "The payment_date field must not be after 2026-04-02, the day of a refund of the payment."
    expect([status, body.errors]).toEqual([422, { payment_date: [message] }])
    expect((await dated("2026-04-02")).body.data).toMatchObject({ payment_date: "2026-04-02" })
  })
})

describe("a refund of an earlier version, which has no date", () => {
  it("counts on the day on which it was recorded in the organization's time zone, or on that of its moved payment", async () => {
    const books = await open({ timezone: "Pacific/Kiritimati" })
    for (const payment_date of ["2026-03-05", "2026-05-10"]) {
      const invoice = await books.issued()
      const { id } = await books.made("POST", "/payments", paymentBody(invoice.id, 121, { payment_date }))
      await books.made("POST", `/payments/${id}/refund`, { amount: 1 })
      await app.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* unseal("payment_refunds")
          yield* sql`update payment_refunds set refund_date = null, created_at = '2026-04-01T10:30:00Z'
            where organization_id = ${books.id} and payment_id = ${id}`
        })
      )
    }
    const recorded = await app.inDatabase(`select refund_date::text from recorded_refunds
      where organization_id = ${books.id} order by id`)
    expect(recorded).toEqual([{ refund_date: "2026-04-02" }, { refund_date: "2026-05-10" }])
  })
})
