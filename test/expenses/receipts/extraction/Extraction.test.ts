import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extraction.ts"
import { hintsOf, photo } from "./Readings.ts"

describe("extract", () => {
  it("reads a restaurant bill", async () => {
    const text = `
        RESTAURANT DE KAT
        Grote Markt 12
        2000 Antwerpen
        BTW BE 0456.789.123

  Datum: 27/02/2026   12:41
  Tafel 4

  2 x Dagschotel          37,00
  1 x Wijn huis           24,50
  3 x Koffie               9,00

  TOTAAL EUR              70,50

  BTW%    Netto    BTW    Bruto
  12 %    41,07   4,93    46,00
  21 %    20,25   4,25    24,50

  Bancontact              70,50
`
    const got = await extract(photo(text), hintsOf("BE", "EUR"))
    expect(got.fields).toMatchObject({ amount: "70.50" })
  })
})
