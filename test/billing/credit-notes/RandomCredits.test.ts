import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { type Books, line, paymentBody, race, useBilling } from "../../support/Billing.ts"
import { runs } from "../../support/service/Runs.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

// Without a mail server, messages are written to a folder, which accepts every address.
const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))

const clients = 8
const steps = runs(40)
const invoices = 4

interface Invoice {
  readonly id: number
  readonly items: ReadonlyArray<{ readonly id: number }>
}
interface Group {
  readonly name: string
  readonly taxable_amount: number
  readonly tax_amount: number
}

interface Known {
  readonly books: Books
  readonly credits: ReturnType<typeof creditsOf>
  readonly invoices: ReadonlyArray<Invoice>
  readonly notes: Array<{ readonly id: number }>
  readonly payments: Array<{ readonly id: number }>
}

const pick = <A>(from: ReadonlyArray<A>, dice: number): A | undefined => from[dice % Math.max(1, from.length)]
const cents = (dice: number) => ((dice % 6_000) + 1) / 100
const to = { recipients: "a@beta.eu", attach_pdf: false }

/** Actions on existing invoices, notes and payments; two random numbers choose the records and amounts. */
const actions: ReadonlyArray<(known: Known, a: number, b: number) => Promise<{ readonly status: number }>> = [
  async ({ credits, invoices, notes }, a, b) => {
    const answer = await credits.ask(pick(invoices, a) ?? { id: 1 }, cents(b))
    if (answer.status === 201) notes.push(answer.body.data)
    return answer
  },
  async ({ credits, invoices, notes }, a, b) => {
    const invoice = pick(invoices, a)
    const item = { invoice_item_id: pick(invoice?.items ?? [], b)?.id }
    const asked = b % 2 === 0 ? { ...item, quantity: ((b % 7) + 1) / 4 } : { ...item, amount: cents(b) }
    const answer = await credits.lines(invoice ?? { id: 1 }, [asked])
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

/** Credits everything of an invoice that is not credited yet, and sends all of its notes. */
const creditRest = async ({ books, credits }: Known, invoice: Invoice) => {
  const { body } = await credits.ask(invoice, 1_000_000)
  if (body.details.remaining > 0) await credits.draft(invoice, body.details.remaining)
  const { body: listed } = await books.call("GET", `/credit-notes?invoice_id=${invoice.id}&per_page=100`)
  const notes: ReadonlyArray<{ readonly id: number; readonly status: string }> = listed.data
  for (const note of notes.filter(({ status }) => status === "draft"))
    expect((await credits.send(note, to)).status).toBe(200)
  return Promise.all(notes.map(({ id }) => credits.note(id)))
}

/** Returns the taxable amount and the tax of each tax group, in cents. */
const sumsOf = (documents: ReadonlyArray<{ readonly tax_breakdown: ReadonlyArray<Group> }>) => {
  const sums = new Map<string, ReadonlyArray<number>>()
  for (const { name, tax_amount, taxable_amount } of documents.flatMap(({ tax_breakdown }) => tax_breakdown)) {
    const [net = 0, tax = 0] = sums.get(name) ?? []
    sums.set(name, [net + Math.round(taxable_amount * 100), tax + Math.round(tax_amount * 100)])
  }
  return sums
}

describe("eight clients crediting, paying and refunding at the same time", () => {
  it.each([1, 2])("get no answer but 2xx, 404, 409 and 422, and leave books that add up (seed %i)", async (seed) => {
    const books = await open({ rates: [21, 6] })
    const [first, second] = books.tax_rate_ids
    const items = [
      line(33.333, { quantity: 3, tax_rate_ids: [first, second] }),
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
    for (const invoice of issued) {
      expect(sumsOf(await creditRest(known, invoice))).toEqual(sumsOf([invoice]))
      expect(await books.invoice(invoice.id)).toMatchObject({ status: "credited", balance_due: 0 })
    }
  })
})
