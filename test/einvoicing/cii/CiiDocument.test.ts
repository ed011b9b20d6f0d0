import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mistakesIn } from "../../../scripts/einvoicing/ExactAmounts.ts"
import { randomDocument } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/support/Random.ts"
import { ciiDocument } from "../../../src/einvoicing/cii/CiiDocument.ts"
import type { EInvoice } from "../../../src/einvoicing/invoice/EInvoice.ts"
import { en16931 } from "../../../src/einvoicing/invoice/Profiles.ts"
import { findingsIn } from "../../../src/einvoicing/rules/Rules.ts"
import { ublDocument } from "../../../src/einvoicing/ubl/UblDocument.ts"
import { exponentOf } from "../../../src/kernel/Currency.ts"
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
  parties
} from "../ubl/Documents.ts"
import { all, one, read } from "../ubl/XmlReader.ts"

const trade = "SupplyChainTradeTransaction"
const agreement = `${trade}/ApplicableHeaderTradeAgreement`
const delivery = `${trade}/ApplicableHeaderTradeDelivery`
const settlement = `${trade}/ApplicableHeaderTradeSettlement`
const sums = `${settlement}/SpecifiedTradeSettlementHeaderMonetarySummation`
const means = `${settlement}/SpecifiedTradeSettlementPaymentMeans`
const item_of = `${trade}/IncludedSupplyChainTradeLineItem`
const line_settlement = `${item_of}/SpecifiedLineTradeSettlement`
const discount = `${line_settlement}/SpecifiedTradeAllowanceCharge`

/** Paths in UBL and CII that state the same fact about the whole document. */
const header: ReadonlyArray<readonly [ubl: string, cii: string]> = [
  ["CustomizationID", "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID"],
  ["ProfileID", "ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID"],
  ["ID", "ExchangedDocument/ID"],
  ["IssueDate", "ExchangedDocument/IssueDateTime/DateTimeString"],
  ["Note", "ExchangedDocument/IncludedNote/Content"],
  ["DocumentCurrencyCode", `${settlement}/InvoiceCurrencyCode`],
  ["TaxCurrencyCode", `${settlement}/TaxCurrencyCode`],
  ["BuyerReference", `${agreement}/BuyerReference`],
  ["InvoicePeriod/StartDate", `${settlement}/BillingSpecifiedPeriod/StartDateTime/DateTimeString`],
  ["InvoicePeriod/EndDate", `${settlement}/BillingSpecifiedPeriod/EndDateTime/DateTimeString`],
  ["BillingReference/InvoiceDocumentReference/ID", `${settlement}/InvoiceReferencedDocument/IssuerAssignedID`],
  [
    "BillingReference/InvoiceDocumentReference/IssueDate",
    `${settlement}/InvoiceReferencedDocument/FormattedIssueDateTime/DateTimeString`
  ],
  ["Delivery/ActualDeliveryDate", `${delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString`],
  [
    "Delivery/DeliveryLocation/Address/Country/IdentificationCode",
    `${delivery}/ShipToTradeParty/PostalTradeAddress/CountryID`
  ],
  ["PaymentMeans/PaymentMeansCode", `${means}/TypeCode`],
  ["PaymentMeans/PaymentID", `${settlement}/PaymentReference`],
  ["PaymentMeans/PayeeFinancialAccount/ID", `${means}/PayeePartyCreditorFinancialAccount/IBANID`],
  ["PaymentMeans/PayeeFinancialAccount/Name", `${means}/PayeePartyCreditorFinancialAccount/AccountName`],
  [
    "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
    `${means}/PayeeSpecifiedCreditorFinancialInstitution/BICID`
  ],
  ["PaymentTerms/Note", `${settlement}/SpecifiedTradePaymentTerms/Description`],
  ["TaxTotal/TaxAmount", `${sums}/TaxTotalAmount`],
  ["TaxTotal/TaxAmount@currencyID", `${sums}/TaxTotalAmount@currencyID`],
  ["TaxTotal/TaxSubtotal/TaxableAmount", `${settlement}/ApplicableTradeTax/BasisAmount`],
  ["TaxTotal/TaxSubtotal/TaxAmount", `${settlement}/ApplicableTradeTax/CalculatedAmount`],
  ["TaxTotal/TaxSubtotal/TaxCategory/ID", `${settlement}/ApplicableTradeTax/CategoryCode`],
  ["TaxTotal/TaxSubtotal/TaxCategory/Percent", `${settlement}/ApplicableTradeTax/RateApplicablePercent`],
  ["TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason", `${settlement}/ApplicableTradeTax/ExemptionReason`],
  ["TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode", `${settlement}/ApplicableTradeTax/ExemptionReasonCode`],
  ["LegalMonetaryTotal/LineExtensionAmount", `${sums}/LineTotalAmount`],
  ["LegalMonetaryTotal/TaxExclusiveAmount", `${sums}/TaxBasisTotalAmount`],
  ["LegalMonetaryTotal/TaxInclusiveAmount", `${sums}/GrandTotalAmount`],
  ["LegalMonetaryTotal/PrepaidAmount", `${sums}/TotalPrepaidAmount`],
  ["LegalMonetaryTotal/PayableRoundingAmount", `${sums}/RoundingAmount`],
  ["LegalMonetaryTotal/PayableAmount", `${sums}/DuePayableAmount`]
]

