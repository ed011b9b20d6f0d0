import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newLine, openAccount } from "../../banking/Books.ts"
import { type Books, line, paymentBody, useBilling } from "../../support/Billing.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))

let books: Books
let credits: ReturnType<typeof creditsOf>
let account: number

beforeAll(async () => {
  books = await open({ rates: [21, 20] })
  credits = creditsOf(books)
  account = await openAccount(app, books.id)
})

const thisYear = new Date().getUTCFullYear()
const to = { recipients: "a@beta.eu", attach_pdf: false }

interface Taxed {
  readonly tax_total: number
}

describe("an invoice that is credited in parts", () => {
  it("is credited to the cent, although its lines with tax would be a cent more", async () => {
    const items = [68.33, 68.33, 57.5, 85].map((price) => line(price, { tax_rate_ids: [books.tax_rate_ids[1]] }))
    const invoice = await books.issued({ items })
    expect(invoice.total).toBe(334.99)
    const notes: Array<Taxed> = []
    for (const amount of [82, 82, 69]) notes.push(await credits.draft(invoice, amount))
    const refused = await credits.ask(invoice, 102)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "exceeds_creditable_amount",
      { remaining: 101.99 }
    ])
    const last = await credits.draft(invoice, 101.99)
    expect(last.credit_type).toBe("full")
    const tax = [...notes, last].reduce((cents, { tax_total }) => cents + Math.round(tax_total * 100), 0)
    expect(tax).toBe(5583)
  })

  it("owes everything back when a bank line has paid it, its rounding adjustment too, and nothing once refunded", async () => {
    const bank_line = await newLine(app, books, account, "100.00")
    const made = await books.made("POST", `/bank-transactions/${bank_line}/create-document`, {
      counterparty_name: "Delta"
    })
    const invoice = await books.invoice(made.invoice_id)
    expect(invoice).toMatchObject({ subtotal: 82.64, tax_total: 17.35, rounding_adjustment: 0.01, total: 100 })
    const adjustments = []
    for (const amount of [30, 70]) {
      const note = await credits.draft(invoice, amount)
      adjustments.push(note.rounding_adjustment)
      expect((await credits.send(note, to)).body.data.refundable_amount).toBe(amount)
    }
    expect(adjustments.reduce((left, right) => left + right)).toBe(0.01)
    const owed = { status: "credited", balance_due: 0, refundable_amount: 100, payment_status: "overpaid" }
    expect(await books.invoice(invoice.id)).toMatchObject(owed)
    await books.made("POST", `/payments/${made.payment_id}/refund`)
    expect(await books.invoice(invoice.id)).toMatchObject({ ...owed, refundable_amount: 0, payment_status: "paid" })
    const period = `start_date=${thisYear - 1}-01-01&end_date=${thisYear + 1}-12-31`
    const statement = await books.made("GET", `/customers/${invoice.customer_id}/statement?${period}`)
    expect([statement.totals, statement.closing_balance]).toEqual([
      { invoiced: "100.00", paid: "100.00", credited: "100.00", refunded: "100.00" },
      "0.00"
    ])
  })

  it("is found by the bank line that pays what a note has left of it", async () => {
    const invoice = await books.issued()
    await credits.send(await credits.draft(invoice, 21), to)
    const bank_line = await newLine(app, books, account, "100.00", `paid ${invoice.number}`)
    const { suggestion } = await books.made("GET", `/bank-transactions/${bank_line}`)
    expect(suggestion).toMatchObject({ type: "invoice", id: invoice.id, difference: null })
    await books.made("POST", `/bank-transactions/${bank_line}/match`, { invoice_id: invoice.id })
    expect(await books.invoice(invoice.id)).toMatchObject({ status: "paid", balance_due: 0, refundable_amount: 0 })
  })
})

describe("an invoice that is credited in full", () => {
  it("takes no money, even where the organization allows overpayment: 422 already_paid", async () => {
    const generous = await open({ settings: { allow_overpayment: true } })
    const credit = creditsOf(generous)
    const invoice = await generous.issued()
    await credit.send(await credit.draft(invoice, 121), to)
    const before = await generous.invoice(invoice.id)
    expect([before.status, before.balance_due]).toEqual(["credited", 0])
    for (const refused of [
      await generous.call("POST", "/payments", paymentBody(invoice.id, 1)),
      await generous.call("POST", `/invoices/${invoice.id}/mark-paid`, { amount: 1 })
    ]) {
      expect([refused.status, refused.body.code]).toEqual([422, "already_paid"])
    }
    expect(await generous.invoice(invoice.id)).toEqual(before)
  })
})
