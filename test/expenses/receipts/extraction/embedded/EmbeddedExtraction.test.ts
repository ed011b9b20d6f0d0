import { describe, expect, it } from "vitest"
import { extract } from "../../../../../src/expenses/receipts/extraction/Extractor.ts"
import { fatturaPa } from "../../../../einvoicing/received/Fatture.ts"
import { crossIndustryInvoice, ublInvoice } from "./EmbeddedInvoices.ts"
import { hintsOf } from "../Readings.ts"

const belgium = hintsOf("BE", "EUR")

const embedded = (embedded_xml: string) => extract({ source: "embedded", pages: [], embedded_xml }, belgium)

const numbered = (number: string, scheme: string) =>
  ublInvoice()
    .replaceAll(/Café Zürich( &amp; Söhne| SA)/g, "Café Zürich")
    .replace("</cac:PartyName>", `$&<cac:${scheme}><cbc:CompanyID>${number}</cbc:CompanyID></cac:${scheme}>`)

describe("extract: an electronic invoice", () => {
  it("is done if it is exact", async () => {
    const { fields, status, warnings } = await embedded(crossIndustryInvoice().replace(">380<", ">387<"))
    expect([status, fields.amount, warnings]).toEqual(["done", "118.40", []])
  })

  it.each([
    [
      "rounding",
      "<ImportoTotaleDocumento>129.30</ImportoTotaleDocumento><Arrotondamento>-0.03</Arrotondamento>",
      "129.30"
    ],
    [
      "stamp duty",
      "<DatiBollo><ImportoBollo>2.00</ImportoBollo></DatiBollo><ImportoTotaleDocumento>131.33</ImportoTotaleDocumento>",
      "131.33"
    ]
  ])("is done if its total differs from its tax rows by its %s (FatturaPA)", async (_, total, amount) => {
    const { fields, status, warnings } = await embedded(fatturaPa({ total }))
    expect([status, fields.amount, warnings]).toEqual(["done", amount, []])
  })

  it("needs review if it is a credit note, whose amounts are negative", async () => {
    const { fields, status, warnings } = await embedded(crossIndustryInvoice().replace(">380<", ">381<"))
    expect([status, fields.amount, fields.tax_amount]).toEqual(["needs_review", "-118.40", "-20.55"])
    expect(warnings).toEqual(["The document is a credit note, so its amounts are negative."])
  })

  it.each(["389", "501", "527"])("needs review if its buyer issued it (%s), because it may be a sale", async (code) => {
    const { fields, status, warnings } = await embedded(crossIndustryInvoice().replace(">380<", `>${code}<`))
    expect([status, fields.amount]).toEqual(["needs_review", "118.40"])
    expect(warnings).toEqual([expect.stringContaining("it is a sale of yours, not an expense")])
  })

  const own = hintsOf("BE", "EUR", { own_name: "CAFE ZURICH & SÖHNE", own_names: ["BE 0123.456.749", "Café Zürich"] })
  const sold = (embedded_xml: string) => extract({ source: "embedded", pages: [], embedded_xml }, own)
  const registered = crossIndustryInvoice().replace(
    "<ram:Name>Café Zürich &amp; Söhne</ram:Name>",
    '<ram:Name>Zürich</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">BE0123456749</ram:ID></ram:SpecifiedTaxRegistration>'
  )

  it.each([
    ["name (CII)", crossIndustryInvoice()],
    ["name (UBL)", ublInvoice()],
    ["VAT identifier (CII)", registered],
    ["VAT identifier (UBL)", numbered("BE0123456749", "PartyTaxScheme")],
    ["registration number (UBL)", numbered("0123456749", "PartyLegalEntity")],
    [
      "name (FatturaPA)",
      fatturaPa({ seller: "<Anagrafica><Denominazione>Café Zürich &amp; Söhne</Denominazione></Anagrafica>" })
    ]
  ])("needs review if its seller has the organization's %s, because it is a sale", async (_, xml) => {
    const { status, warnings } = await sold(xml)
    expect(status).toBe("needs_review")
    expect(warnings).toEqual(["The seller is your own organization: this is a sale of yours, not an expense."])
  })

  it("is done if its seller has the name of the organization's city, and another number", async () => {
    expect(await sold(numbered("BE0876543210", "PartyTaxScheme"))).toMatchObject({ status: "done", warnings: [] })
  })

  it.each([
    ["RCS Paris 752", "RCS Paris 752 123 456"],
    ["RCS Paris B 123 456 789", "Paris B 12"],
    ["1234 Zürichberg", "1234 Zürichberg 87654321"]
  ])("is done if the organization's number %s is like the seller's %s only in its letters", async (number, theirs) => {
    const hints = hintsOf("BE", "EUR", { own_names: [number] })
    const embedded_xml = numbered(theirs, "PartyLegalEntity")
    expect(await extract({ source: "embedded", pages: [], embedded_xml }, hints)).toMatchObject({
      status: "done",
      warnings: []
    })
  })

  it("names a self-billed document of the organization only as such", async () => {
    const { warnings } = await sold(crossIndustryInvoice().replace(">380<", ">389<"))
    expect(warnings).toEqual([expect.stringContaining("self-billing")])
  })

  it("needs review if it names no currency, and says so", async () => {
    const { fields, status, warnings } = await embedded(crossIndustryInvoice().replaceAll("EUR", ""))
    expect([status, fields.amount, fields.vendor]).toEqual(["needs_review", undefined, "Café Zürich & Söhne"])
    expect(warnings).toEqual(["The electronic invoice names no currency of ISO 4217, so its amounts are unknown."])
  })

  it.each([
    ["damaged", crossIndustryInvoice().slice(0, -20), "invalid_xml"],
    ["without an amount", crossIndustryInvoice().replace(">118.40<", "><"), "no_amount"]
  ])("fails if it is %s, and says so", async (_, xml, code) => {
    expect(await embedded(xml)).toMatchObject({ source: "embedded", status: "failed", error: { code } })
  })
})