/** Paths in UBL and CII that state the same fact about a party. */
const party: ReadonlyArray<readonly [ubl: string, cii: string]> = [
  ["EndpointID", "URIUniversalCommunication/URIID"],
  ["EndpointID@schemeID", "URIUniversalCommunication/URIID@schemeID"],
  ["PartyName/Name", "SpecifiedLegalOrganization/TradingBusinessName"],
  ["PostalAddress/StreetName", "PostalTradeAddress/LineOne"],
  ["PostalAddress/AdditionalStreetName", "PostalTradeAddress/LineTwo"],
  ["PostalAddress/CityName", "PostalTradeAddress/CityName"],
  ["PostalAddress/PostalZone", "PostalTradeAddress/PostcodeCode"],
  ["PostalAddress/CountrySubentity", "PostalTradeAddress/CountrySubDivisionName"],
  ["PostalAddress/Country/IdentificationCode", "PostalTradeAddress/CountryID"],
  ["PartyTaxScheme/CompanyID", "SpecifiedTaxRegistration/ID"],
  ["PartyLegalEntity/RegistrationName", "Name"],
  ["PartyLegalEntity/CompanyID", "SpecifiedLegalOrganization/ID"],
  ["PartyLegalEntity/CompanyID@schemeID", "SpecifiedLegalOrganization/ID@schemeID"],
  ["PartyLegalEntity/CompanyLegalForm", "Description"],
  ["Contact/Name", "DefinedTradeContact/PersonName"],
  ["Contact/Telephone", "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber"],
  ["Contact/ElectronicMail", "DefinedTradeContact/EmailURIUniversalCommunication/URIID"]
]

