import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Books, line, race, statuses, useBilling } from "../../support/Billing.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { both, by, creditsOf, errorsOf, idOf, made, soldLines, type SoldInvoice, verifyCredits } from "./Credits.ts"

const { app, open } = useBilling()
afterAll(() => app.run(verifyCredits))
let books: Books
let credits: ReturnType<typeof creditsOf>

beforeAll(async () => {
  books = await open({ rates: [21, 6] })
  credits = creditsOf(books)
})

const to = { recipients: "a@beta.eu", attach_pdf: false }

const issued = (changes: object = {}) => books.issued({ items: soldLines(books), ...changes })
const notesOf = async (invoice: SoldInvoice) =>
  (await books.call("GET", `/credit-notes?invoice_id=${invoice.id}`)).body.data.length

describe("POST /api/v1/credit-notes with items", () => {
  it("answers 422 on currency for another currency than the invoice's, and creates nothing", async () => {
    const invoice = await issued()
    const ask = (currency: string) =>
      books.call("POST", "/credit-notes", {
        invoice_id: invoice.id,
        items: [by(invoice, 0, { quantity: 1 })],
        currency,
        reason: "Returned goods"
      })
    const currency = ["The currency field must be EUR, the currency of the invoice."]
    expect([errorsOf(await ask("USD")), await notesOf(invoice)]).toEqual([{ currency }, 0])
    made(await ask("EUR"))
  })

  it("answers 201 with the lines as the invoice has them, and lowers the balance when it is sent", async () => {
    const invoice = await issued()
    const note = made(await credits.lines(invoice, [by(invoice, 1, { amount: 53 }), by(invoice, 0, { quantity: 1 })]))
    expect(note).toMatchObject({ amount: 74.77, subtotal: 67.99, tax_total: 6.78, credit_type: "partial" })
    expect(note.items).toMatchObject([
      {
        position: 1,
        invoice_item_id: idOf(invoice, 1),
        description: "Training",
        amount: 53,
        quantity: 1,
        unit: "C62",
        unit_price: 50,
        line_total: 50,
        tax_amount: 3,
        tax_rate_ids: [books.tax_rate_ids[1]],
        discount_amount: 0
      },
      {
        position: 2,
        invoice_item_id: idOf(invoice, 0),
        description: "Consulting",
        amount: null,
        quantity: 1,
        unit: "HUR",
        unit_price: 19.99,
        discount: 10,
        discount_type: "percent",
        line_subtotal: 19.99,
        discount_amount: 2,
        line_total: 17.99,
        tax_amount: 3.78
      }
    ])
    expect(note.items[1].tax_rates).toMatchObject([{ rate: 21, taxable_amount: 17.99, tax_amount: 3.78 }])
    expect(await credits.note(note.id)).toEqual(note)
    expect((await credits.send(note, to)).status).toBe(200)
    expect(await books.invoice(invoice.id)).toMatchObject({ amount_credited: 74.77, status: "partially_paid" })
  })

  it("credits exactly the invoice when it names all of its lines", async () => {
    const invoice = await issued()
    const whole = [3, 2.5, 1].map((quantity, place) => by(invoice, place, { quantity }))
    const note = made(await credits.lines(invoice, whole, { credit_type: "full" }))
    const { subtotal, tax_breakdown, tax_total, total } = invoice
    expect(note).toMatchObject({ subtotal, tax_total, total, tax_breakdown, credit_type: "full" })
    await credits.send(note, to)
    expect(await books.invoice(invoice.id)).toMatchObject({ status: "credited", balance_due: 0 })
  })

  it("credits what an amount has left, and the amount credits what lines have left", async () => {
    const invoice = await issued({ items: [line(25, { quantity: 4 }), line(100)] })
    await credits.draft(invoice, 121)
    expect(errorsOf(await credits.lines(invoice, [by(invoice, 0, { quantity: 2.5 })]))).toEqual({
      "items.0.quantity": ["The items.0.quantity field may not be more than 2, which is left of the line."]
    })
    made(await credits.lines(invoice, [by(invoice, 0, { quantity: 2 })]))
    expect((await credits.ask(invoice, 60.51)).body.details).toEqual({ remaining: 60.5 })
    expect(await credits.draft(invoice, 60.5)).toMatchObject({ subtotal: 50, tax_total: 10.5, credit_type: "full" })
  })

  it("credits discounts and charges on the invoice with its lines, and the whole invoice with all of them", async () => {
    const [standard, reduced] = books.tax_rate_ids
    const invoice = await books.issued({
      items: [line(25, { quantity: 4 }), line(50, { tax_rate_ids: [reduced] })],
      discounts: [{ description: "Loyalty", percentage: 10, tax_rate_ids: [standard] }],
      charges: [
        { description: "Freight", amount: 20, tax_rate_ids: [standard] },
        { description: "Insurance", amount: 5, tax_exempt: true }
      ]
    })
    expect(invoice.total).toBe(191.1)
    const first = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))
    expect(first).toMatchObject({ subtotal: 27.5, tax_total: 5.78 })
    expect(first.items).toMatchObject([
      { description: "Consulting", unit_price: 25, discount_amount: 2.5, line_total: 22.5 },
      { description: "Freight", invoice_item_id: null, line_total: 5 }
    ])
    const changed = await books.call("PUT", `/credit-notes/${first.id}`, {
      ...first,
      items: first.items.map((item: object) => ({ ...item, quantity: 2 }))
    })
    expect(changed.body.data).toMatchObject({ subtotal: 55, tax_total: 11.55 })
    const rest = [by(invoice, 0, { quantity: 2 }), by(invoice, 1, { quantity: 1 })]
    const last = made(await credits.lines(invoice, rest))
    expect(last).toMatchObject({ total: 124.55, credit_type: "full" })
    expect(last.items).toMatchObject([{}, {}, { description: "Freight" }, { description: "Insurance", line_total: 5 }])
    await books.made("DELETE", `/credit-notes/${first.id}`)
    await books.made("DELETE", `/credit-notes/${last.id}`)
    const { subtotal, tax_breakdown, tax_total, total } = invoice
    expect(await credits.draft(invoice, total)).toMatchObject({ subtotal, tax_breakdown, tax_total, total })
  })

  it("prints its lines as the invoice does", async () => {
    const invoice = await issued()
    const note = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 2 })]))
    const response = await fetch(`${app.url}/api/v1/credit-notes/${note.id}/pdf`, {
      headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    })
    const text = await Effect.runPromise(pdfText(new Uint8Array(await response.arrayBuffer())))
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/Consulting 2 .*19\.99 .*35\.98/)
  })

  it.each([
    ["an amount, too", { amount: 1 }, [{ quantity: 1 }], { items: [both] }],
    ["no items", {}, [], { items: ["The items field must have at least 1 entry."] }],
    ["neither quantity nor amount", {}, [{}], { "items.0.quantity": "is required when amount is absent." }],
    ["both", {}, [{ quantity: 1, amount: 1 }], { "items.0.amount": "may not be given together with a quantity." }],
    ["a zero quantity", {}, [{ quantity: 0 }], { "items.0.quantity": "must be greater than 0." }],
    [
      "an amount of more than the line",
      {},
      [{ quantity: 1 }, { amount: 106.01 }],
      { "items.1.amount": "may not be more than 106.00, which is left of the line with its taxes." }
    ],
    [
      "a quantity of more than the line",
      {},
      [{ quantity: 3.000001 }],
      { "items.0.quantity": "may not be more than 3, which is left of the line." }
    ],
    [
      "a coin that does not exist",
      {},
      [{ amount: 1.001 }],
      { "items.0.amount": "may not have more than 2 decimal places in EUR." }
    ],
    [
      "full, although it is not",
      { credit_type: "full" },
      [{ quantity: 1 }],
      { credit_type: ["The credit_type field may only be full if it credits everything that is left."] }
    ]
  ])("answers 422 for %s, and creates nothing", async (_, changes, asked, expected) => {
    const invoice = await issued()
    const sent = asked.map((one, place) => by(invoice, place, one))
    const errors = Object.entries(expected).map(([field, rule]) => [
      field,
      typeof rule === "string" ? [`The ${field} field ${rule}`] : rule
    ])
    expect(errorsOf(await credits.lines(invoice, sent, changes))).toEqual(Object.fromEntries(errors))
    expect(await notesOf(invoice)).toBe(0)
  })

  it("answers 422 on the position of a line that is another invoice's, or named twice", async () => {
    const [invoice, other] = [await issued(), await issued()]
    const one = { quantity: 1 }
    expect(
      errorsOf(await credits.lines(invoice, [by(invoice, 0, one), by(other, 1, one), by(invoice, 0, one)]))
    ).toEqual({
      "items.1.invoice_item_id": ["The items.1.invoice_item_id field must name a line of the invoice."],
      "items.2.invoice_item_id": ["The items.2.invoice_item_id field may not name a line twice."]
    })
  })

  it("never credits more than a line has when sixteen requests credit at the same time, by lines and by amounts", async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await books.issued({ items: [line(100, { quantity: 3 })] })
      const answers = await race(16, (index) =>
        index % 4 === 3 ? credits.ask(invoice, 121) : credits.lines(invoice, [by(invoice, 0, { quantity: 1 })])
      )
      expect(statuses(answers)).toEqual({ 201: 3, 422: 13 })
    }
  })

  it("gives back what a deleted draft took of its lines", async () => {
    const invoice = await issued()
    const whole = [by(invoice, 0, { quantity: 3 })]
    const note = made(await credits.lines(invoice, whole))
    expect((await credits.lines(invoice, whole)).status).toBe(422)
    await books.made("DELETE", `/credit-notes/${note.id}`)
    made(await credits.lines(invoice, whole))
  })
})
