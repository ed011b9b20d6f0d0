import { assert, describe, it } from "vitest"
import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { findingsIn } from "../../../src/einvoicing/rules/Rules.ts"
import { ublDocument } from "../../../src/einvoicing/ubl/UblDocument.ts"
import type { EInvoice } from "../../../src/einvoicing/invoice/EInvoice.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { textElement, xmlDocument } from "../../../src/platform/documents/Xml.ts"
import {
  anyEinvoice,
  credit,
  customer_id,
  day,
  decimal,
  document,
  einvoice,
  exchange,
  exempt,
  item,
  parties,
  rate
} from "./Documents.ts"
import { all, one, read, sum, total } from "./XmlReader.ts"

const lineOf = ({ kind }: EInvoice) => (kind === "invoice" ? "InvoiceLine" : "CreditNoteLine")

describe("ublDocument", () => {
  it("states what a line gains or loses by rounding in a currency without cents, and its price unchanged", () => {
    const items = [
      item({ quantity: decimal("1.5"), unit_price: decimal("333"), discount: decimal("10") }),
      item({ unit_price: decimal("33.3") }),
      item({ unit_price: decimal("50") })
    ]
    const invoice = einvoice(document(items, { currency: CurrencyCode.make("JPY") }))
    assert.deepStrictEqual(findingsIn(invoice, customer_id), [])
    const xml = read(ublDocument(invoice))
    const texts = (path: string) => all(xml, `InvoiceLine/${path}`)
    assert.deepStrictEqual(
      {
        net: texts("LineExtensionAmount"),
        price: texts("Price/PriceAmount"),
        reason: texts("AllowanceCharge/AllowanceChargeReason"),
        is_charge: texts("AllowanceCharge/ChargeIndicator"),
        amount: texts("AllowanceCharge/Amount")
      },
      {
        net: ["450", "33", "50"],
        price: ["333", "33.3", "50"],
        reason: ["Discount", "Rounding", "Rounding"],
        is_charge: ["false", "true", "false"],
        amount: ["50", "0.50", "0.30"]
      }
    )
  })

  it("is refused by Peppol when a line is not quantity times price, by more than any rounding", () => {
    const sound = einvoice(document([item()]))
    const lines = sound.lines.map((line) => ({ ...line, net_amount: decimal("100.03") }))
    const rules = findingsIn({ ...sound, lines }, customer_id).map(({ rule }) => rule)
    assert.include(rules, "PEPPOL-EN16931-R120")
  })

  it("says who owes whom what, until when and how to pay", () => {
    const xml = read(ublDocument(einvoice(document([item()], { notes: "Thank you", terms: "30 days" }))))
    assert.deepStrictEqual(
      [
        "CustomizationID",
        "ProfileID",
        "ID",
        "IssueDate",
        "DueDate",
        "InvoiceTypeCode",
        "Note",
        "DocumentCurrencyCode",
        "BuyerReference",
        "PaymentTerms/Note",
        "PaymentMeans/PaymentMeansCode",
        "PaymentMeans/PaymentID",
        "PaymentMeans/PayeeFinancialAccount/ID",
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
        "LegalMonetaryTotal/PayableAmount",
        "LegalMonetaryTotal/PayableAmount@currencyID"
      ].map((path) => one(xml, path)),
      [
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
        "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        "INV-2026-0042",
        "2026-03-01",
        "2026-03-31",
        "380",
        "Thank you",
        "EUR",
        "NA",
        "30 days",
        "58",
        "+++020/2600/04222+++",
        "BE71096123456769",
        "GKCCBEBB",
        "121.00",
        "EUR"
      ]
    )
  })

  it("names both parties with their addresses and numbers", () => {
    const xml = read(ublDocument(einvoice(document([item()]))))
    const of = (party: string, paths: ReadonlyArray<string>) =>
      paths.map((path) => one(xml, `Accounting${party}Party/Party/${path}`))
    const paths = [
      "EndpointID@schemeID",
      "EndpointID",
      "PostalAddress/StreetName",
      "PostalAddress/CityName",
      "PostalAddress/Country/IdentificationCode",
      "PartyTaxScheme/CompanyID",
      "PartyLegalEntity/RegistrationName",
      "PartyLegalEntity/CompanyID@schemeID",
      "PartyLegalEntity/CompanyID",
      "Contact/Telephone"
    ]
    assert.deepStrictEqual(of("Supplier", paths), [
      "0208",
      "0202239951",
      "Nieuwbrug 14",
      "Gent",
      "BE",
      "BE0202239951",
      "Atelier Nord BV",
      "0208",
      "0202239951",
      "+32 9 555 01 23"
    ])
    assert.deepStrictEqual(of("Customer", paths), [
      "9930",
      "DE136695976",
      "Friedrichstraße 123",
      "Berlin",
      "DE",
      "DE136695976",
      "Beta Publishing GmbH",
      null,
      null,
      null
    ])
  })

  it("groups the tax by category and rate, whatever the rates' names, and states why a line has none", () => {
    const items = [
      item(),
      item({ tax_rates: [rate("21", "S", 2)] }),
      item({ tax_rates: [rate("6", "S", 3)] }),
      exempt("AE"),
      exempt(null)
    ]
    const xml = read(ublDocument(einvoice(document(items))))
    const tax = "TaxTotal/TaxSubtotal"
    assert.deepStrictEqual(all(xml, `${tax}/TaxCategory/ID`), ["S", "S", "AE", "E"])
    assert.deepStrictEqual(all(xml, `${tax}/TaxCategory/Percent`), ["21", "6", "0", "0"])
    assert.deepStrictEqual(all(xml, `${tax}/TaxableAmount`), ["200.00", "100.00", "100.00", "100.00"])
    assert.deepStrictEqual(all(xml, `${tax}/TaxCategory/TaxExemptionReasonCode`), ["VATEX-EU-AE"])
    assert.deepStrictEqual(all(xml, `${tax}/TaxCategory/TaxExemptionReason`), ["Reverse charge", "Exempt from tax"])
    assert.strictEqual(one(xml, "TaxTotal/TaxAmount"), "48.00")
  })

  it("names no rate and no VAT number for what is not subject to VAT", () => {
    const xml = read(ublDocument(einvoice(document([exempt("O")]))))
    assert.strictEqual(one(xml, "InvoiceLine/Item/ClassifiedTaxCategory/ID"), "O")
    assert.isFalse([...xml.keys()].some((path) => path.endsWith("Percent") || path.includes("PartyTaxScheme")))
  })

  it("says where and when an intra-community supply went", () => {
    const delivery = { date: day("2026-02-27") }
    const xml = read(ublDocument(einvoice(document([exempt("K")], { delivery }))))
    assert.strictEqual(one(xml, "Delivery/ActualDeliveryDate"), "2026-02-27")
    const buyer = "AccountingCustomerParty/Party/PostalAddress"
    for (const part of ["CityName", "PostalZone", "Country/IdentificationCode"]) {
      assert.strictEqual(one(xml, `Delivery/DeliveryLocation/Address/${part}`), one(xml, `${buyer}/${part}`))
    }
  })

  it("says during which days a supply was made", () => {
    const delivery = { start: day("2026-02-01"), end: day("2026-02-28") }
    const xml = read(ublDocument(einvoice(document([item()], { delivery }))))
    assert.deepStrictEqual(
      ["InvoicePeriod/StartDate", "InvoicePeriod/EndDate", "Delivery/ActualDeliveryDate"].map((path) => one(xml, path)),
      ["2026-02-01", "2026-02-28", null]
    )
  })

  it.each([
    ["60", "60.00", "61.00"],
    ["200", "121.00", "0.00"]
  ])("takes %s that were paid before from the amount due", (paid, prepaid, payable) => {
    const xml = read(ublDocument(einvoice(document([item()], { paid: decimal(paid) }))))
    assert.strictEqual(one(xml, "LegalMonetaryTotal/PrepaidAmount"), prepaid)
    assert.strictEqual(one(xml, "LegalMonetaryTotal/PayableAmount"), payable)
  })

  it("states a rate for what is not subject to VAT between German parties, which DE-R-014 requires", () => {
    const at_home = parties({ organization: { country: "DE" } })
    const xml = read(ublDocument(einvoice(document([exempt("O")]), at_home)))
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxSubtotal/TaxCategory/Percent"), ["0"])
    assert.deepStrictEqual(all(xml, "InvoiceLine/Item/ClassifiedTaxCategory/Percent"), [])
  })

  it("states the tax in the seller's currency, too, when a rate is known", () => {
    const dollars = { currency: CurrencyCode.make("USD"), exchange_rate: decimal("0.92") }
    const xml = read(ublDocument(einvoice(document([item()], dollars))))
    assert.strictEqual(one(xml, "TaxCurrencyCode"), "EUR")
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxAmount"), ["21.00", "19.32"])
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxAmount@currencyID"), ["USD", "EUR"])
    assert.strictEqual(one(xml, "PaymentMeans/PaymentMeansCode"), "30")
  })

  it("converts the tax of each rate separately, as the VAT report does", () => {
    const half = { currency: CurrencyCode.make("USD"), exchange_rate: decimal("0.5") }
    const lines = [
      item({ unit_price: decimal("0.05") }),
      item({ unit_price: decimal("0.17"), tax_rates: [rate("6", "S", 2)] })
    ]
    // The exchange rate is 0.5, so each cent of tax is half a cent in euro.
    const xml = read(ublDocument(einvoice(document(lines, half))))
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxAmount"), ["0.02", "0.02"])
  })

  it("states one tax for two rates of one percentage, and the exemption code of a rate", () => {
    const lines = [1, 2].map((id) => item({ unit_price: decimal("0.07"), tax_rates: [rate("21", "S", id)] }))
    const coded = { ...rate("0", "E", 3), exemption_code: "VATEX-EU-132" }
    const xml = read(ublDocument(einvoice(document([...lines, item({ tax_rates: [coded] })]))))
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxSubtotal/TaxAmount"), ["0.03", "0.00"])
    assert.deepStrictEqual(all(xml, "TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode"), ["VATEX-EU-132"])
    const mixed = [coded, { ...coded, exemption_code: "VATEX-EU-143" }].map((of) => item({ tax_rates: [of] }))
    const without = read(ublDocument(einvoice(document(mixed))))
    assert.deepStrictEqual(all(without, "TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode"), [])
  })

  it("writes a credit note with the invoice it corrects", () => {
    const text = ublDocument(einvoice(credit([item()])))
    const xml = read(text)
    assert.include(text, '<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"')
    assert.strictEqual(one(xml, "CreditNoteTypeCode"), "381")
    assert.strictEqual(one(xml, "BillingReference/InvoiceDocumentReference/ID"), "INV-2026-0042")
    assert.deepStrictEqual(all(xml, "CreditNoteLine/CreditedQuantity"), ["1"])
    assert.strictEqual(one(xml, "DueDate"), null)
  })

  it("uses the office that a Leitweg-ID names as the buyer's reference", () => {
    const recipient = { scheme: "0204", value: "04011000-1234512345-06", country_code: "DE" }
    const xml = read(ublDocument(einvoice(document([item()]), parties(), exchange({ recipient }))))
    assert.strictEqual(one(xml, "BuyerReference"), "04011000-1234512345-06")
  })

  it("keeps every character that XML can say, and no other", () => {
    const text = `a & <b> "c" 'd' ]]> é 東京 😀\ttab\r\nline \ufffe`
    const xml = read(xmlDocument("x", { a: text }, [textElement("y", text, { a: text })]))
    assert.strictEqual(one(xml, "y"), text.replace("\ufffe", "\ufffd"))
    assert.strictEqual(textElement("y", " \n"), null)
  })

  it("of anything a client can make adds up, read back by somebody else", () => {
    fc.assert(
      fc.property(anyEinvoice, (invoice) => {
        const text = ublDocument(invoice)
        assert.strictEqual(text, ublDocument(invoice))
        const xml = read(text)
        const [line, totals] = [lineOf(invoice), "LegalMonetaryTotal"]
        const nets = all(xml, `${line}/LineExtensionAmount`)
        assert.strictEqual(nets.length, invoice.lines.length)
        // The rules do not allow amounts with a third decimal.
        if (findingsIn(invoice, customer_id).some(({ rule }) => rule === "UBL-DT-01")) return
        assert.strictEqual(total(one(xml, `${totals}/LineExtensionAmount`)), sum(nets))
        const taxes = all(xml, "TaxTotal/TaxSubtotal/TaxAmount")
        assert.strictEqual(total(all(xml, "TaxTotal/TaxAmount")[0] ?? ""), sum(taxes))
        assert.strictEqual(sum(all(xml, "TaxTotal/TaxSubtotal/TaxableAmount")), sum(taxableNets(invoice)))
        const exclusive = one(xml, `${totals}/TaxExclusiveAmount`)
        const inclusive = one(xml, `${totals}/TaxInclusiveAmount`)
        assert.strictEqual(total(inclusive), total(exclusive, ...taxes))
        assert.strictEqual(
          total(one(xml, `${totals}/PayableAmount`)),
          total(inclusive, negated(one(xml, `${totals}/PrepaidAmount`)), one(xml, `${totals}/PayableRoundingAmount`))
        )
      }),
      { numRuns: 300 }
    )
  })
})

const negated = (text: string | null) => (text === null ? null : `-${text}`)

/** Returns the net amount of each line, once for each of its taxes. */
const taxableNets = ({ lines }: EInvoice) =>
  lines.flatMap(({ net_amount, taxes }) => taxes.map(() => BigDecimal.format(net_amount)))
