import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { misshapen } from "../../../../scripts/einvoicing/OfficialRules.ts"
import { randomRecorded } from "../../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../../scripts/support/Random.ts"
import { messageOf } from "../../../../src/einvoicing/verifactu/aeat/AeatEnvelope.ts"
import { sandbox_system as system } from "../../../../src/einvoicing/verifactu/AeatSettings.ts"
import {
  cancellationRecord,
  type Link,
  registrationRecord
} from "../../../../src/einvoicing/verifactu/InvoiceRecord.ts"
import { cancellationHash, registrationHash } from "../../../../src/einvoicing/verifactu/RecordHash.ts"
import { recordRules } from "../../../../src/einvoicing/verifactu/RecordRules.ts"
import { taxQrOf } from "../../../../src/einvoicing/verifactu/TaxQrCode.ts"
import { CurrencyCode } from "../../../../src/kernel/Currency.ts"
import { credit, customer_id, day, decimal, document, exempt, item, rate } from "../../ubl/Documents.ts"
import { berlin, rulesOf, sevilla, xmlOf } from "./RecordSources.ts"
import { recordsIn, requireChain } from "../RecordVerifier.ts"

const first: Link = { previous: null, generated_at: "2026-03-01T09:30:00+01:00" }
const items = [item({ tax_rates: [rate("21")] })]
const taxed = (price: string, percent: string) => item({ unit_price: decimal(price), tax_rates: [rate(percent)] })
const preceding = { preceding_invoice: { number: "F-1", issue_date: day("2026-02-01") } }

describe("the hash of a record", () => {
  it("is the one of the three examples that the AEAT publishes", () => {
    const facts = {
      issuer: "89890001K",
      number: "12345678/G33",
      date: "01-01-2024",
      type: "F1",
      tax_total: "12.35",
      total: "123.45",
      previous_hash: "",
      generated_at: "2024-01-01T19:20:30+01:00"
    }
    const hash = registrationHash(facts)
    expect(hash).toBe("3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60")
    const second = { ...facts, number: "12345679/G34", previous_hash: hash, generated_at: "2024-01-01T19:20:35+01:00" }
    const next = registrationHash(second)
    expect(next).toBe("F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97")
    expect(cancellationHash({ ...second, previous_hash: next, generated_at: "2024-01-01T19:20:40+01:00" })).toBe(
      "177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68"
    )
  })
})

