import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EInvoice } from "../../../src/einvoicing/invoice/EInvoice.ts"
import { findingsIn } from "../../../src/einvoicing/rules/Rules.ts"
import { ublDocument } from "../../../src/einvoicing/ubl/UblDocument.ts"
import {
  anyEinvoice,
  credit,
  customer_id,
  day,
  decimal,
  document,
  einvoice,
  exempt,
  item,
  parties,
  rate
} from "./Documents.ts"
import { all, read } from "./XmlReader.ts"

const of = (price: string, changes: Parameters<typeof item>[0] = {}) =>
  item({ unit_price: decimal(price), tax_rates: [rate("20")], ...changes })
const rounded = (rounding: string, total: string) =>
  einvoice(document([item()], { rounding_adjustment: decimal(rounding), total: decimal(total) }))
const rebated = [item({ quantity: decimal("3") }), item({ quantity: decimal("2"), unit_price: decimal("-10") })]
const discounted = item({ quantity: decimal("3"), unit_price: decimal("19.99"), discount: decimal("10") })
const of_rebate = item({ unit_price: decimal("-10"), discount: decimal("5") })
const charged = item({ discount: decimal("2.50"), discount_type: "amount" })

const seller = "AccountingSupplierParty/Party"
const buyer = "AccountingCustomerParty/Party"
const category = "TaxTotal/TaxSubtotal/TaxCategory"
const totals = "LegalMonetaryTotal"
const allowance = "InvoiceLine/AllowanceCharge"

/** `stated` has the texts at the paths that the rule checks; a list is empty if the rule allows no element there. */
type Row = readonly [rule: string, document: EInvoice, stated: Readonly<Record<string, ReadonlyArray<string>>>]

