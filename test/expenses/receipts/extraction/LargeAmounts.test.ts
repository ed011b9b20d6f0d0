import { expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import type { Reading } from "../../../../src/platform/ocr/engines/Reading.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

/** Returns a reading whose spaces are half a letter wide, as in a number, or one letter wide, as between words. */
const withGaps = (total: string, currency: string, letters: number): Reading => {
  const reading = textPdf(`Banque Dupont\n14/03/2026 12:41\nMachine\nTOTAL ${currency} ${total}\nMerci de votre visite`)
  const narrower = (1 - letters) * 10
  const lines = reading.pages[0]?.passes[0]?.lines.map(({ words }) => ({
    words: words.map((word, at) => ({ ...word, x0: word.x0 - at * narrower, x1: word.x1 - at * narrower }))
  }))
  return {
    ...reading,
    pages: [{ width: 800, height: 400, passes: [{ name: "text_layer", lines: lines ?? [] }] }]
  }
}

it.each([
  ["234 567,89", "EUR", "234567.89"],
  ["1 234 567,89", "EUR", "1234567.89"],
  ["12 345 678,90", "EUR", "12345678.90"],
  ["1.234.567,89", "EUR", "1234567.89"],
  ["12 345", "JPY", "12345"],
  ["1 234 567", "JPY", "1234567"]
])("a total of %s %s is read whole", async (total, currency, amount) => {
  for (const letters of [0.5, 1]) {
    const { fields } = await extract(withGaps(total, currency, letters), hintsOf("FR", currency))
    expect(fields.amount).toBe(amount)
  }
})

it.each([
  ["1 234 567 890,00", "EUR"],
  ["123.456.789,00", "EUR"],
  ["12 345 678 901", "JPY"]
])("nothing is read of a total of %s %s, which is larger than any receipt's", async (total, currency) => {
  for (const letters of [0.5, 1]) {
    const { error, fields } = await extract(withGaps(total, currency, letters), hintsOf("FR", currency))
    expect([error?.code, fields.amount, fields.tax_amount]).toEqual(["no_amount", undefined, undefined])
  }
})

it.each([
  ["with a misread pound sign", "  AMOUNT ±26.45", "26.45"],
  ["with the sign of the rand", "  SUBTOTAL R25.00  TOTAL R26.45", "26.45"],
  ["without a space after a colon", "  Amounl: 25,00\n  TOTAL:26,45EUR", "26.45"],
  ["without any space", "  Papier 25,00\n  TotalDue1.026,45", "1026.45"]
])("reads a total %s", async (_, text, amount) => {
  const { fields } = await extract(photo(`Librairie Dupont\n27/02/2026 12:41\n${text}`), hintsOf("BE", "EUR"))
  expect(fields.amount).toBe(amount)
})

it("does not read litres with three decimals as thousands", async () => {
  const fuel = textPdf("Station Dupont\n27/02/2026 12:41\nRegular $1.999\n9.505 TOTAL\n$19.00\nThank you")
  expect((await extract(fuel, hintsOf("US", "USD"))).fields.amount).toBe("19.00")
})

/** A hotel's invoice whose total is larger than one of its parts, which has a label, too. */
const hotel = (total: string, part = "IDR 9,600,000.00") =>
  textPdf(`Hotel Mulia
Invoice 4711
Date 2026-03-12

Room 12 nights    IDR 96,000,000.00
Breakfast    ${part}

Total Breakfast    ${part}
Total due    ${total}
Thank you`)

it.each([
  ["IDR 105,600,000.00", "105600000.00"],
  ["IDR 1,105,600,000.00", "1105600000.00"]
])("a total of %s is read, because a rupiah is worth little", async (total, amount) => {
  const { fields, status } = await extract(hotel(total), hintsOf("ID", "IDR"))
  expect([status, fields.amount]).toEqual(["done", amount])
})

it("a total without decimals is read whole", async () => {
  const text =
    "PT Maju Jaya\nInvoice INV-001\nDate 2026-03-12\nJasa konsultasi    135.000.000\nOngkos kirim    5.000.000\n" +
    "Subtotal    140.000.000\nPPN 11%    15.400.000\nTotal IDR    155.400.000\nTerima kasih"
  expect((await extract(textPdf(text), hintsOf("ID", "IDR"))).fields.amount).toBe("155400000.00")
})

it.each([
  ["1.234.567.890.123,00 IDR", "IDR 9.600,00", "IDR"],
  ["123.456.789,00 EUR", "EUR 9.600,00", "EUR"],
  ["EUR 123,456,789", "EUR 9,600.00", "EUR"]
])("a total of %s, which is too large, prevents that a smaller amount is done", async (total, part, currency) => {
  const { status, warnings } = await extract(hotel(total, part), hintsOf("FR", currency))
  expect(status).toBe("needs_review")
  expect(warnings).toContain("An amount is larger than those that are read, and may be the total.")
})

it.each([
  "Kundennummer 2026031200.01",
  "Tel. 030 123 456 789",
  "BE 987.654.321",
  "IBAN 1234567890",
  "Ref 1.234.567.890",
  "SA au capital de 3 423 265 598,40 EUR",
  "Cap. Soc. € 2.305.099.887,30 i.v."
])("%s is no amount that is too large", async (row) => {
  const receipt = textPdf(`Librairie Dupont\n${row}\n27/02/2026 12:41\nPapier 25,00\nTOTAL EUR 25,00`)
  const { checks } = await extract(receipt, hintsOf("FR", "EUR"))
  expect(checks.map(({ code }) => code)).not.toContain("all_amounts_read")
})