describe("registrationRecord", () => {
  it("states the parties, the breakdown, the chain and the system of an invoice", () => {
    const xml = xmlOf(document(items, { number: "F-1", issue_date: day("2026-03-01") }))
    for (const part of [
      "<sf:NumSerieFactura>F-1</sf:NumSerieFactura><sf:FechaExpedicionFactura>01-03-2026</sf:FechaExpedicionFactura>",
      "<sf:TipoFactura>F1</sf:TipoFactura>",
      "<sf:IDDestinatario><sf:NombreRazon>Hermanos Gil</sf:NombreRazon><sf:NIF>54362315K</sf:NIF>",
      "<sf:ClaveRegimen>01</sf:ClaveRegimen><sf:CalificacionOperacion>S1</sf:CalificacionOperacion>",
      "<sf:PrimerRegistro>S</sf:PrimerRegistro>"
    ]) {
      expect(xml).toContain(part)
    }
  })

  it("sums the taxes in euros after each was rounded, as the printed tax and the VAT report do", () => {
    const dollars = { currency: CurrencyCode.make("USD"), exchange_rate: decimal("0.0061") }
    const xml = xmlOf(document([taxed("499", "10"), taxed("11.66", "4")], dollars))
    const taxes = [...xml.matchAll(/<sf:(CuotaRepercutida|CuotaTotal)>([^<]+)/g)].map(([, name, amount]) => [
      name,
      amount
    ])
    expect(taxes).toEqual([
      ["CuotaRepercutida", "0.30"],
      ["CuotaRepercutida", "0.00"],
      ["CuotaTotal", "0.30"]
    ])
  })

  it("states a credit note as a correction by differences, whose amounts are negative", () => {
    const source = credit(items, preceding)
    const xml = xmlOf(source)
    expect(xml).toContain("<sf:TipoFactura>R1</sf:TipoFactura><sf:TipoRectificativa>I</sf:TipoRectificativa>")
    expect(xml).toMatch(/<sf:IDFacturaRectificada>.*<sf:NumSerieFactura>F-1<.*<sf:ImporteTotal>-/)
    expect(xmlOf({ ...source, corrective_cause: { code: "85", text: null } })).toContain("<sf:TipoFactura>R2<")
    expect(xmlOf(source, { ...sevilla, tax_number: null })).toContain("<sf:TipoFactura>R5<")
  })

  it("identifies no customer of a simplified invoice, and a foreign one by its VAT number", () => {
    const simplified = xmlOf(document(items), { ...sevilla, tax_number: null })
    expect(simplified).toContain("<sf:TipoFactura>F2</sf:TipoFactura>")
    expect(simplified).not.toContain("Destinatario")
    expect(xmlOf(document(items), berlin)).toContain("<sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>DE136695976</sf:ID>")
  })

  it.each([
    ["K", berlin, "<sf:ClaveRegimen>01</sf:ClaveRegimen><sf:OperacionExenta>E5</sf:OperacionExenta>"],
    ["G", berlin, "<sf:ClaveRegimen>02</sf:ClaveRegimen><sf:OperacionExenta>E2</sf:OperacionExenta>"],
    ["E", sevilla, "<sf:OperacionExenta>E1</sf:OperacionExenta>"],
    ["AE", sevilla, "<sf:CalificacionOperacion>S2</sf:CalificacionOperacion><sf:TipoImpositivo>0</sf:TipoImpositivo>"],
    ["AE", berlin, "<sf:CalificacionOperacion>N2</sf:CalificacionOperacion><sf:Base"],
    // A request may name the country of the organization for a customer without a country.
    ["AE", { ...berlin, country: "ES" }, "<sf:CalificacionOperacion>N2</sf:CalificacionOperacion><sf:Base"],
    ["O", { ...berlin, country: "ES" }, "<sf:CalificacionOperacion>N2</sf:CalificacionOperacion><sf:Base"],
    ["O", sevilla, "<sf:CalificacionOperacion>N1</sf:CalificacionOperacion><sf:Base"]
  ] as const)("states the treatment of category %s", (category, customer, part) => {
    const source = document([item(exempt(category))])
    expect(xmlOf(source, customer)).toContain(part)
    expect(rulesOf(source, customer)).toEqual([])
  })
})

describe("a sale under the margin scheme", () => {
  it.each(["D", "F", "I", "J"])("of VATEX-EU-%s is refused, because the record states the margin", (article) => {
    const sale = { ...exempt("E"), exemption_code: `VATEX-EU-${article}` }
    expect(rulesOf(document([sale]))).toEqual(["ES-REGIME"])
    expect(rulesOf(credit([...items, sale], preceding))).toEqual(["ES-REGIME"])
  })
})

const abroad = (percent: string, country: string) => ({ ...rate(percent), country })

describe("a sale under the One Stop Shop", () => {
  const consumer = { ...berlin, tax_number: null }
  const source = document([item({ tax_rates: [rate("21")] }), item({ tax_rates: [abroad("21", "BE")] })])

  it("states no Spanish tax, and a total without the tax of the other country", () => {
    const xml = xmlOf(source, consumer)
    const rows = [...xml.matchAll(/<sf:DetalleDesglose>(.*?)<\/sf:DetalleDesglose>/g)].map(([, row]) => row)
    expect(rows).toEqual([
      expect.stringContaining("<sf:ClaveRegimen>01</sf:ClaveRegimen><sf:CalificacionOperacion>S1<"),
      "<sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>17</sf:ClaveRegimen>" +
        "<sf:CalificacionOperacion>N2</sf:CalificacionOperacion>" +
        "<sf:BaseImponibleOimporteNoSujeto>100.00</sf:BaseImponibleOimporteNoSujeto>"
    ])
    expect(xml).toContain("<sf:CuotaTotal>21.00</sf:CuotaTotal><sf:ImporteTotal>221.00</sf:ImporteTotal>")
    expect(taxQrOf(source, "ESB58378431", { environment: "production", isSent: true })?.url).toContain("importe=221.00")
    expect(rulesOf(source, consumer)).toEqual([])
  })

  it("is accepted with any rate of the other country", () => {
    expect(rulesOf(document([item({ tax_rates: [abroad("19", "DE")] })]), consumer)).toEqual([])
  })
})

