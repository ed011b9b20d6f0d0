import { assert, describe, it } from "@effect/vitest"
import { Option, Struct } from "effect"
import { embeddedInvoice } from "../../../../src/expenses/receipts/extraction/EmbeddedInvoice.ts"
import { crossIndustryInvoice, oldZugferd, ublInvoice } from "./EmbeddedInvoices.ts"

const fields = {
  amount: "118.40",
  expense_date: "2026-02-27",
  currency: "EUR",
  tax_amount: "20.55",
  vendor: "Café Zürich & Söhne",
  reference: "000123",
  payment_method: "bank_transfer",
  tax_rates: [{ rate: "21", taxable_amount: "97.85", tax_amount: "20.55" }]
}

const read = (xml: string) => Option.getOrUndefined(embeddedInvoice(xml))

const taxBeside = (xml: string, tax: string, other: string) => read(xml.replace(tax, `${other}${tax}`))?.tax_amount

const amountOf = (text: string, currency = "EUR") =>
  read(ublInvoice().replace(">118.40<", `>${text}<`).replace(">EUR<", `>${currency}<`))?.amount

describe("embeddedInvoice", () => {
  it("reads Factur-X, ZUGFeRD 2 and XRechnung (UN/CEFACT CII)", () => {
    assert.deepStrictEqual(read(crossIndustryInvoice()), fields)
  })

  it("reads ZUGFeRD 1", () => {
    assert.deepStrictEqual(read(oldZugferd()), fields)
  })

  it("reads UBL", () => {
    assert.deepStrictEqual(read(ublInvoice()), fields)
  })

  it("ignores prefixes, declarations and white space", () => {
    const bare = crossIndustryInvoice()
      .replaceAll(/(<\/?)(?:rsm|ram|udt):/g, "$1")
      .replaceAll("><", ">\r\n\t<")
    assert.deepStrictEqual(read(`\uFEFF${bare}`), fields)
    assert.deepStrictEqual(read(`<?xml version="1.0" encoding="UTF-8"?><!-- ours -->${ublInvoice()}`), fields)
  })

  it("uses the tax in the invoice's currency when it is stated in two currencies", () => {
    const cii = '<ram:TaxTotalAmount currencyID="EUR">20.55'
    assert.strictEqual(
      taxBeside(crossIndustryInvoice(), cii, '<ram:TaxTotalAmount currencyID="SEK">230.10</ram:TaxTotalAmount>'),
      "20.55"
    )
    const other = '<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">230.10</cbc:TaxAmount></cac:TaxTotal>'
    assert.strictEqual(taxBeside(ublInvoice(), "<cac:TaxTotal>", other), "20.55")
  })

  it("keeps amounts with the precision of the currency", () => {
    assert.strictEqual(amountOf("118.4"), "118.40")
    assert.strictEqual(amountOf("118.4000"), "118.40")
    assert.strictEqual(amountOf("118.405"), undefined)
    assert.strictEqual(amountOf("999999999999.99"), "999999999999.99")
    assert.strictEqual(amountOf("118", "JPY"), "118")
    assert.strictEqual(amountOf("118.40", "JPY"), undefined)
    for (const text of ["", "1e3", "0x10", "118,40", "-118.40", "0.00", "NaN", "1000000000000.00", "9".repeat(30)]) {
      assert.strictEqual(amountOf(text), undefined, text)
    }
  })

  it("omits incomplete tax rows, and unknown codes", () => {
    const rest = Struct.omit(fields, ["payment_method", "tax_rates"])
    const incomplete = ublInvoice().replace("<cbc:Percent>21.00</cbc:Percent>", "").replace(">58<", ">ZZZ<")
    assert.deepStrictEqual(read(incomplete), rest)
  })

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["a credit note (CII)", crossIndustryInvoice().replace(">380<", ">381<")],
    ["a credit note (UBL)", ublInvoice().replaceAll("Invoice", "CreditNote")],
    ["an invoice without a total", ublInvoice().replace(/<cac:LegalMonetaryTotal>.*<\/cac:LegalMonetaryTotal>/s, "")],
    ["a day that does not exist", crossIndustryInvoice().replace("20260227", "20260230")],
    ["an unknown currency", ublInvoice().replace(">EUR<", ">XXZ<")],
    ["another kind of document", "<Order><ID>1</ID></Order>"],
    ["a document that is cut off", ublInvoice().slice(0, -20)],
    ["no XML", "%PDF-1.7"],
    ["nothing", ""],
    ["an entity", `<!DOCTYPE Invoice [<!ENTITY a "1">]>${ublInvoice().replace("000123", "&a;")}`],
    ["more depth than any invoice", `${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}`],
    ["more text than any invoice", ublInvoice().replace("000123", "1".repeat(3_000_000))]
  ]
  for (const [name, xml] of refused) {
    it(`gives nothing for ${name}`, () => assert.isUndefined(read(xml)))
  }
})
