import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const germany = hintsOf("DE", "EUR")

const bookshop = (lines: string) => `Buchhandlung Schmidt\nLange Str 12\n27.02.2026 12:41\n${lines}`

describe.each([
  ["photo", photo],
  ["PDF", textPdf]
])("extract, for the total of a %s", (_, readingOf) => {
  it.each([
    ["zero after a discount", "Kaffee 3,50\nRabatt -3,50\nSUMME EUR 0,00", "0.00"],
    ["zero on an order without a price", "Pre-order 0.00\nSub-Total 0.00\nTax 0.00\nTotal 0.00\nThank you", "0.00"],
    ["zero under a subtotal that a code pays", "Subtotal 10.00\nTaxable Subtotal 0.00\nTOTAL 0.00", "0.00"],
    ["zero after a voucher", "Buch 25,00\nSUMME EUR 25,00\nGutschein -25,00\nZu zahlen 0,00", "0.00"],
    ["negative for returned goods", "RETOURE\nBuch -25,00\nSUMME EUR -25,00\nBar -25,00", "-25.00"],
    ["negative if the money is paid out", "Buch -25,00\nHeft -5,00\nSUMME EUR -30,00\nAuszahlung 30,00", "-30.00"],
    ["negative if its sign is not read", "Subtotal -3,29\nTOTAL 3,29\nCASH -3,29", "-3.29"],
    ["negative after tax if its sign is not read", "Sub Total -3,59\nTax -0,22\nTOTAL 3,81\nCASH -3,81", "-3.81"]
  ])("is %s, and needs review", async (_name, lines, amount) => {
    const extraction = await extract(readingOf(bookshop(lines)), germany)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount } })
    expect(extraction.warnings).toContain("The receipt states that nothing was paid, or that money was returned.")
  })

  it.each([
    ["voucher", "Buch 12,00\nHeft 13,00\nSUMME 25,00\nGUTSCHEIN 25,00\nRESTBETRAG 0,00"],
    ["gift card", "Buch 12,00\nHeft 13,00\nTOTAL 25,00\nGIFT CARD 25,00\nMwSt 7% 1,64"]
  ])("needs review if a %s is the only payment", async (_name, lines) => {
    const extraction = await extract(readingOf(bookshop(lines)), germany)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "25.00" } })
    expect(extraction.warnings.join()).toContain("A voucher seems to be the only payment")
  })

  it.each([
    ["nothing is left to pay", "Buch 25,00\nTOTAL 25,00\nTotal paid 25,00\nTotal due 0,00", "25.00"],
    ["a voucher pays a part", "Buch 25,00\nSUMME 25,00\nGUTSCHEIN -10,00\nZU ZAHLEN 15,00\nEC-Karte 15,00", "15.00"],
    ["the till prints payments as negative", "Buch 25,00\nTOTAL 25,00\nVISA -25,00", "25.00"],
    ["a gift card is bought", "GIFT CARD 25,00\nTOTAL 25,00\nVISA 25,00", "25.00"]
  ])("is what was paid if %s", async (_name, lines, amount) => {
    const extraction = await extract(readingOf(bookshop(lines)), germany)
    expect(extraction).toMatchObject({ status: "done", fields: { amount } })
  })

  it.each([
    [
      "with its rate",
      "Net EUR -100.00\nVAT 21% EUR -21.00\nTotal EUR -121.00",
      { amount: "-121.00", tax_amount: "-21.00" },
      [["21", "-100.00", "-21.00"]]
    ],
    [
      "with signs after the figures",
      "Nettobetrag 100,00-\nMwSt 19% 19,00-\nGesamtbetrag 119,00-",
      { amount: "-119.00", tax_amount: "-19.00" },
      [["19", "-100.00", "-19.00"]]
    ],
    [
      "in a table of two rates",
      "21% -100,00 -21,00 -121,00\n6% -50,00 -3,00 -53,00\nTotal -150,00 -24,00 -174,00\nTotal TTC EUR -174,00",
      { amount: "-174.00", tax_amount: "-24.00" },
      [
        ["21", "-100.00", "-21.00"],
        ["6", "-50.00", "-3.00"]
      ]
    ]
  ])("has the negative tax of a credit note %s", async (_name, lines, fields, rows) => {
    const extraction = await extract(readingOf(bookshop(lines)), germany)
    expect(extraction).toMatchObject({ status: "needs_review", fields })
    expect(extraction.fields.tax_rates).toEqual(
      rows.map(([rate, taxable_amount, tax_amount]) => ({ rate, taxable_amount, tax_amount }))
    )
    expect(extraction.checks).toContainEqual({ code: "net_plus_tax_equals_total", passed: true })
  })
})

describe("extract, for a PDF that is no invoice", () => {
  const table = "Date 01/03/2026\nSubtotal 100,00\nVAT 21% 21,00\nTotal EUR 121,00"
  it.each([
    "Credit note CN-12",
    "Avoir n° AV-2026-3",
    "Note de crédit 12",
    "Creditnota 2026-3",
    "Gutschrift Nr. G-3",
    "Nota di credito n. 4",
    "Factura rectificativa 2026-3",
    "Pro forma invoice 12",
    "Devis n° D-2026-9",
    "Angebot 2026-4711",
    "Order confirmation 88",
    "Payment reminder 1"
  ])("a positive total under the title %s needs review", async (title) => {
    const extraction = await extract(textPdf(`Librairie Dupont\n${title}\n${table}`), hintsOf("BE", "EUR"))
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "121.00" } })
    expect(extraction.checks).toContainEqual({ code: "document_is_an_invoice", passed: false })
  })

  it.each(["Facture 12\nDevis n° D-2026-9", "Rechnung 12\nAngebot 2026-4711 vom 01.02.2026", "Avoir Finance SA"])(
    "%s is not taken for one",
    async (title) => {
      const extraction = await extract(textPdf(`Librairie Dupont\n${title}\n${table}`), hintsOf("BE", "EUR"))
      expect(extraction.checks.map(({ code }) => code)).not.toContain("document_is_an_invoice")
    }
  )
})
