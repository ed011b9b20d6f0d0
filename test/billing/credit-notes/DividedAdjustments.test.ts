import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { by, creditsOf, errorsOf, made } from "./Credits.ts"

const { app, open } = useBilling()
let books: Books
let credits: ReturnType<typeof creditsOf>
/** Two rates of 20 %, as for goods and for services; the first is the default. */
let [goods, services] = [0, 0]

beforeAll(async () => {
  books = await open({ rates: [20, 20] })
  credits = creditsOf(books)
  ;[goods = 0, services = 0] = books.tax_rate_ids
})

const sold = () => [line(100), line(900, { tax_rate_ids: [services] })]
const discount = { description: "Loyalty", percentage: 10 }
const whole = { quantity: 1 }

describe("A discount or charge of lines that have two rates with the same percentage", () => {
  it("lowers the rows of both rates, and the price at which each line is credited", async () => {
    const invoice = await books.issued({ items: sold(), discounts: [discount] })
    expect(invoice).toMatchObject({
      total: 1080,
      discounts: [{ base_amount: 1000, net_amount: 100, tax_amount: 20, tax_rate_ids: [goods] }],
      tax_breakdown: [
        { tax_rate_id: goods, taxable_amount: 90, tax_amount: 18 },
        { tax_rate_id: services, taxable_amount: 810, tax_amount: 162 }
      ]
    })
    const service = made(await credits.lines(invoice, [by(invoice, 1, whole)]))
    expect(service).toMatchObject({
      total: 972,
      tax_breakdown: [{ tax_rate_id: services, taxable_amount: 810, tax_amount: 162 }]
    })
    const rest = made(await credits.lines(invoice, [by(invoice, 0, whole)]))
    expect(rest).toMatchObject({ total: 108, credit_type: "full" })
  })

  it("is credited with each line when it exceeds the lines of its own rate", async () => {
    const items = [line(100), line(1900, { tax_rate_ids: [services] })]
    const invoice = await books.issued({ items, discounts: [discount] })
    expect(invoice.tax_breakdown).toMatchObject([{ taxable_amount: 90 }, { taxable_amount: 1710 }])
    expect(made(await credits.lines(invoice, [by(invoice, 1, whole)]))).toMatchObject({ total: 2052 })
    expect(made(await credits.lines(invoice, [by(invoice, 0, whole)]))).toMatchObject({ total: 108 })
  })

  it("adds a charge to both rows, and credits its part with each line", async () => {
    const invoice = await books.issued({ items: sold(), charges: [{ description: "Freight", amount: 50 }] })
    expect(invoice.tax_breakdown).toMatchObject([{ taxable_amount: 105 }, { taxable_amount: 945, tax_amount: 189 }])
    const first = made(await credits.lines(invoice, [by(invoice, 0, whole)]))
    expect(first).toMatchObject({ total: 126, items: [{}, { description: "Freight", line_total: 5 }] })
    const second = made(await credits.lines(invoice, [by(invoice, 1, whole)]))
    expect(second).toMatchObject({ total: 1134, items: [{}, { description: "Freight", line_total: 45 }] })
  })

  it("adds a charge to exempt lines with and without a tax rate, and credits its part under the taxes of each", async () => {
    await app.inDatabase(`insert into tax_rates (organization_id, name, rate, category, is_default)
      values (${books.id}, 'Exempt', 0, 'E', false)`)
    const exempt = (await books.made("GET", "/tax-rates")).find(({ name }: { name: string }) => name === "Exempt").id
    const items = [line(100, { tax_rate_ids: [exempt] }), line(100, { tax_exempt: true })]
    for (const sale of [items, items.toReversed()]) {
      const invoice = await books.issued({ items: sale, charges: [{ description: "Freight", amount: 10 }] })
      expect(invoice.tax_breakdown).toMatchObject([{ taxable_amount: 105 }, { taxable_amount: 105 }])
      for (const [index, row] of invoice.tax_breakdown.entries()) {
        const note = made(await credits.lines(invoice, [by(invoice, index, whole)]))
        expect(note).toMatchObject({ total: 105, tax_breakdown: [{ tax_rate_id: row.tax_rate_id, category: "E" }] })
      }
    }
  })

  it("adds no part of a charge to a line that deducts a deposit", async () => {
    const items = [line(1000), line(-999.99, { tax_rate_ids: [services] })]
    const charges = [{ description: "Freight", amount: 50 }]
    const draft = await books.draft({ items, charges })
    expect(draft.tax_breakdown).toMatchObject([{ taxable_amount: 1050 }, { taxable_amount: -999.99 }])
  })

  it("is credited as an amount, too, and as a whole", async () => {
    const adjusted = { items: sold(), discounts: [discount], charges: [{ description: "Freight", amount: 50 }] }
    const invoice = await books.issued(adjusted)
    const { subtotal, tax_breakdown, tax_total, total } = invoice
    const draft = await credits.draft(invoice, total)
    expect(draft).toMatchObject({ subtotal, tax_breakdown, tax_total, total })
    await books.made("DELETE", `/credit-notes/${draft.id}`)
    await credits.draft(invoice, 500)
    expect(await credits.draft(invoice, total - 500)).toMatchObject({ credit_type: "full" })
  })
})

