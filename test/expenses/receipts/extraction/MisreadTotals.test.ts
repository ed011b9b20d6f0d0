import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo } from "./Readings.ts"

const states = hintsOf("US", "USD")

describe("extract: the total", () => {
  it.each([
    ["its decimal point", "Ours 12.00\nJouets 78.50\nSubtotal 90.50\nTax 7.24\nTOTAL 9774"],
    ["its decimals", "Ours 12.00\nJouets 78.50\nSubtotal 90.50\nVAT 8%: 7.24\nTotal USD 977.."],
    ["its first digit", "Ours 12.00\nJouets 78.50\nAutres 100.00\nSubtotal 190.50\nTax 7.24\nTOTAL 97.74", "197.74"],
    ["its currency sign", "Subtotal 90.50\nTax 7.24\nTota] 897.74\nCash 100.00\nDash Change 32.26"]
  ])(
    "follows from the subtotal and the tax when %s is misread, but needs review",
    async (_, lines, amount = "97.74") => {
      const extraction = await extract(photo(`Librairie Dupont\n27/02/2026 12:41\n${lines}`), states)
      expect(extraction).toMatchObject({ status: "needs_review", fields: { amount } })
    }
  )

  it("follows from the sum of the items and the tax when its amount is not read, but needs review", async () => {
    const text = "Librairie Dupont\n27/02/2026 12:41\nBears 12.00\nToys 78.50\nVarious 90.50\nTax 7.24\nTOTAL"
    const extraction = await extract(photo(text), states)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "97.74" } })
  })

  it.each([
    ["a colon", "Bears 8.00\nToys 20.00\nTOTAL 28:00"],
    ["a colon after a currency sign", "Bears 8.00\nToys 20.00\nVAT $1:25 TOTAL $28:00"],
    ["a hyphen", "Bears 8.00\nToys 20.00\nTOTAL $28-00\nCASH 30:00\nCHANGE 2.00"]
  ])("is read if %s stands for its decimal point", async (_, lines) => {
    const extraction = await extract(photo(`Librairie Dupont\n27/02/2026 12:41\n${lines}`), states)
    expect(extraction.fields.amount).toBe("28.00")
  })

  it.each([
    ["by card and in cash", "VISA 30.00\nCASH 20.00"],
    ["with two cards", "VISA 35.00\nMASTERCARD 15.00"],
    ["by card and in cash with change", "VISA 35.00\nCASH 20.00\nCHANGE 5.00"]
  ])("may be paid in parts: %s", async (_, payments) => {
    const text = `Librairie Dupont\n27/02/2026 12:41\nBears 30.00\nToys 20.00\nTOTAL 50.00\n${payments}`
    expect(await extract(photo(text), states)).toMatchObject({ status: "done", fields: { amount: "50.00" } })
  })

  it.each([
    ["negative", "Discount -5.00"],
    ["subtracted below", "Discount 5.00\nNet 45.00"]
  ])("needs review if a discount below it is %s and no payment is shown", async (_, lines) => {
    const text = `Librairie Dupont\n27/02/2026 12:41\nBears 30.00\nToys 20.00\nTOTAL 50.00\n${lines}`
    const extraction = await extract(photo(text), states)
    expect(extraction.status).toBe("needs_review")
    expect(extraction.warnings).toContain("A discount stands below the total, so less may have been paid.")
  })

  it("includes a discount below it if it was paid", async () => {
    const text = "Librairie Dupont\n27/02/2026 12:41\nBears 30.00\nToys 20.00\nTOTAL 50.00\nVISA 50.00\nYou saved -5.00"
    expect(await extract(photo(text), states)).toMatchObject({ status: "done", fields: { amount: "50.00" } })
  })
})
