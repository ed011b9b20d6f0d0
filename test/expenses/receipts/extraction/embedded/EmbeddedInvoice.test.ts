import { assert, describe, it } from "vitest"
import { Option, Struct } from "effect"
import { embeddedInvoice } from "../../../../../src/expenses/receipts/extraction/EmbeddedInvoice.ts"
import { ciiRounding, crossIndustryInvoice, oldZugferd, ublInvoice, ublRounding } from "./EmbeddedInvoices.ts"

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

const invoice = (xml: string) => Option.getOrUndefined(embeddedInvoice(xml, { own_names: [] }))
const read = (xml: string) => invoice(xml)?.fields

const given_back = {
  ...fields,
  amount: "-118.40",
  tax_amount: "-20.55",
  tax_rates: [{ rate: "21", taxable_amount: "-97.85", tax_amount: "-20.55" }]
}

const taxBeside = (xml: string, tax: string, other: string) => read(xml.replace(tax, `${other}${tax}`))?.tax_amount

const amountOf = (text: string, currency = "EUR") =>
  read(ublInvoice().replace(">118.40<", `>${text}<`).replace(">EUR<", `>${currency}<`))?.amount

const taxRow = (net: string, tax: string, rate: string) =>
  `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">${net}</cbc:TaxableAmount>` +
  `<cbc:TaxAmount currencyID="EUR">${tax}</cbc:TaxAmount>` +
  `<cac:TaxCategory><cbc:Percent>${rate}</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>`

