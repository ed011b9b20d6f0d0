import { BigDecimal, Schema } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { italianRegime } from "../../../src/einvoicing/countries/Form.ts"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { OrganizationSettings } from "../../../src/kernel/OrganizationSettings.ts"
import { credit, day, decimal, document, exempt, item, rate } from "../ubl/Documents.ts"
import { all, one, read } from "../ubl/XmlReader.ts"
import {
  berlin,
  body,
  fattura,
  general,
  header,
  items,
  line,
  payment,
  rulesOf,
  sending,
  summary,
  xmlOf
} from "./ItalianFatture.ts"

describe("fatturaDocument", () => {
  it("states both parties, the amounts and the payment of an invoice", () => {
    const xml = xmlOf(document(items, { purchase_order: "PO-1", notes: "Grazie €" }))
    const parts: ReadonlyArray<readonly [path: string, text: string]> = [
      ["@versione", "FPR12"],
      [`${header}/DatiTrasmissione/IdTrasmittente/IdCodice`, "00743110157"],
      [`${header}/DatiTrasmissione/ProgressivoInvio`, "0000A"],
      [`${header}/DatiTrasmissione/CodiceDestinatario`, "M5UXCR1"],
      [`${header}/CedentePrestatore/DatiAnagrafici/RegimeFiscale`, "RF01"],
      [`${header}/CedentePrestatore/Sede/Provincia`, "RM"],
      [`${header}/CessionarioCommittente/Sede/Provincia`, "MI"],
      [`${general}/TipoDocumento`, "TD01"],
      [`${general}/ImportoTotaleDocumento`, "122.00"],
      [`${general}/Causale`, "Grazie EUR"],
      [`${body}/DatiGenerali/DatiOrdineAcquisto/IdDocumento`, "PO-1"],
      [`${line}/Quantita`, "1.00"],
      [`${line}/PrezzoTotale`, "100.00"],
      [`${line}/AliquotaIVA`, "22.00"],
      [`${summary}/Imposta`, "22.00"],
      [`${summary}/EsigibilitaIVA`, "I"],
      [`${payment}/ModalitaPagamento`, "MP05"],
      [`${payment}/IBAN`, "IT60X0542811101000000123456"],
      [`${payment}/DataScadenzaPagamento`, "2026-03-31"],
      [`${payment}/ImportoPagamento`, "122.00"]
    ]
    for (const [path, text] of parts) expect([path, one(xml, path)]).toEqual([path, text])
    expect(one(xml, `${line}/Natura`)).toBeNull()
    expect(rulesOf(document(items))).toEqual([])
  })

  it("states the codes of a public tender (CIG, CUP) that an order or a contract names", async () => {
    const office = { recipient: { scheme: "0201", value: "uf5uxc" } }
    const source = document(items, {
      purchase_order: "CIG: z1234567ab",
      contract_reference: "Contratto 7 CIG Z1234567AB CUP J31B05000060001"
    })
    const text = fatturaDocument(fattura(source, office), sending)
    const data = `${body}/DatiGenerali`
    const parts: ReadonlyArray<readonly [path: string, text: string]> = [
      ["@versione", "FPA12"],
      [`${header}/DatiTrasmissione/CodiceDestinatario`, "UF5UXC"],
      [`${data}/DatiOrdineAcquisto/IdDocumento`, "Z1234567AB"],
      [`${data}/DatiOrdineAcquisto/CodiceCIG`, "Z1234567AB"],
      [`${data}/DatiContratto/IdDocumento`, "Contratto 7"],
      [`${data}/DatiContratto/CodiceCUP`, "J31B05000060001"],
      [`${data}/DatiContratto/CodiceCIG`, "Z1234567AB"]
    ]
    for (const [path, value] of parts) expect([path, one(read(text), path)]).toEqual([path, value])
    const rules = process.env["EINVOICING_RULES"] ?? ""
    if (!existsSync(join(rules, "fatturapa-xsd"))) return
    const folder = mkdtempSync(join(tmpdir(), "fatture-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, "office.xml"), text)
    expect(await misshapen(rules, "fatturapa", [join(folder, "office.xml")])).toEqual([])
  })

  it("states the VAT of split payment, which the customer does not pay to the seller", () => {
    const split = [{ ...exempt("AE"), exemption_code: "VATEX-IT-S-22" }]
    const invoice = document(split)
    const xml = xmlOf(invoice)
    expect([invoice.total, invoice.tax_total].map((amount) => BigDecimal.format(amount))).toEqual(["100", "0"])
    const parts: ReadonlyArray<readonly [path: string, text: string]> = [
      [`${general}/ImportoTotaleDocumento`, "122.00"],
      [`${line}/AliquotaIVA`, "22.00"],
      [`${summary}/ImponibileImporto`, "100.00"],
      [`${summary}/Imposta`, "22.00"],
      [`${summary}/EsigibilitaIVA`, "S"],
      [`${payment}/ImportoPagamento`, "100.00"]
    ]
    for (const [path, text] of parts) expect([path, one(xml, path)]).toEqual([path, text])
    expect(one(xmlOf(credit(split)), `${summary}/EsigibilitaIVA`)).toBe("S")
    expect(rulesOf(invoice)).toEqual([])
    expect(rulesOf(invoice, { customer: berlin })).toEqual(["error IT-SPLIT"])
    expect(rulesOf(document([...split, ...items]))).toContain("error IT-SPLIT")
    const office = { recipient: { scheme: "0201", value: "UFBLG1" } }
    expect(rulesOf(document(items, { purchase_order: "CIG Z1234567AB" }), office)).toEqual([
      "warning 00102",
      "warning IT-SPLIT"
    ])
  })

  it("states the present tax regime in a document that an older version issued without one", () => {
    const settings = Schema.decodeSync(OrganizationSettings)({ it_tax_regime: "RF18" })
    const invoice = fattura(document(items))
    expect([invoice.it_tax_regime, italianRegime(invoice, settings)]).toEqual([null, "RF18"])
    expect(italianRegime({ ...invoice, it_tax_regime: "RF19" }, settings)).toBe("RF19")
  })

  it("credits as TD04, with the credited invoice and no payment", () => {
    const xml = xmlOf(credit(items))
    expect([one(xml, `${general}/TipoDocumento`), one(xml, `${payment}/ImportoPagamento`)]).toEqual(["TD04", null])
    expect(one(xml, `${body}/DatiGenerali/DatiFattureCollegate/IdDocumento`)).toBe("INV-2026-0042")
    const preceding_invoice = { number: "INV-1", issue_date: day("2026-03-02") }
    expect(rulesOf(credit(items, { preceding_invoice }))).toEqual(["error 00418"])
  })

  it.each([
    ["0201", "UFBLG1", "FPA12", "UFBLG1", null],
    ["IT:SDI", "ufblg1", "FPA12", "UFBLG1", null],
    ["IT:SDI", "M5UXCR1", "FPR12", "M5UXCR1", null],
    ["IT:PEC", "fatture@pec.example.it", "FPR12", "0000000", "fatture@pec.example.it"],
    ["0211", "IT00743110157", "FPR12", "0000000", null]
  ])("addresses %s %s", (scheme, value, format, code, pec) => {
    const xml = xmlOf(document(items), { recipient: { scheme, value } })
    const path = `${header}/DatiTrasmissione`
    expect([
      one(xml, `${path}/FormatoTrasmissione`),
      one(xml, `${path}/CodiceDestinatario`),
      one(xml, `${path}/PECDestinatario`)
    ]).toEqual([format, code, pec])
  })

  it("addresses a customer in San Marino by the tax office of that country", () => {
    const customer = { ...berlin, country: "SM", tax_number: "SM12345" }
    const xml = xmlOf(document([exempt("G")]), { customer })
    expect(one(xml, `${header}/DatiTrasmissione/CodiceDestinatario`)).toBe("2R4GTO8")
  })

  it.each([
    ["MX", "DEI150101AB1", "MX", "DEI150101AB1"],
    ["CH", "DE136695976", "DE", "136695976"]
  ])("identifies a customer in %s by the number %s", (country, tax_number, prefix, code) => {
    const source = document([exempt("O")])
    const customer = { ...berlin, country, tax_number }
    const identity = `${header}/CessionarioCommittente/DatiAnagrafici/IdFiscaleIVA`
    const xml = xmlOf(source, { customer })
    expect([one(xml, `${identity}/IdPaese`), one(xml, `${identity}/IdCodice`)]).toEqual([prefix, code])
    expect(rulesOf(source, { customer })).toEqual([])
  })

  it("treats a customer abroad with an Italian VAT number as an Italian one", () => {
    const customer = { ...berlin, tax_number: "IT12345670017" }
    const xml = xmlOf(document(items), { customer })
    expect(one(xml, `${header}/CessionarioCommittente/DatiAnagrafici/IdFiscaleIVA/IdPaese`)).toBe("IT")
    expect(one(xml, `${header}/DatiTrasmissione/CodiceDestinatario`)).toBe("M5UXCR1")
    expect(one(xmlOf(document([exempt("O")]), { customer }), `${line}/Natura`)).toBe("N2.2")
    expect(rulesOf(document(items), { customer, recipient: { scheme: "9930", value: "DE136695976" } })).toEqual([
      "warning 00311"
    ])
  })

  it.each([
    ["goods", "N3.2", []],
    ["services", "N7", []],
    [null, "N7", ["warning IT-OSS"]]
  ] as const)("states no Italian VAT on a sale of %s under the One Stop Shop", (operation_nature, natura, rules) => {
    const german = { ...rate("19"), country: "DE" }
    const source = document([item({ tax_rates: [german] }), ...items], { operation_nature })
    const customer = { ...berlin, tax_number: null }
    const xml = xmlOf(source, { customer })
    expect(all(xml, `${line}/AliquotaIVA`)).toEqual(["0.00", "22.00"])
    expect(one(xml, `${line}/Natura`)).toBe(natura)
    expect(all(xml, `${summary}/AliquotaIVA`)).toEqual(["0.00", "22.00"])
    expect(all(xml, `${summary}/Imposta`)).toEqual(["0.00", "22.00"])
    expect(one(xml, `${summary}/Natura`)).toBe(natura)
    expect(one(xml, `${general}/ImportoTotaleDocumento`)).toBe("241.00")
    expect(all(xml, `${general}/Causale`)).toContain("IVA DE 19%: 19.00")
    expect(rulesOf(source, { customer })).toEqual(rules)
  })

  it("addresses a foreign customer with XXXXXXX and its own VAT number", () => {
    const xml = xmlOf(document([exempt("K")], { delivery: null }), { customer: berlin })
    expect(one(xml, `${header}/DatiTrasmissione/CodiceDestinatario`)).toBe("XXXXXXX")
    const buyer = `${header}/CessionarioCommittente`
    expect(one(xml, `${buyer}/DatiAnagrafici/IdFiscaleIVA/IdPaese`)).toBe("DE")
    expect([one(xml, `${buyer}/Sede/CAP`), one(xml, `${buyer}/Sede/Indirizzo`)]).toEqual(["00000", "Via Roma 1, 10117"])
  })

  it.each([
    ["E", {}, null, "N4"],
    ["E", {}, "VATEX-EU-79-C", "N1"],
    ["E", {}, "VATEX-EU-F", "N5"],
    ["AE", {}, "VATEX-IT-N6-1", "N6.1"],
    ["O", {}, null, "N2.2"],
    ["O", berlin, null, "N2.1"],
    ["AE", berlin, null, "N2.1"],
    ["K", berlin, null, "N3.2"],
    ["G", { ...berlin, country: "US", tax_number: null }, null, "N3.1"],
    ["G", { ...berlin, country: "SM", tax_number: "SM12345" }, null, "N3.3"]
  ] as const)("derives the natura of %s to %o with %s: %s", (category, customer, exemption_code, natura) => {
    const source = document([{ ...exempt(category), exemption_code }])
    const xml = xmlOf(source, { customer })
    expect([one(xml, `${line}/Natura`), one(xml, `${summary}/Natura`)]).toEqual([natura, natura])
    expect(rulesOf(source, { customer })).toEqual([])
  })

  it("keeps exempt lines of different naturas separate", () => {
    const xml = xmlOf(document([exempt("E"), { ...exempt("E"), exemption_code: "VATEX-EU-79-C" }]))
    expect([all(xml, `${line}/Natura`), all(xml, `${summary}/Natura`)]).toEqual([
      ["N4", "N1"],
      ["N4", "N1"]
    ])
  })

  it.each([
    ["77.47", null],
    ["77.48", "SI"]
  ])("states stamp duty above 77.47 euros: %s", (unit_price, stamp) => {
    const xml = xmlOf(document([{ ...exempt("E"), unit_price: decimal(unit_price) }]))
    expect(one(xml, `${general}/DatiBollo/BolloVirtuale`)).toBe(stamp)
  })

  it("writes a discount as a change of the unit price, and one of the document as a line", () => {
    const changes = { discount: decimal("10"), discount_type: "percent" as const, quantity: decimal("3") }
    const xml = xmlOf(document([item({ ...changes, tax_rates: [rate("22")] })]))
    expect(one(xml, `${line}/ScontoMaggiorazione/Percentuale`)).toBe("10.00")
    const amount = xmlOf(document([item({ ...changes, discount_type: "amount", tax_rates: [rate("22")] })]))
    expect(one(amount, `${line}/ScontoMaggiorazione/Importo`)).toBe("3.33333333")
    expect(one(amount, `${line}/PrezzoTotale`)).toBe("290.00")
  })
})

describe("the rules of a FatturaPA", () => {
  it.each([
    ["no natura", document([exempt("AE")]), {}, "00400"],
    ["no zero rate", document([item({ tax_rates: [] })]), {}, "00400"],
    ["a number without digits", document(items, { number: "ABC" }), {}, "00425"],
    ["a long number", document(items, { number: "A".repeat(20) + "1" }), {}, "00200"],
    ["a seller without VAT number", document(items), { organization: { tax_number: null } }, "00301"],
    ["a buyer without any number", document(items), { customer: { tax_number: null } }, "00417"],
    ["a wrong VAT number", document(items), { customer: { tax_number: "IT00743110158" } }, "00305"],
    ["a buyer that is the seller", document(items), { customer: { tax_number: "IT00743110157" } }, "00471"],
    ["a seller's codice fiscale", document(items), { customer: { tax_number: "00743110157" } }, "00471"],
    ["a date in the future", document(items, { issue_date: day("2027-01-01") }), {}, "00403"],
    ["a wrong codice fiscale", document(items), { customer: { tax_number: "RCCMNL83S18D969X" } }, "00306"],
    ["a name beyond Latin", document(items), { customer: { name: "東京" } }, "00200"],
    ["a short postal code", document(items), { customer: { postal_code: "184" } }, "00200"],
    ["a short codice", document(items), { recipient: { scheme: "IT:SDI", value: "M5UXC" } }, "00427"]
  ])("refuse %s", (_, source, given, rule) => {
    expect(rulesOf(source, given)).toEqual([`error ${rule}`])
  })

  it("warn of the natura N4 on sales of a small business, which usually have N2.2", () => {
    expect(rulesOf(document([exempt("E")]), {}, "RF19")).toEqual(["warning IT-REGIME"])
    const outside = document([{ ...exempt("E"), exemption_code: "VATEX-IT-N2-2" }])
    expect(rulesOf(outside, {}, "RF19")).toEqual([])
  })

  it("warn of an address that the authority does not know", () => {
    expect(rulesOf(document(items), { recipient: { scheme: "0088", value: "5412345000013" } })).toEqual([
      "warning 00311"
    ])
  })
})
