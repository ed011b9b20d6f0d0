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
