import { describe, expect, it } from "vitest"
import { line } from "../../support/Billing.ts"
import { useEinvoicing } from "../documents/Submitting.ts"

const { open } = useEinvoicing()

const to_italy = {
  recipient_identifier_scheme: "IT:SDI",
  recipient_identifier_value: "M5UXCR1",
  recipient_country_code: "IT"
}

const italianSeller = async () => {
  const books = await open({ country: "IT", rates: [22] })
  await books.made("PUT", `/organizations/${books.id}`, {
    tax_number: "IT12345670017",
    address_line1: "Via Roma 1",
    city: "Roma",
    postal_code: "00184"
  })
  const address = { country: "IT", address_line1: "Via Po 2", city: "Torino", postal_code: "10123" }
  await books.made("PUT", `/customers/${books.customer_id}`, { ...address, tax_number: "IT00743110157" })
  const invoiced = (...prices: ReadonlyArray<number>) =>
    books.issued({ items: prices.map((price) => line(price, { tax_rate_ids: books.tax_rate_ids })) })
  /** Creates a credit note, and returns its amounts and the rules that its FatturaPA would break. */
  const credited = async (invoice: { readonly id: number }, given: object) => {
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, reason: "Reso", ...given })
    const answer = await books.validate(note, { ...to_italy, invoice_id: undefined, credit_note_id: note.id })
    const broken = answer.body.data.errors.map(({ rule }: { readonly rule: string }) => rule)
    return [Number(note.subtotal), Number(note.tax_total), ...broken]
  }
  return { ...books, invoiced, credited }
}

describe("a part of an Italian invoice", () => {
  it("is credited by amounts of several lines with a tax that the Sistema di Interscambio accepts", async () => {
    const { credited, invoiced } = await italianSeller()
    const invoice = await invoiced(100, 100, 100)
    const items = invoice.items.map(({ id }: { readonly id: number }) => ({ invoice_item_id: id, amount: 13 }))
    expect(await credited(invoice, { items })).toEqual([31.97, 7.03])
    expect(await credited(invoice, { amount: 327 })).toEqual([268.03, 58.97])
  })

  it("is credited by amounts, also the last of them", async () => {
    const { credited, invoiced } = await italianSeller()
    const invoice = await invoiced(100.25)
    expect(await credited(invoice, { amount: 13 })).toEqual([10.65, 2.35])
    expect(await credited(invoice, { amount: 109.31 })).toEqual([89.6, 19.71])
  })

  it("is credited by many equal amounts, also the last of them", async () => {
    const { credited, invoiced } = await italianSeller()
    const invoice = await invoiced(100)
    for (let count = 1; count <= 9; count++) expect((await credited(invoice, { amount: 13 })).slice(2)).toEqual([])
    expect(await credited(invoice, { amount: 5 })).toEqual([4.1, 0.9])
  })
})
