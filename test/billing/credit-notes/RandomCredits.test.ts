import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { type Books, line, paymentBody, race, useBilling } from "../../support/Billing.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

// Mail is kept in the outbox, where every address is fine.
const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))

const clients = 8
const steps = 40
const invoices = 4

interface Known {
  readonly books: Books
  readonly credits: ReturnType<typeof creditsOf>
  readonly invoices: ReadonlyArray<{ readonly id: number }>
  readonly notes: Array<{ readonly id: number }>
  readonly payments: Array<{ readonly id: number }>
}

const pick = <A>(from: ReadonlyArray<A>, dice: number): A | undefined => from[dice % Math.max(1, from.length)]
const cents = (dice: number) => ((dice % 6_000) + 1) / 100
const to = { recipients: "a@beta.eu", attach_pdf: false }

/** Each takes two random numbers and acts on whatever notes and payments there are by then. */
const actions: ReadonlyArray<(known: Known, a: number, b: number) => Promise<{ readonly status: number }>> = [
  async ({ credits, invoices, notes }, a, b) => {
    const answer = await credits.ask(pick(invoices, a) ?? { id: 1 }, cents(b))
    if (answer.status === 201) notes.push(answer.body.data)
    return answer
  },
  ({ credits, notes }, a) => credits.send(pick(notes, a) ?? { id: 1 }, to),
  ({ credits, notes }, a) => credits.send(pick(notes, a) ?? { id: 1 }, { ...to, resend: true }),
  ({ books, notes }, a) => books.call("DELETE", `/credit-notes/${pick(notes, a)?.id ?? 1}`),
  async ({ books, invoices, payments }, a, b) => {
    const answer = await books.call("POST", "/payments", paymentBody(pick(invoices, a)?.id ?? 1, cents(b)))
    if (answer.status === 201) payments.push(answer.body.data)
    return answer
  },
  ({ books, payments }, a, b) =>
    books.call("POST", `/payments/${pick(payments, a)?.id ?? 1}/refund`, { amount: cents(b) }),
  ({ books, payments }, a) => books.call("DELETE", `/payments/${pick(payments, a)?.id ?? 1}`)
]

describe("eight clients crediting, paying and refunding at once", () => {
  it.each([1, 2])("get no answer but 2xx, 404, 409 and 422, and leave books that add up (seed %i)", async (seed) => {
    const books = await open({ rates: [21, 6] })
    const [first, second] = books.tax_rate_ids
    const items = [
      line(99.99, { tax_rate_ids: [first, second] }),
      line(33.33, { tax_rate_ids: [second] }),
      line(0.05, { tax_exempt: true })
    ]
    const issued = await Promise.all(Array.from({ length: invoices }, () => books.issued({ items })))
    const known: Known = { books, credits: creditsOf(books), invoices: issued, notes: [], payments: [] }
    const die = fc.integer({ min: 0, max: 1_000_000 })
    const dice = fc.sample(fc.tuple(die, die, die), { numRuns: clients * steps, seed })
    const answered = new Set<number>()
    await race(clients, async (client) => {
      for (const [action, a, b] of dice.slice(client * steps, (client + 1) * steps)) {
        answered.add((await actions[action % actions.length]?.(known, a, b))?.status ?? 0)
      }
    })
    expect([200, 201, 404, 409, 422]).toEqual(expect.arrayContaining([...answered]))
    for (const { id } of issued) {
      const { amount_credited, amount_paid, amount_refunded, balance_due, refundable_amount, total } =
        await books.invoice(id)
      expect(balance_due - refundable_amount).toBeCloseTo(total - amount_credited - amount_paid + amount_refunded, 6)
    }
    const { body } = await books.call("GET", "/credit-notes?status=sent&per_page=100")
    const numbers = body.data.map(({ number }: { number: string }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.length).toBeGreaterThan(0)
  })
})
