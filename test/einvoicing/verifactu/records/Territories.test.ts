import { describe, expect, it } from "vitest"
import type { TaxRate } from "../../../../src/billing/lines/Tax.ts"
import type { ResolvedItem } from "../../../../src/billing/lines/Totals.ts"
import { document, exempt, item, rate } from "../../ubl/Documents.ts"
import { spanish, useTaxAgency } from "../SpanishSellers.ts"
import { berlin, rulesOf, sevilla, xmlOf } from "./RecordSources.ts"

const { required, seller } = useTaxAgency()

/** Returns tax, regime and treatment of each row of a record: `01 08 N2`. */
const rowsIn = (xml: string) =>
  [...xml.matchAll(/<sf:DetalleDesglose>(.*?)<\/sf:DetalleDesglose>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<sf:(?:Impuesto|ClaveRegimen|CalificacionOperacion|OperacionExenta)>([^<]+)/g)]
      .map(([, value]) => value)
      .join(" ")
  )

const untaxed = (reason: "AE" | "E" | "O") => ({
  items: [{ description: "Diseño", unit_price: 100, tax_exempt: true, tax_exemption_reason: reason }]
})

/** Sends an invoice of a seller in Madrid, after changes of the parties, and returns the message with its record. */
const sentRecord = async (items: object, { country = "ES", customer = {}, organization = {} }) => {
  const books = await seller()
  await books.made("PUT", `/organizations/${books.id}`, organization)
  await books.made("PUT", `/customers/${books.customer_id}`, customer)
  const invoice = await books.issued(items)
  await books.record("invoice", invoice.id)
  const { data } = (await books.call("GET", "/einvoicing/invoices")).body
  expect(data).toMatchObject([{ invoice_id: invoice.id, status: "pending", recipient: { country_code: country } }])
  expect(await books.transmit(data[0].id)).toBe("done")
  return required().messages.at(-1) ?? ""
}

const canary = { postal_code: "38001" }
const ceuta = { postal_code: "51001" }

const rated = (rate: TaxRate) => item({ tax_rates: [rate] })
const cases: ReadonlyArray<readonly [string, ReadonlyArray<ResolvedItem>, object, ReadonlyArray<string>]> = [
  ["that of the other lines", [exempt("E"), rated(rate("21"))], {}, ["01 01 E1", "01 01 S1"]],
  ["IGIC for an exemption of IGIC", [item({ ...exempt("E"), exemption_code: "VATEX-ES-E7" })], {}, ["03 01 E7"]],
  ["VAT for a rate of VAT", [rated(rate("21"))], canary, ["01 01 S1"]],
  ["VAT under the One Stop Shop", [rated({ ...rate("19"), country: "DE" })], canary, ["01 17 N2"]],
  ["IGIC with the regime of exports", [exempt("G")], canary, ["03 02 E2"]],
  ["IPSI, which has no regime of exports", [exempt("G")], ceuta, ["02 01 E2"]],
  ["IPSI with the ordinary regime", [rated(rate("4", "M"))], ceuta, ["02 01 S1"]]
]

describe("the tax of a record", () => {
  it("is that of the seller's place, if no line names a tax", async () => {
    expect(rowsIn(await sentRecord(untaxed("E"), { organization: canary, customer: canary }))).toEqual(["03 01 E1"])
    expect(rowsIn(await sentRecord(untaxed("E"), { organization: ceuta, customer: ceuta }))).toEqual(["02 01 E1"])
  })

  it.each(cases)("is %s", (_, items, organization, rows) => {
    expect(rowsIn(xmlOf(document(items), { ...sevilla, ...organization }, organization))).toEqual(rows)
    expect(rulesOf(document(items), sevilla, organization)).toEqual([])
  })
})

describe("a sale from one tax territory of Spain to another", () => {
  it("is subject to the tax of the customer's place (regime 08)", async () => {
    expect(rowsIn(await sentRecord(untaxed("AE"), { customer: canary }))).toEqual(["01 08 N2"])
    expect(rowsIn(await sentRecord(untaxed("O"), { customer: ceuta }))).toEqual(["01 08 N2"])
  })

  it("is subject to the tax of the place of the delivery, if the document states it", async () => {
    const delivered = { ...untaxed("AE"), delivery_address: { country: "ES", city: "Madrid", postal_code: "28001" } }
    expect(rowsIn(await sentRecord(delivered, { customer: canary }))).toEqual(["01 01 S2"])
  })

  it.each([
    ["AE", {}, canary, "03 08 N2"],
    ["O", canary, ceuta, "02 08 N2"],
    ["AE", canary, canary, "03 01 S2"],
    ["O", { postal_code: null }, canary, "03 01 N1"],
    ["AE", { ...canary, country: "FR", tax_number: "FR40303265045" }, {}, "01 01 N2"]
  ] as const)("of category %s has the regime by both places", (category, customer, organization, row) => {
    const source = document([item(exempt(category))])
    expect(rowsIn(xmlOf(source, { ...sevilla, ...customer }, organization))).toEqual([row])
  })

  it("has the regime 08 also by its exemption code", () => {
    const source = document([item({ ...exempt("E"), exemption_code: "VATEX-ES-N2" })])
    expect(rowsIn(xmlOf(source, { ...sevilla, ...canary }))).toEqual(["01 08 N2"])
    expect(rowsIn(xmlOf(source))).toEqual(["01 01 N2"])
  })
})

describe("the number of a foreign customer", () => {
  it("states the customer's country, if its address states none", async () => {
    const customer = { country: null, tax_number: "GB980780684" }
    const record = await sentRecord(untaxed("O"), { customer, country: "GB" })
    expect(record).toContain("<sf:CodigoPais>GB</sf:CodigoPais><sf:IDType>04</sf:IDType><sf:ID>GB980780684</sf:ID>")
    expect(rowsIn(record)).toEqual(["01 01 N2"])
  })

  it.each(["DEI150101AB1", "ESE930101AB1"])(
    "is that of its country, although it begins like a prefix: %s",
    (number) => {
      const source = document([item(exempt("O"))])
      const mexican = { ...berlin, country: "MX", tax_number: number }
      expect(xmlOf(source, mexican)).toContain(
        `<sf:CodigoPais>MX</sf:CodigoPais><sf:IDType>04</sf:IDType><sf:ID>${number}</sf:ID>`
      )
      expect(rulesOf(source, mexican)).toEqual([])
      const swiss = { ...berlin, country: "CH" }
      expect(xmlOf(source, swiss)).toContain("<sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>DE136695976</sf:ID>")
      expect(rulesOf(source, swiss)).toEqual([])
    }
  )

  it("is refused without the structure of its VAT identifier, before the invoice is issued", async () => {
    const books = await seller()
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "DE", tax_number: "DE12345" })
    const draft = await books.draft()
    const { errors } = (await books.validate(draft, spanish)).body.data
    expect(errors).toMatchObject([{ rule: "1103", pointer: "/customer/tax_number" }])
    expect((await books.submit(draft, spanish)).status).toBe(422)
    expect((await books.invoice(draft.id)).status).toBe("draft")
  })

  it.each([
    ["NL004495445B01", []],
    ["XI980780684", []],
    ["IE1+12345A", []],
    ["EL094259216", []],
    ["CHE-107.787.577 MWST", []],
    ["BE202239951", ["1103"]],
    ["RO018547290", ["1103"]],
    ["SE5560360793", ["1103"]]
  ] as const)("is checked by the structures of the AEAT: %s", (tax_number, rules) => {
    expect(rulesOf(document([item(exempt("AE"))]), { ...berlin, country: null, tax_number })).toEqual(rules)
  })
})
