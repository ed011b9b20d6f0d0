import { BigDecimal, Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ciiDocument } from "../../../src/einvoicing/cii/CiiDocument.ts"
import { readReceived } from "../../../src/einvoicing/received/reading/ReceivedReader.ts"
import { ublDocument } from "../../../src/einvoicing/ubl/UblDocument.ts"
import { now } from "../../../src/kernel/Calendar.ts"
import { ciiRounding, ublRounding } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { anyEinvoice } from "../ubl/Documents.ts"
import { arrivalOf, collecting } from "./Arriving.ts"
import { fatturaPa } from "./Fatture.ts"

const { app, open } = useEinvoicing()

const depositOf = (amount: string) =>
  `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">${amount}</cbc:TaxableAmount>` +
  '<cbc:TaxAmount currencyID="EUR">0.00</cbc:TaxAmount>' +
  "<cac:TaxCategory><cbc:Percent>0</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>"

const readingOf = async (xml: string) => {
  const bytes = new TextEncoder().encode(xml)
  const read = Effect.flatMap(now, (arrived_at) => readReceived(bytes, { trusted: [], arrived_at }))
  return (await Effect.runPromise(read)).readings[0]
}

describe("a received document whose amount to pay is rounded (BT-114)", () => {
  it.each([
    ["in UBL", ublRounding("-0.40"), 97.85],
    ["in CII", ciiRounding("-0.40"), 97.85],
    [
      "with returned packaging",
      ublRounding("-0.40").replace("</cac:TaxTotal>", `${depositOf("10.00")}${depositOf("-10.00")}$&`),
      97.85
    ]
  ])("%s becomes an expense with the rounded amount and the stated taxes", async (_, xml, taxable) => {
    const books = await open()
    await app.run(collecting([arrivalOf(books, xml)]))
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({ total: 118, tax_total: 20.55, problem: null })
    const path = `/einvoicing/received/${received.id}/create-expense`
    const expense = await books.made("POST", path, { is_vat_deductible: true })
    expect(expense).toMatchObject({ amount: 118, tax_amount: 20.55, net_amount: 97.45, deductible_tax_amount: 20.55 })
    const period = "start_date=2026-02-01&end_date=2026-02-28"
    const [{ input }] = (await books.made("GET", `/reports/vat?${period}`)).periods
    expect(input).toContainEqual(
      expect.objectContaining({ rate: "21", taxable: String(taxable), tax: "20.55", deductible: "20.55" })
    )
    expect((await books.made("GET", `/reports/profit-loss?${period}`)).expenses.total).toBe("97.45")
  })

  it("of our own has the total of the invoice", async () => {
    await fc.assert(
      fc.asyncProperty(anyEinvoice, async (invoice) => {
        const { rounding, tax_inclusive } = invoice.totals
        const total = BigDecimal.sum(tax_inclusive, rounding)
        fc.pre(!BigDecimal.isZero(total) && !BigDecimal.isZero(rounding))
        for (const document of [ublDocument(invoice), ciiDocument(invoice)]) {
          const { total: read } = await readingOf(document)
          expect(read === null ? null : BigDecimal.format(read)).toBe(BigDecimal.format(BigDecimal.normalize(total)))
        }
      }),
      { numRuns: 100 }
    )
  })
})

const discounted = async (discount: string, total: string, type = "TD01") => {
  const books = await open()
  const change = `<ScontoMaggiorazione><Tipo>SC</Tipo><Importo>${discount}</Importo></ScontoMaggiorazione>`
  const stated = `<ImportoTotaleDocumento>${total}</ImportoTotaleDocumento>`
  await app.run(collecting([arrivalOf(books, fatturaPa({ general: change, total: stated, type }))]))
  const [received] = await books.made("GET", "/einvoicing/received")
  const book = () =>
    books.call("POST", `/einvoicing/received/${received.id}/create-expense`, { is_vat_deductible: true })
  return { received, book }
}

describe("a FatturaPA with a discount on its total", () => {
  it.each([
    ["of an invoice", "TD01", 1],
    ["of a credit note", "TD04", -1]
  ])("%s becomes an expense with the stated tax", async (_, type, sign) => {
    const { book, received } = await discounted("69.33", "60.00", type)
    expect(received).toMatchObject({ total: 60, tax_total: 14.23, problem: null })
    const { body, status } = await book()
    expect([status, body.data]).toMatchObject([201, { amount: sign * 60, tax_amount: sign * 14.23, tax_rates: [] }])
  })

  it("keeps the rates of taxes that the lower total still contains", async () => {
    const { book } = await discounted("20.00", "109.33")
    const { body } = await book()
    expect(body.data).toMatchObject({ amount: 109.33, tax_amount: 14.23 })
    expect(body.data.tax_rates).toHaveLength(3)
  })

  it("becomes no expense if the total is below the tax", async () => {
    const { book, received } = await discounted("119.33", "10.00")
    expect(received).toMatchObject({ total: 10, problem: expect.stringContaining("tax") })
    const { body, status } = await book()
    expect([status, body.message]).toEqual([422, expect.stringContaining(received.problem)])
  })
})
