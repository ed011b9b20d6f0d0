import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Books, line, race, useBilling, paymentBody } from "../../support/Billing.ts"
import { both, by, creditsOf, errorsOf, made, soldLines, verifyCredits } from "./Credits.ts"
import { newLine, openAccount } from "../../banking/Books.ts"

const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))
let books: Books
let credits: ReturnType<typeof creditsOf>
let account: number

beforeAll(async () => {
  books = await open({ rates: [21, 6, 20] })
  credits = creditsOf(books)
  account = await openAccount(app, books.id)
})

const to = { recipients: "a@beta.eu", attach_pdf: false }

const issued = (changes: object = {}) => books.issued({ items: soldLines(books), ...changes })

const put = (note: { readonly id: number }, body: unknown, further?: object) =>
  books.call("PUT", `/credit-notes/${note.id}`, body, further)

describe("PUT /api/v1/credit-notes/{id}", () => {
  it("changes nothing when it sends back what GET answers, of both forms, before and after the sending", async () => {
    const invoice = await issued()
    const drafts = [
      await credits.draft(invoice, 50),
      made(await credits.lines(invoice, [by(invoice, 0, { quantity: 0.5 }), by(invoice, 1, { amount: 10 })]))
    ]
    for (const draft of drafts) {
      expect(await put(draft, draft)).toMatchObject({ status: 200, body: { data: draft } })
      const { deliveries: _, ...sent } = (await credits.send(draft, to)).body.data
      expect(await put(draft, sent)).toMatchObject({ status: 200, body: { data: sent } })
    }
  })

  it("answers 422 for fields that never change", async () => {
    const draft = await credits.draft(await issued(), 50)
    const fixed = { invoice_id: draft.invoice_id + 1, currency: "USD", number: "CN-1", status: "sent" }
    const errors = Object.keys(fixed).map((field) => [field, [`The ${field} field cannot be changed.`]])
    expect(errorsOf(await put(draft, fixed))).toEqual(Object.fromEntries(errors))
  })

  it("replaces the lines of the draft by others, and keeps the ids of those that stay", async () => {
    const invoice = await issued()
    const draft = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 3 }), by(invoice, 1, { amount: 53 })]))
    const [first, second] = draft.items
    const changed = await put(draft, {
      ...draft,
      items: [
        { ...first, quantity: 2 },
        { ...second, amount: 106 }
      ]
    })
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"v2"'])
    expect(changed.body.data).toMatchObject({ total: 149.54, version: 2 })
    expect(changed.body.data.items).toMatchObject([
      { id: first.id, quantity: 2, amount: null, line_total: 35.98 },
      { id: second.id, quantity: 1, amount: 106, line_total: 100 }
    ])
    expect(await credits.note(draft.id)).toEqual(changed.body.data)
    made(await credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))
    expect(errorsOf(await put(draft, { items: [{ ...first, quantity: 3 }] }))).toEqual({
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    expect(await credits.note(draft.id)).toEqual(changed.body.data)
    const other = await credits.draft(await issued(), 1)
    const named = await put(draft, { items: [{ ...first, id: other.items[0].id, quantity: 1.5 }] })
    expect(named.body.data.items).toMatchObject([{ id: first.id, quantity: 1.5 }])
  })

  it("turns an amount into lines and lines into an amount, and refuses both together", async () => {
    const invoice = await issued()
    const draft = await credits.draft(invoice, 50, { credit_note_type_code: "381" })
    const lines = await put(draft, { ...draft, items: [by(invoice, 2, { quantity: 0.5 })] })
    expect(lines.body.data).toMatchObject({ amount: 50, subtotal: 50, tax_total: 0, credit_note_type_code: "381" })
    const amount = await put(draft, { ...lines.body.data, amount: 60 })
    expect(amount.body.data).toMatchObject({ amount: 60, credit_type: "partial" })
    expect(amount.body.data.items[0].invoice_item_id).toBe(null)
    expect(errorsOf(await put(draft, { amount: 10, items: [by(invoice, 2, { quantity: 1 })] }))).toEqual({
      items: [both]
    })
    expect(errorsOf(await put(draft, { items: [{ quantity: 1 }] }))).toEqual({
      "items.0.invoice_item_id": ["The items.0.invoice_item_id field is required."]
    })
    expect(errorsOf(await put(draft, { amount: 1_000 }))).toBe("exceeds_creditable_amount")
  })

  it("changes reason, type, code and what clients keep, and writes an audit entry", async () => {
    const invoice = await issued()
    const draft = await credits.draft(invoice, 50)
    const changes = { reason: "Damaged", credit_note_type_code: "381", external_id: "A-1" }
    const { body } = await put(draft, changes)
    const shown = draft.items.map((item: object) => ({ ...item, description: "Damaged" }))
    expect(body.data).toMatchObject({
      ...draft,
      ...changes,
      items: shown,
      updated_at: body.data.updated_at,
      version: 2
    })
    expect(errorsOf(await put(draft, { credit_type: "full" }))).toMatchObject({ credit_type: [expect.any(String)] })
    expect(errorsOf(await put(draft, { invoice_id: 1 }))).toMatchObject({ invoice_id: [expect.any(String)] })
    expect(errorsOf(await put(draft, { credit_note_type_code: "999" }))).toHaveProperty("credit_note_type_code")
    expect(await credits.note(draft.id)).toEqual(body.data)
  })

  it("refuses changes of a sent note but of what clients keep, and another version", async () => {
    const draft = await credits.draft(await issued(), 50)
    expect((await put(draft, { reason: "x" }, { headers: { "if-match": '"v9"' } })).status).toBe(412)
    await credits.send(draft, to)
    const before = await credits.note(draft.id)
    expect(errorsOf(await put(draft, { reason: "Late" }))).toBe("credit_note_locked")
    expect(errorsOf(await put(draft, { amount: 49 }))).toBe("credit_note_locked")
    expect(await credits.note(draft.id)).toEqual(before)
    expect((await put(draft, { metadata: { project: "Alpha" } })).body.data.metadata).toEqual({ project: "Alpha" })
  })

  it("never credits more than the invoice has when drafts are changed at the same time", async () => {
    const invoice = await books.issued({ items: [line(100, { quantity: 4 })] })
    const drafts = [1, 2, 3].map(() => credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))
    const notes = (await Promise.all(drafts)).map(made)
    const answers = await race(9, (index) => put(notes[index % 3], { items: [by(invoice, 0, { quantity: 2 })] }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    const lists = await Promise.all(notes.map(({ id }) => credits.note(id)))
    expect(lists.map(({ subtotal }) => subtotal).toSorted((left, right) => left - right)).toEqual([100, 100, 200])
  })
})

const thisYear = new Date().getUTCFullYear()

interface Taxed {
  readonly tax_total: number
}

describe("an invoice that is credited in parts", () => {
  it("is credited to the cent, although its lines with tax would be a cent more", async () => {
    const items = [68.33, 68.33, 57.5, 85].map((price) => line(price, { tax_rate_ids: [books.tax_rate_ids[2]] }))
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
  it("accepts no payment, even if the organization allows overpayment: 422 already_paid", async () => {
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