describe("embeddedInvoice", () => {
  it("reads Factur-X, ZUGFeRD 2 and XRechnung (UN/CEFACT CII)", () => {
    assert.deepStrictEqual(read(crossIndustryInvoice()), fields)
  })

  it("reads ZUGFeRD 1", () => {
    assert.deepStrictEqual(read(oldZugferd()), fields)
  })

  it("reads drafts of ZUGFeRD 1, whose root element has the name of UBL's", () => {
    const draft = oldZugferd().replaceAll("CrossIndustryDocument", "Invoice")
    const date = /<udt:DateTimeString[^>]*>(\d+)<\/udt:DateTimeString>/
    assert.deepStrictEqual(read(draft.replace(date, "$1")), fields)
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
    assert.strictEqual(amountOf("-118.40"), "-118.40")
    for (const text of ["", "1e3", "0x10", "118,40", "0.00", "NaN", "1000000000000.00", "9".repeat(30)]) {
      assert.strictEqual(amountOf(text), undefined, text)
    }
  })

  it("omits incomplete tax rows, and unknown codes", () => {
    const rest = Struct.omit(fields, ["payment_method", "tax_rates"])
    const incomplete = ublInvoice().replace("<cbc:Percent>21.00</cbc:Percent>", "").replace(">58<", ">ZZZ<")
    assert.deepStrictEqual(read(incomplete), rest)
  })

  for (const code of ["204", "326", "380", "384", "386", "387", "575", "751", "877"]) {
    it(`reads the type of document ${code}`, () => {
      const typed = crossIndustryInvoice().replace(">380<", `>${code}<`)
      assert.deepStrictEqual(invoice(typed), { fields, doubts: [] })
      assert.deepStrictEqual(invoice(ublInvoice().replace(">380<", `>${code}<`)), { fields, doubts: [] })
    })
  }

  const credit_notes: ReadonlyArray<readonly [string, string]> = [
    ["CII", crossIndustryInvoice().replace(">380<", ">381<")],
    [
      "CII with signs",
      crossIndustryInvoice()
        .replace(">380<", ">261<")
        .replaceAll(/>(\d+\.\d\d<\/ram:\w+Amount)/g, ">-$1")
    ],
    ["UBL", ublInvoice().replaceAll("Invoice", "CreditNote")],
    ["UBL as an invoice", ublInvoice().replace(">380<", ">381<")]
  ]
  for (const [name, xml] of credit_notes) {
    it(`reads a credit note with negative amounts (${name})`, () => {
      assert.deepStrictEqual(read(xml), given_back)
      assert.match(invoice(xml)?.doubts.join(" ") ?? "", /credit note/)
    })
  }

  it("keeps the other sign of a row of a credit note, such as returned packaging", () => {
    const xml = ublInvoice()
      .replace(">380<", ">381<")
      .replace(
        /<cac:TaxSubtotal>.*<\/cac:TaxSubtotal>/s,
        taxRow("107.85", "20.55", "21") + taxRow("-10.00", "0.00", "0")
      )
    assert.deepStrictEqual(read(xml), {
      ...given_back,
      tax_rates: [
        { rate: "21", taxable_amount: "-107.85", tax_amount: "-20.55" },
        { rate: "0", taxable_amount: "10.00", tax_amount: "0.00" }
      ]
    })
  })

  it("reads a date with a time zone, which XML Schema allows", () => {
    assert.deepStrictEqual(read(ublInvoice().replace("2026-02-27", "2026-02-27+01:00")), fields)
    assert.deepStrictEqual(read(ublInvoice().replace("2026-02-27", "2026-02-27Z")), fields)
  })

  for (const [syntax, roundedBy] of [
    ["UBL", ublRounding],
    ["CII", ciiRounding]
  ] as const) {
    it(`adds the rounding of the amount to pay to the total, but not to the taxes (${syntax})`, () => {
      assert.deepStrictEqual(invoice(roundedBy("-0.40")), { fields: { ...fields, amount: "118.00" }, doubts: [] })
      assert.deepStrictEqual(invoice(roundedBy("+0.1")), { fields: { ...fields, amount: "118.50" }, doubts: [] })
      assert.deepStrictEqual(invoice(roundedBy("0.00")), { fields, doubts: [] })
    })

    it(`adds no balance of another invoice, which is stated as a large rounding (${syntax})`, () => {
      assert.deepStrictEqual(invoice(roundedBy("-18.40")), { fields, doubts: [] })
    })

    it(`leaves out a total whose rounding is not exact (${syntax})`, () => {
      for (const text of ["-0,40", "1e3", "-0.405"]) assert.isUndefined(read(roundedBy(text))?.amount, text)
    })
  }

  it("gives the rounding of a credit note back, too", () => {
    assert.strictEqual(read(ublRounding("-0.40").replaceAll("Invoice", "CreditNote"))?.amount, "-118.00")
  })

  const doubtful: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["a type that EN 16931 does not know", crossIndustryInvoice().replace(">380<", ">999<"), /code 999/],
    ["a negative total", ublInvoice().replace(">118.40<", ">-118.40<"), /negative/],
    ["sums that contradict each other", crossIndustryInvoice().replace(">118.40<", ">119.40<"), /add up/]
  ]
  for (const [name, xml, doubt] of doubtful) {
    it(`doubts ${name}`, () => assert.match(invoice(xml)?.doubts.join(" ") ?? "", doubt))
  }

  it("leaves out what it cannot read exactly", () => {
    const total = /<cac:LegalMonetaryTotal>.*<\/cac:LegalMonetaryTotal>/s
    assert.isUndefined(read(ublInvoice().replace(total, ""))?.amount)
    assert.isUndefined(read(crossIndustryInvoice().replace("20260227", "20260230"))?.expense_date)
    const { expense_date, reference, vendor } = fields
    assert.deepStrictEqual(read(ublInvoice().replace(">EUR<", ">XXZ<")), { expense_date, vendor, reference })
  })

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["another kind of document", "<Order><ID>1</ID></Order>"],
    ["a document that is cut off", ublInvoice().slice(0, -20)],
    ["no XML", "%PDF-1.7"],
    ["nothing", ""],
    ["an entity", `<!DOCTYPE Invoice [<!ENTITY a "1">]>${ublInvoice().replace("000123", "&a;")}`],
    ["more depth than any invoice", `${"<a>".repeat(5_000)}${"</a>".repeat(5_000)}`],
    ["more text than any invoice", ublInvoice().replace("</Invoice>", `${"<a>1</a>".repeat(700_000)}</Invoice>`)]
  ]
  for (const [name, xml] of refused) {
    it(`gives nothing for ${name}`, () => assert.isUndefined(read(xml)))
  }
})
