import { describe, expect, it } from "vitest"
import { brokenControls, fatturaMistakes } from "../../../scripts/einvoicing/FatturaControls.ts"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { decimal, document, exempt, item, rate } from "../ubl/Documents.ts"
import { all, one } from "../ubl/XmlReader.ts"
import { fattura, general, items, line, payment, rulesOf, sending, summary, xmlOf } from "./ItalianFatture.ts"

const currency = (code: string) => CurrencyCode.make(code)

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

  it("states the quantity and the price as text, if no price in euros gives the amount of the line", () => {
    const screws = { description: "Viti", quantity: decimal("4000000"), unit_price: decimal("0.0005") }
    const discounted = { ...screws, quantity: decimal("-4000000"), discount: decimal("9") }
    const many = [screws, discounted].map((line) => item({ ...line, tax_rates: [rate("22")] }))
    const source = document([...many, ...items], { ...dollars, exchange_rate: decimal("0.917352") })
    const xml = xmlOf(source)
    expect(all(xml, `${line}/Descrizione`)).toEqual([
      "Viti. Quantità: 4000000 HUR. Prezzo: 0.0005 USD",
      "Viti. Quantità: -4000000 HUR. Prezzo: 0.0005 USD. Maggiorazione: 180 USD",
      "Consulting"
    ])
    expect(all(xml, `${line}/Quantita`)).toEqual(["1.00", "1.00", "1.00"])
    expect(all(xml, `${line}/UnitaMisura`)).toEqual(["LS", "LS", "HUR"])
    expect(all(xml, `${line}/PrezzoUnitario`)).toEqual(["1834.70", "-1669.58", "91.7352"])
    expect(all(xml, `${line}/PrezzoTotale`)).toEqual(["1834.70", "-1669.58", "91.74"])
    const file = fatturaDocument(fattura(source), sending)
    expect(rulesOf(source)).toEqual([])
    expect([brokenControls(file, "2026-12-31"), fatturaMistakes(file, true)]).toEqual([[], []])
  })

  it("is refused without a rate to euros", () => {
    const unconverted = document(items, { ...dollars, exchange_rate: null })
    expect(rulesOf(unconverted)).toEqual(["error IT-EUR"])
  })
})