/** Paths in UBL and CII that state the same fact about lines; UBL's names depend on the kind of document. */
const linesOf = (line: string, quantity: string): ReadonlyArray<readonly [ubl: string, cii: string]> => [
  [`${line}/ID`, `${item_of}/AssociatedDocumentLineDocument/LineID`],
  [`${line}/${quantity}`, `${item_of}/SpecifiedLineTradeDelivery/BilledQuantity`],
  [`${line}/${quantity}@unitCode`, `${item_of}/SpecifiedLineTradeDelivery/BilledQuantity@unitCode`],
  [`${line}/LineExtensionAmount`, `${line_settlement}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`],
  [`${line}/Item/Name`, `${item_of}/SpecifiedTradeProduct/Name`],
  [`${line}/Item/Description`, `${item_of}/SpecifiedTradeProduct/Description`],
  [`${line}/Item/ClassifiedTaxCategory/ID`, `${line_settlement}/ApplicableTradeTax/CategoryCode`],
  [`${line}/Item/ClassifiedTaxCategory/Percent`, `${line_settlement}/ApplicableTradeTax/RateApplicablePercent`],
  [`${line}/Price/PriceAmount`, `${item_of}/SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount`],
  [`${line}/AllowanceCharge/ChargeIndicator`, `${discount}/ChargeIndicator/Indicator`],
  [`${line}/AllowanceCharge/Amount`, `${discount}/ActualAmount`],
  [`${line}/AllowanceCharge/BaseAmount`, `${discount}/BasisAmount`],
  [`${line}/AllowanceCharge/MultiplierFactorNumeric`, `${discount}/CalculationPercent`],
  [`${line}/AllowanceCharge/AllowanceChargeReason`, `${discount}/Reason`],
  [`${line}/AllowanceCharge/AllowanceChargeReasonCode`, `${discount}/ReasonCode`]
]

const invoice_rows = [
  ["InvoiceTypeCode", "ExchangedDocument/TypeCode"],
  ["DueDate", `${settlement}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString`],
  ...linesOf("InvoiceLine", "InvoicedQuantity")
] as const
const credit_note_rows = [
  ["CreditNoteTypeCode", "ExchangedDocument/TypeCode"],
  ...linesOf("CreditNoteLine", "CreditedQuantity")
] as const

const rowsOf = ({ kind }: EInvoice) => [
  ...header,
  ...(kind === "invoice" ? invoice_rows : credit_note_rows),
  ...(["Seller", "Buyer"] as const).flatMap((role) => {
    const ubl = `Accounting${role === "Seller" ? "Supplier" : "Customer"}Party/Party`
    return party.map(([left, right]) => [`${ubl}/${left}`, `${agreement}/${role}TradeParty/${right}`] as const)
  })
]

const plain = (path: string, texts: ReadonlyArray<string>) =>
  path.endsWith("Date") ? texts.map((text) => text.replaceAll("-", "")) : texts

describe("ciiDocument", () => {
  it("says the same as UBL, field by field, of anything a client can make", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyEinvoice, (invoice) => {
        const [ubl, cii] = [read(ublDocument(invoice)), read(ciiDocument(invoice))]
        for (const [left, right] of rowsOf(invoice)) {
          const stated = plain(left, all(ubl, left))
          if (stated.length > 0) seen.add(left)
          expect([right, all(cii, right)]).toEqual([right, stated])
        }
      }),
      { numRuns: 300 }
    )
    // A field that is in none of the documents was never compared.
    const never = [...header, ...party, ...invoice_rows].flatMap(([left]) =>
      [...seen].some((path) => path.endsWith(left)) ? [] : [left]
    )
    expect(never).toEqual([])
  })

  it("has no element that UBL has no counterpart of", () => {
    const structure = /@format$|ApplicableTradeTax\/TypeCode$|SpecifiedTaxRegistration\/ID@schemeID$/
    fc.assert(
      fc.property(anyEinvoice, (invoice) => {
        const known = new Set(rowsOf(invoice).map(([, right]) => right))
        const others = [...read(ciiDocument(invoice)).keys()].filter(
          (path) => !known.has(path) && !structure.test(path)
        )
        const ship_to = `${delivery}/ShipToTradeParty/PostalTradeAddress/`
        expect(others.filter((path) => !path.startsWith(ship_to) && !path.startsWith("@"))).toEqual([])
      }),
      { numRuns: 50 }
    )
  })

  it("is a credit note by its type code, and corrects an invoice", () => {
    const xml = read(ciiDocument(einvoice(credit([item()]))))
    expect(one(xml, "ExchangedDocument/TypeCode")).toBe("381")
    expect(one(xml, `${settlement}/InvoiceReferencedDocument/IssuerAssignedID`)).toBe("INV-2026-0042")
    expect(one(xml, `${item_of}/SpecifiedLineTradeDelivery/BilledQuantity`)).toBe("1")
  })

  it("names the address and the day of an intra-community supply", () => {
    const supply = document([exempt("K")], { delivery: { date: day("2026-02-27") } })
    const xml = read(ciiDocument(einvoice(supply, parties(), { profile: en16931, sender: null, recipient: null })))
    expect(one(xml, `${delivery}/ShipToTradeParty/PostalTradeAddress/CityName`)).toBe("Berlin")
    expect(one(xml, `${delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString`)).toBe("20260227")
    expect(one(xml, `${delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString@format`)).toBe("102")
    expect([
      one(xml, `${agreement}/BuyerReference`),
      xml.has(`${agreement}/BuyerTradeParty/URIUniversalCommunication/URIID`)
    ]).toEqual([null, false])
  })
})

