import { describe, expect, it } from "vitest"
import { extract } from "../../../../../src/expenses/receipts/extraction/Extractor.ts"
import { fatturaPa } from "../../../../einvoicing/received/Fatture.ts"
import { crossIndustryInvoice } from "./EmbeddedInvoices.ts"
import { hintsOf } from "../Readings.ts"

const belgium = hintsOf("BE", "EUR")

const embedded = (embedded_xml: string) => extract({ source: "embedded", pages: [], embedded_xml }, belgium)

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