/** The shares of a note: the tax and the net, the rounding adjustment, and three amounts for each line. */
const storeShares = ({ id }: { id: number }, [tax = 0, net = 0]: ReadonlyArray<number>, shares: string) =>
  app.inDatabase(`update credit_notes set subtotal = ${net}, tax_total = ${tax}, total = ${net + tax},
    shares = '{${tax},${net},0,${shares}}' where id = ${id}`)

describe("A discount on an invoice that deducts a deposit under the same tax rate", () => {
  const deducted = {
    items: [line(100, { quantity: 10 }), line(-500)],
    discounts: [{ description: "Loyalty", amount: 50 }]
  }

  it("lowers the prices of the lines that are sold, and not that of the deposit", async () => {
    const invoice = await books.issued(deducted)
    expect(invoice).toMatchObject({ subtotal: 450, total: 540 })
    const first = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))
    expect(first).toMatchObject({ subtotal: 95, total: 114 })
    const second = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 3 })]))
    expect(second).toMatchObject({ subtotal: 285, total: 342 })
  })

  it("is credited in parts that add up to the invoice, and as a whole", async () => {
    const invoice = await books.issued(deducted)
    made(await credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))
    const rest = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 9 }), by(invoice, 1, whole)]))
    expect(rest).toMatchObject({ subtotal: 355, tax_total: 71, credit_type: "full" })
    const other = await books.issued(deducted)
    made(await credits.lines(other, [by(other, 0, { quantity: 1 })]))
    expect(await credits.draft(other, 426)).toMatchObject({ subtotal: 355, credit_type: "full" })
    expect(await credits.draft(await books.issued(deducted), 540)).toMatchObject({ credit_type: "full" })
  })

  it("goes on as an earlier version divided it, which raised the price of the deposit", async () => {
    const invoice = await books.issued(deducted)
    const first = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 6 }), by(invoice, 1, whole)]))
    expect(first).toMatchObject({ subtotal: 70 })
    await storeShares(first, [18, 90], "6,540,0,1,-450,0")
    const rest = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 4 })]))
    expect(rest).toMatchObject({ subtotal: 360, tax_total: 72, credit_type: "full" })
  })

  it("is credited to zero after an earlier version credited an amount", async () => {
    const invoice = await books.issued(deducted)
    const first = await credits.draft(invoice, 270)
    await storeShares(first, [45, 225], "0,0,450,0,0,-225")
    expect(made(await credits.lines(invoice, [by(invoice, 0, { quantity: 1 })]))).toMatchObject({ subtotal: 95 })
    const rest = await credits.draft(invoice, 156)
    expect(rest).toMatchObject({ subtotal: 130, tax_total: 26, credit_type: "full" })
  })
})

