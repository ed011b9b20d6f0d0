import { BigDecimal } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { brokenControls, fatturaMistakes } from "../../../scripts/einvoicing/FatturaControls.ts"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import type { SourceDocument } from "../../../src/einvoicing/sources/FromDocument.ts"
import { fatturaPa } from "../../../src/einvoicing/invoice/Profiles.ts"
import { fatturaRules } from "../../../src/einvoicing/fatturapa/FatturaRules.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import type { ItalianTaxRegime } from "../../../src/kernel/OrganizationSettings.ts"
import { credit, customer_id, day, decimal, document, einvoice, exempt, item, parties, rate } from "../ubl/Documents.ts"
import { all, one, read } from "../ubl/XmlReader.ts"

const header = "FatturaElettronicaHeader"
const body = "FatturaElettronicaBody"
const general = `${body}/DatiGenerali/DatiGeneraliDocumento`
const line = `${body}/DatiBeniServizi/DettaglioLinee`
const summary = `${body}/DatiBeniServizi/DatiRiepilogo`
const payment = `${body}/DatiPagamento/DettaglioPagamento`

const rome = {
  name: "Officina Rossi S.r.l.",
  country: "IT",
  tax_number: "IT00743110157",
  registration_number: null,
  address_line1: "Via Roma 1",
  city: "Roma",
  postal_code: "00184",
  state: "RM",
  iban: "IT60X0542811101000000123456"
}
const milan = {
  ...rome,
  name: "Bianchi S.p.A.",
  tax_number: "IT12345670017",
  city: "Milano",
  postal_code: "20121",
  state: "IT-MI"
}
const berlin = { ...rome, country: "DE", tax_number: "DE136695976", city: "Berlin", postal_code: "10117", state: null }

interface Given {
  readonly customer?: object
  readonly organization?: object
  readonly recipient?: { readonly scheme: string; readonly value: string }
}

const fattura = (source: SourceDocument, { customer = {}, organization = {}, recipient }: Given = {}) =>
  einvoice(source, parties({ customer: { ...milan, ...customer }, organization: { ...rome, ...organization } }), {
    profile: fatturaPa,
    sender: { scheme: "0211", value: "IT00743110157" },
    recipient: { ...(recipient ?? { scheme: "IT:SDI", value: "M5UXCR1" }), country_code: null }
  })

const items = [item({ tax_rates: [rate("22")] })]
const sending = { progressive: "0000A", regime: "RF01" } as const
const xmlOf = (source: SourceDocument, given: Given = {}) => read(fatturaDocument(fattura(source, given), sending))
const rulesOf = (source: SourceDocument, given: Given = {}, regime: ItalianTaxRegime = "RF01") =>
  fatturaRules(fattura(source, given), customer_id, regime, day("2026-12-31")).map(
    ({ rule, severity }) => `${severity} ${rule}`
  )

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

const { make: currency } = CurrencyCode

describe("a document in another currency", () => {
  const dollars = { currency: currency("USD"), exchange_rate: decimal("0.92") }
  const discounted = { quantity: decimal("3"), discount: decimal("10"), discount_type: "amount" as const }
  const charged = [item({ tax_rates: [rate("22")], ...discounted }), ...items, exempt("E")]

  it("states all its amounts in euros, and its total in the other currency as text", () => {
    const source = document(charged, dollars)
    const xml = xmlOf(source)
    expect(one(xml, `${general}/Divisa`)).toBe("EUR")
    expect(all(xml, `${line}/PrezzoUnitario`)).toEqual(["92.00", "92.00", "92.00"])
    expect(one(xml, `${line}/ScontoMaggiorazione/Importo`)).toBe("3.06666667")
    expect(all(xml, `${line}/PrezzoTotale`)).toEqual(["266.80", "92.00", "92.00"])
    expect(all(xml, `${summary}/ImponibileImporto`)).toEqual(["358.80", "92.00"])
    expect(all(xml, `${summary}/Imposta`)).toEqual(["78.94", "0.00"])
    expect(one(xml, `${general}/DatiBollo/ImportoBollo`)).toBe("2.00")
    expect(one(xml, `${general}/ImportoTotaleDocumento`)).toBe("529.74")
    expect(one(xml, `${payment}/ImportoPagamento`)).toBe("529.74")
    expect(all(xml, `${general}/Causale`)).toContain("Totale in USD: 575.80. Cambio: 1 USD = 0.92 EUR")
    expect(rulesOf(source)).toEqual([])
  })

  it("states that nothing is due once it is paid", () => {
    const paid = document(items, { ...dollars, paid: decimal("122") })
    expect(one(xmlOf(paid), `${payment}/ImportoPagamento`)).toBeNull()
    expect(one(xmlOf(document(items, { ...dollars, paid: decimal("22") })), `${payment}/ImportoPagamento`)).toBe(
      "92.00"
    )
  })

  it.each([
    ["GBP", "1.17"],
    ["USD", "0.917352"],
    ["KWD", "3.0531"],
    ["JPY", "0.0061"]
  ])("adds up in %s at a rate of %s", (foreign, exchange_rate) => {
    const many = Array.from({ length: 40 }, (_, index) =>
      item({
        unit_price: decimal(`${(index * 37) % 23}.${((index * 53) % 90) + 10}5`),
        quantity: decimal(`${index + 1}.${index % 9}`),
        discount: decimal(String(index % 4)),
        discount_type: "amount",
        tax_rates: [rate(index % 3 === 0 ? "22" : "10")]
      })
    )
    const source = document(many, { currency: currency(foreign), exchange_rate: decimal(exchange_rate) })
    const xml = fatturaDocument(fattura(source), sending)
    expect(rulesOf(source)).toEqual([])
    expect([brokenControls(xml, "2026-12-31"), fatturaMistakes(xml, true)]).toEqual([[], []])
  })

  it("is refused without a rate to euros", () => {
    const unconverted = document(items, { ...dollars, exchange_rate: null })
    expect(rulesOf(unconverted)).toEqual(["error IT-EUR"])
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
