import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo } from "./Readings.ts"

const states = hintsOf("US", "USD")

describe("extract: the total", () => {
  it.each([
    ["its decimal point", "Ours 12.00\nJouets 78.50\nSubtotal 90.50\nTax 7.24\nTOTAL 9774"],
    ["its decimals", "Ours 12.00\nJouets 78.50\nSubtotal 90.50\nVAT 8%: 7.24\nTotal USD 977.."],
    ["its currency sign", "Subtotal 90.50\nTax 7.24\nTota] 897.74\nCash 100.00\nDash Change 32.26"]
  ])("follows from the subtotal and the tax when %s is misread, but needs review", async (_, lines) => {
    const extraction = await extract(photo(`Librairie Dupont\n27/02/2026 12:41\n${lines}`), states)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "97.74" } })
  })

  it("follows from the sum of the items and the tax when its amount is not read, but needs review", async () => {
    const text = "Librairie Dupont\n27/02/2026 12:41\nBears 12.00\nToys 78.50\nVarious 90.50\nTax 7.24\nTOTAL"
    const extraction = await extract(photo(text), states)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "97.74" } })
  })
})