const split = (rate: number) => ({
  tax_exempt: true,
  tax_exemption_reason: "AE",
  exemption_code: `VATEX-IT-S-${rate}`
})

describe("A discount of lines with different exemption codes", () => {
  const items = [line(100, split(22)), line(100, split(10))]

  it("needs an entry for each code, which is calculated from the lines with this code", async () => {
    const refused = await books.call("POST", "/invoices", books.body({ items, discounts: [discount] }))
    expect(errorsOf(refused)).toEqual({
      "discounts.0.tax_rate_ids": [expect.stringContaining("send an entry for each")]
    })
    const discounts = [22, 10].map((rate) => ({ ...discount, ...split(rate) }))
    const invoice = await books.issued({ items, discounts })
    expect(invoice).toMatchObject({
      total: 180,
      discounts: [{ base_amount: 100 }, { base_amount: 100 }],
      tax_breakdown: [
        { exemption_code: "VATEX-IT-S-22", taxable_amount: 90 },
        { exemption_code: "VATEX-IT-S-10", taxable_amount: 90 }
      ]
    })
    expect(made(await credits.lines(invoice, [by(invoice, 1, whole)]))).toMatchObject({ total: 90 })
  })

  it("refuses a percentage that names none of these codes", async () => {
    const none = { ...discount, tax_exempt: true, tax_exemption_reason: "AE" }
    const refused = await books.call("POST", "/invoices", books.body({ items, discounts: [none] }))
    expect(errorsOf(refused)).toEqual({ "discounts.0.percentage": [expect.stringContaining("same taxes")] })
  })

  it("keeps the amount that an earlier version calculated, when its quote becomes an invoice", async () => {
    const none = { description: "Loyalty", amount: 20, tax_exempt: true, tax_exemption_reason: "AE" }
    const { due_date: valid_until, ...body } = books.body({ items, discounts: [none] })
    const { id } = await books.made("POST", "/quotes", { ...body, valid_until })
    await app.inDatabase(`update quotes
      set discounts = jsonb_set(discounts, '{0}', discounts -> 0 || '{"amount": null, "percentage": 10, "base_amount": 200}')
      where id = ${id}`)
    const invoice = await books.made("POST", `/quotes/${id}/convert-to-invoice`)
    expect(invoice).toMatchObject({ total: 180, discounts: [{ amount: 20, percentage: null, net_amount: 20 }] })
  })
})

describe("A charge on an invoice that deducts a deposit under the same tax rate", () => {
  it("is credited in proportion to the lines that are sold", async () => {
    const items = [line(10, { quantity: 100 }), line(-950)]
    const invoice = await books.issued({ items, charges: [{ description: "Freight", amount: 50 }] })
    expect(invoice).toMatchObject({ subtotal: 100 })
    const first = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 5 })]))
    expect(first).toMatchObject({
      subtotal: 52.5,
      credit_type: "partial",
      items: [{ line_total: 50 }, { description: "Freight", line_total: 2.5 }]
    })
    const rest = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 95 }), by(invoice, 1, whole)]))
    expect(rest).toMatchObject({ subtotal: 47.5, tax_total: 9.5, credit_type: "full" })
  })

  it("is credited when the deposit is as large as the lines", async () => {
    const items = [line(10, { quantity: 100 }), line(-1000)]
    const invoice = await books.issued({ items, charges: [{ description: "Freight", amount: 50 }] })
    const first = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 4 })]))
    expect(first).toMatchObject({ subtotal: 42, credit_type: "partial" })
    const rest = made(await credits.lines(invoice, [by(invoice, 0, { quantity: 96 }), by(invoice, 1, whole)]))
    expect(rest).toMatchObject({ subtotal: 8, credit_type: "full" })
  })
})
