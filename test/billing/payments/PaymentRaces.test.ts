import { beforeAll, describe, expect, it } from "vitest"
import { type Books, paymentBody, race, statuses, useBilling } from "../../support/Billing.ts"

const { open } = useBilling()
let books: Books

beforeAll(async () => {
  books = await open()
})

const rounds = Array.from({ length: 20 }, (_, round) => round)
const summary = (id: number) => books.made("GET", `/invoices/${id}/payments/summary`)

describe("money in a race", () => {
  it("is paid once when eight mark an issued invoice paid", async () => {
    for (const _ of rounds) {
      const { id } = await books.issued()
      const answers = await race(8, () => books.call("POST", `/invoices/${id}/mark-paid`))
      expect(statuses(answers)).toEqual({ 200: 1, 422: 7 })
      expect(answers.flatMap(({ body }) => body.code ?? [])).toEqual(Array.from({ length: 7 }, () => "already_paid"))
      expect(await summary(id)).toMatchObject({ amount_paid: 121, balance_due: 0, payments_count: 1 })
    }
  })

  it("is paid once, under one number, when eight mark a draft paid", async () => {
    for (const _ of rounds) {
      const { id } = await books.draft()
      const answers = await race(8, () => books.call("POST", `/invoices/${id}/mark-paid`))
      expect(statuses(answers)).toEqual({ 200: 1, 422: 7 })
      expect(await summary(id)).toMatchObject({ amount_paid: 121, payments_count: 1 })
    }
  })

  it("never exceeds the balance when eight pay 50.00 of 121.00", async () => {
    for (const _ of rounds) {
      const { id } = await books.issued()
      const answers = await race(8, () => books.call("POST", "/payments", paymentBody(id, 50)))
      expect(statuses(answers)).toEqual({ 201: 2, 422: 6 })
      expect(await summary(id)).toMatchObject({ amount_paid: 100, balance_due: 21, payments_count: 2 })
    }
  })

  it("is never refunded beyond the payment when sixteen refund 50.00 of 121.00", async () => {
    for (const _ of rounds) {
      const { invoice, payment } = await books.paid()
      const answers = await race(16, () => books.call("POST", `/payments/${payment.id}/refund`, { amount: 50 }))
      expect(statuses(answers)).toEqual({ 200: 2, 422: 14 })
      const { refunded_amount, refunds, version } = await books.made("GET", `/payments/${payment.id}`)
      expect([refunded_amount, refunds.length, version]).toEqual([100, 2, 3])
      expect(await books.invoice(invoice.id)).toMatchObject({ amount_refunded: 100, balance_due: 100 })
    }
  })

  it("has one truth when deleting a payment races with refunding it", async () => {
    const seen = new Set<string>()
    for (const _ of rounds) {
      const { invoice, payment } = await books.paid()
      const [removed, refunded] = await Promise.all([
        books.call("DELETE", `/payments/${payment.id}`),
        books.call("POST", `/payments/${payment.id}/refund`, { amount: 1 })
      ])
      const outcome = `${removed.status} ${refunded.status}`
      expect(["200 404", "422 200"]).toContain(outcome)
      seen.add(outcome)
      const expected = removed.status === 200 ? [0, 0, 121] : [121, 1, 1]
      const { amount_paid, amount_refunded, balance_due } = await books.invoice(invoice.id)
      expect([amount_paid, amount_refunded, balance_due]).toEqual(expected)
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  it("has one truth when deleting a payment races with paying again", async () => {
    for (const _ of rounds) {
      const invoice = await books.issued()
      const first = await books.pay(invoice, 100)
      const [removed, paid] = await Promise.all([
        books.call("DELETE", `/payments/${first.id}`),
        books.call("POST", `/invoices/${invoice.id}/mark-paid`)
      ])
      expect([removed.status, paid.status]).toEqual([200, 200])
      const { amount_paid, balance_due, payments_count } = await summary(invoice.id)
      expect(payments_count).toBe(1)
      // The new payment is 121.00 if the first payment was deleted before it, and otherwise 21.00.
      expect([
        [21, 100],
        [121, 0]
      ]).toContainEqual([amount_paid, balance_due])
    }
  })

  it("reaches either a deleted draft or a paid invoice when deleting the draft races with paying it", async () => {
    for (const _ of rounds) {
      const { id } = await books.draft()
      const [removed, paid] = await Promise.all([
        books.call("DELETE", `/invoices/${id}`),
        books.call("POST", `/invoices/${id}/mark-paid`)
      ])
      expect(["200 404", "422 200"]).toContain(`${removed.status} ${paid.status}`)
      const { status } = await books.call("GET", `/invoices/${id}`)
      expect(status).toBe(removed.status === 200 ? 404 : 200)
    }
  })

  it("loses no change and no version when describing a payment races with refunding it", async () => {
    for (const _ of rounds) {
      const { payment } = await books.paid()
      const answers = await Promise.all([
        books.call("PUT", `/payments/${payment.id}`, { notes: "described" }),
        books.call("POST", `/payments/${payment.id}/refund`, { amount: 1 })
      ])
      expect(statuses(answers)).toEqual({ 200: 2 })
      const { notes, refunded_amount, refunds, version } = await books.made("GET", `/payments/${payment.id}`)
      expect([notes, refunded_amount, refunds.length, version]).toEqual(["described", 1, 1, 3])
      for (const { body } of answers) expect(body.data.refunds).toHaveLength(body.data.refunded_amount)
    }
  })
})
