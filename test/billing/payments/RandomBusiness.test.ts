import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Books, line, paymentBody, race, useBilling } from "../../support/Billing.ts"
import { runs } from "../../support/service/Runs.ts"

const { open } = useBilling()
const clients = 8
const steps = runs(60)

/** Actions on existing invoices and payments; two random numbers choose the records and amounts. */
const actions: ReadonlyArray<
  (books: Books, known: Known, a: number, b: number) => Promise<{ readonly status: number }>
> = [
  (books, known, a, b) => keep(known.invoices, books.call("POST", "/invoices", books.body({ items: lines(a, b) }))),
  (books, known, a, b) => books.call("PUT", invoice(known, a), { items: lines(b, a), notes: String(b) }),
  (books, known, a, b) => books.call("PUT", invoice(known, a), { due_date: b % 2 === 0 ? "2026-03-01" : "2999-01-01" }),
  (books, known, a) => books.call("DELETE", invoice(known, a)),
  (books, known, a) => books.call("POST", `${invoice(known, a)}/mark-sent`),
  (books, known, a) => books.call("POST", `${invoice(known, a)}/mark-paid`),
  (books, known, a, b) => books.call("POST", `${invoice(known, a)}/mark-paid`, { amount: cents(b) }),
  (books, known, a) => keep(known.invoices, books.call("POST", `${invoice(known, a)}/duplicate`)),
  (books, known, a, b) =>
    keep(known.payments, books.call("POST", "/payments", paymentBody(pick(known.invoices, a), cents(b)))),
  (books, known, a, b) =>
    books.call("POST", `${payment(known, a)}/refund`, b % 3 === 0 ? undefined : { amount: cents(b) }),
  (books, known, a, b) => books.call("PUT", payment(known, a), { notes: String(b) }),
  (books, known, a) => books.call("DELETE", payment(known, a))
]

interface Known {
  readonly invoices: Array<number>
  readonly payments: Array<number>
}

const cents = (dice: number) => ((dice % 5_000) + 1) / 100
const lines = (a: number, b: number) => [
  line(cents(a), { quantity: (b % 7) + 1 }),
  line(cents(b), { discount: a % 101 })
]
const pick = (ids: ReadonlyArray<number>, dice: number) => ids[dice % Math.max(1, ids.length)] ?? 1
const invoice = (known: Known, dice: number) => `/invoices/${pick(known.invoices, dice)}`
const payment = (known: Known, dice: number) => `/payments/${pick(known.payments, dice)}`

const keep = async <A extends { readonly status: number; readonly body: { readonly data?: { readonly id: number } } }>(
  ids: Array<number>,
  call: Promise<A>
) => {
  const answer = await call
  if (answer.body.data !== undefined) ids.push(answer.body.data.id)
  return answer
}

describe("eight clients doing random business at the same time", () => {
  it.each([1, 2])("get no answer but 2xx, 404 and 422, and leave books that add up (seed %i)", async (seed) => {
    const books = await open({ settings: { allow_overpayment: seed === 2 } })
    const known: Known = { invoices: [(await books.draft()).id], payments: [] }
    const die = fc.integer({ min: 0, max: 1_000_000 })
    const dice = fc.sample(fc.tuple(die, die, die), { numRuns: clients * steps, seed })
    const answered = new Set<number>()
    await race(clients, async (client) => {
      for (const [action, a, b] of dice.slice(client * steps, (client + 1) * steps)) {
        const { status } = (await actions[action % actions.length]?.(books, known, a, b)) ?? { status: 0 }
        answered.add(status)
      }
    })
    expect(answered).toEqual(new Set([200, 201, 404, 422]))
    const issued: Array<string> = []
    for (const id of known.invoices) {
      const { body, status } = await books.call("GET", `/invoices/${id}`)
      if (status === 404) continue
      const { amount_credited, amount_paid, amount_refunded, balance_due, number, refundable_amount, total } = body.data
      const owed = total - amount_credited - amount_paid + amount_refunded
      expect(balance_due - refundable_amount).toBeCloseTo(owed, 6)
      if (number !== null) issued.push(number)
    }
    expect(issued.toSorted()).toEqual(issued.map((_, index) => `INV-2026-${String(index + 1).padStart(4, "0")}`))
  })
})
