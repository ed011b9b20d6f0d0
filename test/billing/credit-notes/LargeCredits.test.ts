import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { creditsOf, errorsOf } from "./Credits.ts"

const { open } = useBilling()

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

  it("is refused if the shares of a discount on opposite lines cannot be stored", async () => {
    const invoice = await books.issued({
      items: [line(900_000_000_000, at(third)), line(-899_000_000_000, at(third)), line(900_000_000_000, exempt)],
      discounts: [{ description: "Loyalty", amount: 100_000_000_000, tax_rate_ids: [third] }]
    })
    expect(errorsOf(await credits.ask(invoice, invoice.total))).toEqual({ amount: ["The amount field is too large."] })
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
