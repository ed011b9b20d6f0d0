import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { creditsOf, errorsOf } from "./Credits.ts"

const { app, open } = useBilling()

let books: Books
let credits: ReturnType<typeof creditsOf>
/** Two rates of 21 % and one of 6 %. */
let [first, second, third] = [0, 0, 0]
beforeAll(async () => {
  books = await open({ rates: [21, 21, 6] })
  credits = creditsOf(books)
  ;[first = 0, second = 0, third = 0] = books.tax_rate_ids
})

const huge = 999_999_999_999
const exempt = { tax_exempt: true }
const at = (rate: number) => ({ tax_rate_ids: [rate] })

describe("the credit of an invoice with very large lines", () => {
  it("cannot be caused: an invoice is refused if the total of a line or of a tax rate cannot be stored", async () => {
    const rebate = line(-huge, { ...exempt, discount: huge, discount_type: "amount" })
    const balanced = [rebate, line(huge, exempt), line(huge, exempt), line(100, exempt)]
    const rates = [first, second].flatMap((rate, index) =>
      Array.from({ length: 3 }, () => line(index === 0 ? 900_000_000_000 : -900_000_000_000, at(rate)))
    )
    for (const items of [balanced, [...rates, line(100)]]) {
      const answer = await books.call("POST", "/invoices", books.body({ items }))
      expect(Object.keys(errorsOf(answer))).toEqual(["items"])
    }
  })

  it("does not divide a discount among opposite lines, whose shares could not be stored", async () => {
    const invoice = await books.issued({
      items: [line(900_000_000_000, at(third)), line(-899_000_000_000, at(third)), line(900_000_000_000, exempt)],
      discounts: [{ description: "Loyalty", amount: 100_000_000_000, tax_rate_ids: [third] }]
    })
    expect(await credits.draft(invoice, invoice.total)).toMatchObject({ credit_type: "full", total: invoice.total })
  })

  it("is refused if an earlier version divided a discount among opposite lines", async () => {
    const { id, total } = await books.draft({
      items: [
        line(900_000_000_000, at(first)),
        line(-899_000_000_000, at(first)),
        line(100, at(second)),
        line(900_000_000_000, exempt)
      ],
      discounts: [{ description: "Loyalty", amount: 100_000_000_000, tax_rate_ids: [first] }]
    })
    // Earlier versions took the discount from the first of the two rates only.
    await app.inDatabase(`update invoices set tax_breakdown =
      jsonb_set(jsonb_set(tax_breakdown,
        '{0}', tax_breakdown -> 0 || '{"taxable_amount": -99000000000, "tax_amount": -20790000000}'),
        '{1}', tax_breakdown -> 1 || '{"taxable_amount": 100, "tax_amount": 21}') where id = ${id}`)
    await books.made("POST", `/invoices/${id}/mark-sent`)
    expect(errorsOf(await credits.ask({ id }, total))).toEqual({ amount: ["The amount field is too large."] })
  })
})

describe("the credit of an invoice with the most lines and a charge", () => {
  it("numbers all its items, and can be sent back", async () => {
    const items = Array.from({ length: 500 }, () => line(1))
    const invoice = await books.issued({ items, charges: [{ description: "Transport", amount: 5 }] })
    const note = await credits.draft(invoice, invoice.total)
    const ids = note.items.map(({ id }: { readonly id: number }) => id)
    expect([new Set(ids).size, ids.every((id: number) => id > 0)]).toEqual([501, true])
    const again = await books.made("PUT", `/credit-notes/${note.id}`, { ...note, reason: "Cancelled" })
    expect(again).toMatchObject({ reason: "Cancelled", total: invoice.total })
  })
})
