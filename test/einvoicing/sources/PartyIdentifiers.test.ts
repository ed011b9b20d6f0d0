import { describe, expect, it } from "vitest"
import { vatIdentifier } from "../../../src/einvoicing/sources/PartyIdentifiers.ts"
import { ublDocument } from "../../../src/einvoicing/ubl/UblDocument.ts"
import { document, einvoice, exempt, parties } from "../ubl/Documents.ts"
import { one, read } from "../ubl/XmlReader.ts"

describe("vatIdentifier", () => {
  it.each([
    ["DEI150101AB1", "MX"],
    ["ESE930101AB1", "MX"],
    ["FRAJ800101AB1", "MX"],
    ["ATE150101AB1", "MX"],
    ["CHE150101AB1", "MX"],
    ["GBA150101AB1", "MX"],
    ["USA150101AB1", "MX"],
    ["DE12345", "MX"]
  ])("is not the number %s of a business in %s", (number, country) => {
    expect(vatIdentifier(number, country)).toBeNull()
  })

  it.each([
    ["DE136695976", "CH"],
    ["ESB58378431", "PT"],
    ["FR40303265045", "MC"],
    ["NL004495445B01", "BE"],
    ["XI980780684", "GB"],
    ["EL094259216", "GR"],
    ["GB980780684", "IE"],
    ["NO923609016MVA", "SE"],
    ["DE12345", "DE"],
    ["MX12345", "MX"],
    ["DEI150101AB1", null]
  ])("is the number %s of a business in %s", (number, country) => {
    expect(vatIdentifier(number, country)).toBe(number)
  })

  it("of Greece and Switzerland may be written as usual there", () => {
    expect(vatIdentifier("GR 094259216", "CY")).toBe("EL094259216")
    expect(vatIdentifier("CHE-107.787.577 MWST", "LI")).toBe("CHE107787577MWST")
  })
})

it.each([
  ["CH", "DE136695976", "DE136695976"],
  ["MX", "DEI150101AB1", null]
])("the VAT identifier of a business in %s with the number %s is %s in UBL", (country, tax_number, stated) => {
  const xml = read(ublDocument(einvoice(document([exempt("G")]), parties({ customer: { country, tax_number } }))))
  expect(one(xml, "AccountingCustomerParty/Party/PartyTaxScheme/CompanyID")).toBe(stated)
})