const rows: ReadonlyArray<Row> = [
  [
    "R010 and R020: both parties have an electronic address, each of a scheme",
    einvoice(document([item()])),
    {
      [`${seller}/EndpointID`]: ["0202239951"],
      [`${seller}/EndpointID@schemeID`]: ["0208"],
      [`${buyer}/EndpointID`]: ["DE136695976"],
      [`${buyer}/EndpointID@schemeID`]: ["9930"]
    }
  ],
  [
    "BR-CO-14: the tax is the sum of its groups, each rounded once, not of its lines",
    einvoice(document([of("10.01"), of("10.01"), of("10.01"), of("10", { tax_rates: [rate("5.5", "S", 2)] })])),
    {
      "TaxTotal/TaxAmount": ["6.56"],
      "TaxTotal/TaxSubtotal/TaxAmount": ["6.01", "0.55"],
      "TaxTotal/TaxSubtotal/TaxableAmount": ["30.03", "10.00"],
      [`${totals}/TaxExclusiveAmount`]: ["40.03"],
      [`${totals}/TaxInclusiveAmount`]: ["46.59"]
    }
  ],
  [
    "BT-83: the structured reference goes with the account",
    einvoice(document([item()], { payment_reference: "RF18539007547034" })),
    {
      "PaymentMeans/PaymentID": ["RF18539007547034"],
      "PaymentMeans/PaymentMeansCode": ["58"],
      "PaymentMeans/PayeeFinancialAccount/ID": ["BE71096123456769"]
    }
  ],
  [
    "BR-61: without an account the reference stands under means that are not defined",
    einvoice(document([item()]), parties({ organization: { iban: null } })),
    {
      "PaymentMeans/PaymentMeansCode": ["1"],
      "PaymentMeans/PaymentID": ["+++020/2600/04222+++"],
      "PaymentMeans/PayeeFinancialAccount/ID": []
    }
  ],
  [
    "BR-S-10 and BR-Z-10: what is taxed, if at zero, gives no reason",
    einvoice(document([item(), item({ tax_rates: [rate("0", "Z", 2)] }), item({ tax_rates: [] })])),
    {
      [`${category}/ID`]: ["S", "Z"],
      [`${category}/TaxExemptionReason`]: [],
      [`${category}/TaxExemptionReasonCode`]: []
    }
  ],
  ...(
    [
      ["E", "Exempt from tax", []],
      ["AE", "Reverse charge", ["VATEX-EU-AE"]],
      ["K", "Intra-Community supply, exempt from VAT (Article 138 of Directive 2006/112/EC)", ["VATEX-EU-IC"]],
      ["G", "Export outside the EU, exempt from VAT (Article 146 of Directive 2006/112/EC)", ["VATEX-EU-G"]],
      ["O", "Not subject to VAT", ["VATEX-EU-O"]]
    ] as const
  ).map(([code, reason, codes]): Row => [
    `BR-${code === "K" ? "IC" : code}-10: what is not taxed says why`,
    einvoice(document([exempt(code)], { delivery: { date: day("2026-02-27") } })),
    {
      [`${category}/ID`]: [code],
      [`${category}/TaxExemptionReason`]: [reason],
      [`${category}/TaxExemptionReasonCode`]: codes,
      "TaxTotal/TaxAmount": ["0.00"]
    }
  ]),
  [
    "BR-AE-10: an untaxed rate gives the reason as an untaxed line does",
    einvoice(document([item({ tax_rates: [rate("0", "AE", 2)] })])),
    { [`${category}/TaxExemptionReason`]: ["Reverse charge"], [`${category}/Percent`]: ["0"] }
  ],
  [
    "BR-CO-16: what is rounded up is added to the amount due",
    rounded("0.02", "121.02"),
    {
      [`${totals}/TaxInclusiveAmount`]: ["121.00"],
      [`${totals}/PayableRoundingAmount`]: ["0.02"],
      [`${totals}/PayableAmount`]: ["121.02"]
    }
  ],
  [
    "BR-CO-16: what is rounded down is taken from it",
    rounded("-0.01", "120.99"),
    { [`${totals}/PayableRoundingAmount`]: ["-0.01"], [`${totals}/PayableAmount`]: ["120.99"] }
  ],
  [
    "BT-114: what is not rounded has no rounding",
    einvoice(document([item()])),
    { [`${totals}/PayableRoundingAmount`]: [], [`${totals}/PayableAmount`]: ["121.00"] }
  ],
  [
    "BR-27: a rebate has a negative quantity, never a negative price",
    einvoice(document(rebated)),
    {
      "InvoiceLine/InvoicedQuantity": ["3", "-2"],
      "InvoiceLine/Price/PriceAmount": ["100", "10"],
      "InvoiceLine/LineExtensionAmount": ["300.00", "-20.00"]
    }
  ],
  [
    "BR-27: so has one that is credited",
    einvoice(credit(rebated)),
    {
      "CreditNoteLine/CreditedQuantity": ["3", "-2"],
      "CreditNoteLine/Price/PriceAmount": ["100", "10"],
      "CreditNoteLine/LineExtensionAmount": ["300.00", "-20.00"],
      [`${totals}/PayableAmount`]: ["338.80"],
      "PaymentMeans/PaymentMeansCode": []
    }
  ],
  [
    "R040 and BR-41: a discount is an allowance on the line, and of a rebate a charge",
    einvoice(document([discounted, of_rebate, charged])),
    {
      [`${allowance}/ChargeIndicator`]: ["false", "true", "false"],
      [`${allowance}/Amount`]: ["6.00", "0.50", "2.50"],
      [`${allowance}/MultiplierFactorNumeric`]: ["10"],
      [`${allowance}/BaseAmount`]: ["59.97"],
      "InvoiceLine/LineExtensionAmount": ["53.97", "-9.50", "97.50"]
    }
  ],
  [
    "BG-24: attachments are not embedded",
    einvoice(document([item()], { notes: "With attachments" })),
    { "AdditionalDocumentReference/ID": [], Note: ["With attachments"] }
  ]
]

describe("a document on the network", () => {
  it.each(rows)("keeps %s", (_, invoice, stated) => {
    const xml = read(ublDocument(invoice))
    expect(Object.fromEntries(Object.keys(stated).map((path) => [path, all(xml, path)]))).toEqual(stated)
    expect(findingsIn(invoice, customer_id).filter(({ severity }) => severity === "error")).toEqual([])
  })

  it("names the currency of every amount, has no negative price and no empty element, whatever a client makes", () => {
    fc.assert(
      fc.property(anyEinvoice, (invoice) => {
        const text = ublDocument(invoice)
        const xml = read(text)
        expect(text).not.toMatch(/<[^/?!>]+\/>|<([\w:]+)[^>]*><\/\1>/)
        for (const path of xml.keys()) {
          if (!path.endsWith("Amount")) continue
          const currencies = all(xml, `${path}@currencyID`)
          expect(currencies).toHaveLength(all(xml, path).length)
          const others = currencies.filter((currency) => currency !== invoice.currency)
          // The total tax is stated a second time in the seller's own currency (BR-53).
          expect(others).toEqual(path === "TaxTotal/TaxAmount" ? [invoice.accounting_tax?.currency ?? []].flat() : [])
        }
        const prices = ["InvoiceLine", "CreditNoteLine"].flatMap((path) => all(xml, `${path}/Price/PriceAmount`))
        expect(prices).toHaveLength(invoice.lines.length)
        for (const price of prices) expect(price).not.toMatch(/^-/)
      }),
      { numRuns: 100 }
    )
  })
})