describe("recordRules", () => {
  it("accepts what the AEAT accepts, and names the error of its list for anything else", () => {
    expect(rulesOf(document(items))).toEqual([])
    const cases: ReadonlyArray<readonly [ReturnType<typeof rulesOf>, string]> = [
      [rulesOf(document(items, { number: "F=1" })), "1104"],
      [rulesOf(document(items, { issue_date: day("2024-10-27") })), "1152"],
      [rulesOf(document(items, { issue_date: day("2026-03-02") })), "1112"],
      [rulesOf(document(items), sevilla, { tax_number: "ESB58378432" }), "1123"],
      [rulesOf(document(items), { ...sevilla, tax_number: "54362315A" }), "1123"],
      [rulesOf(document(items), { ...sevilla, tax_number: "B58378431" }), "1193"],
      [
        rulesOf(document([item({ unit_price: decimal("5000"), tax_rates: [rate("21")] })]), { tax_number: null }),
        "1150"
      ],
      [rulesOf(document([item({ tax_rates: [rate("19")] })])), "1124"],
      [rulesOf(document([item(exempt("AE"))]), { ...sevilla, tax_number: null }), "1197"],
      [rulesOf(document([item(exempt("K"))])), "1289"]
    ]
    for (const [rules, rule] of cases) expect(rules).toContain(rule)
    const corrected = (code: string, customer: object) =>
      rulesOf(credit(items, { ...preceding, corrective_cause: { code, text: null } }), customer)
    const american = { ...berlin, country: "US", tax_number: "12-3456789" }
    expect(corrected("85", american)).toContain("1192")
    expect(corrected("85", berlin)).toEqual([])
    expect(corrected("R3", berlin)).toContain("1191")
  })
})

describe("the QR code", () => {
  it("names the document and its total at the service that verifies documents", () => {
    const source = document(items, { number: "F/1 &2", issue_date: day("2026-03-01") })
    const qr = (environment: "production" | "sandbox", isSent: boolean) =>
      taxQrOf(source, "ESB58378431", { environment, isSent })
    const [total] = recordsIn(xmlOf(source)).map(({ total }) => total)
    expect(qr("production", true)?.url).toBe(
      `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B58378431&numserie=F%2F1+%262&fecha=01-03-2026&importe=${total}`
    )
    expect(qr("sandbox", true)?.url).toContain("https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?")
    expect(qr("production", true)?.sentence).toContain("VERI*FACTU")
    expect(qr("production", false)).toMatchObject({
      url: expect.stringContaining("ValidarQRNoVerifactu?"),
      sentence: null
    })
    const dollars = { ...source, currency: CurrencyCode.make("USD") }
    for (const unknown of [{ ...source, number: null }, dollars]) {
      expect(taxQrOf(unknown, "ESB58378431", { environment: "production", isSent: true })).toBeNull()
    }
  })
})

describe("500 random documents", () => {
  it("give records and cancellations that the official schema accepts, in an unbroken chain", async () => {
    const random = new Random(22)
    const folder = mkdtempSync(join(tmpdir(), "verifactu-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const written: Array<string> = []
    let link: Link = first
    let accepted = 0
    let tried = 0
    while (accepted < 500) {
      const invoice = randomRecorded(random, ++tried)
      if (recordRules(invoice, customer_id, invoice.issue_date).some(({ severity }) => severity === "error")) continue
      accepted++
      const record = registrationRecord(invoice, { system, link, isCorrection: random.chance(0.1) })
      written.push(record.xml)
      link = { ...link, previous: record }
      if (!random.chance(0.2)) continue
      const cancellation = cancellationRecord(record, { system, link })
      written.push(cancellation.xml)
      link = { ...link, previous: cancellation }
    }
    const message = messageOf({
      issuer: "B58378431",
      issuer_name: "Acme",
      isLate: true,
      last_day: null,
      records: written
    })
    const records = recordsIn(message)
    expect(records).toHaveLength(written.length)
    requireChain(records)
    const path = join(folder, "message.xml")
    writeFileSync(path, message)
    const rules = process.env["EINVOICING_RULES"] ?? ""
    if (existsSync(join(rules, "verifactu-xsd"))) expect(await misshapen(rules, "verifactu", [path])).toEqual([])
    else process.stderr.write("The schema of VERI*FACTU is absent (EINVOICING_RULES), so it judged nothing.\n")
  })
})