describe("documents of thirteen countries", () => {
  it("have figures that follow from each other to the last unit, in both forms", () => {
    const random = new Random(7)
    let accepted = 0
    for (let index = 1; index <= 300; index++) {
      const { cii, ubl } = randomDocument(random, index, new Set())
      const decimals = Math.min(exponentOf(ubl.currency), 2)
      const forms = [
        ["ubl", ubl, ublDocument(ubl)],
        ["cii", cii, ciiDocument(cii)]
      ] as const
      for (const [form, invoice, xml] of forms) {
        if (findingsIn(invoice, customer_id).some(({ severity }) => severity === "error")) continue
        accepted++
        expect(mistakesIn(form, xml, decimals)).toEqual([])
      }
    }
    expect(accepted).toBeGreaterThan(300)
  })

  it("with one figure changed by a unit are found out", () => {
    const xml = ublDocument(einvoice(document([item(), item({ unit_price: decimal("0.99") })])))
    expect(mistakesIn("ubl", xml, 2)).toEqual([])
    for (const amount of ["121.00", "221.00", "21.21", "122.20", "0.99"]) {
      if (!xml.includes(`>${amount}<`)) continue
      const changed = xml.replace(`>${amount}<`, `>${amount.slice(0, -1)}8<`)
      expect(mistakesIn("ubl", changed, 2)).not.toEqual([])
    }
  })
})

describe("a seller with only a number of the tax office", () => {
  it.each(["tax_number", "national_tax_number"])("is identified by its %s", (field) => {
    const numbers = { tax_number: null, national_tax_number: null, registration_number: null, country: "DE" }
    const seller = parties({ organization: { ...numbers, [field]: "37/123/45678" } })
    const invoice = einvoice(document([exempt("E")], { buyer_reference: "1" }), seller)
    expect(findingsIn(invoice, customer_id).map(({ rule }) => rule)).not.toContain("BR-CO-26")
    expect(findingsIn(invoice, customer_id).map(({ rule }) => rule)).not.toContain("BR-E-02")
    const [ubl, cii] = [read(ublDocument(invoice)), read(ciiDocument(invoice))]
    const [party, trader] = ["AccountingSupplierParty/Party", `${agreement}/SellerTradeParty`]
    expect(one(ubl, `${party}/PartyIdentification/ID`)).toBe("37/123/45678")
    expect(one(ubl, `${party}/PartyTaxScheme/CompanyID`)).toBe("37/123/45678")
    expect(one(cii, `${trader}/ID`)).toBe("37/123/45678")
    expect(one(cii, `${trader}/SpecifiedTaxRegistration/ID`)).toBe("37/123/45678")
  })
})

describe("a Belgian credit note", () => {
  it("tells a business to repay the VAT that it deducted", () => {
    const note = einvoice(credit([item()], { notes: "Damaged" }), parties({ customer: { language: "nl" } }))
    expect(one(read(ublDocument(note)), "Note")).toMatch(/^Damaged\nBtw terug te storten aan de Staat /)
    const untaxed = einvoice(credit([exempt("AE")], { notes: "Damaged" }), parties())
    expect(one(read(ublDocument(untaxed)), "Note")).toBe("Damaged")
  })
})
