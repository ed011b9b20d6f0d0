import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { check, plain } from "./random/PlainReceipt.ts"
import { hintsOf, photo } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")
const tax = "  TVA 21% HT 21,86 TVA 4,59 TTC 26,45"
const first = plain({ after: tax })

const second = `
       Papeterie Lambert
       Rue Haute 3
       4000 Liege

  Encre                    30,00
  Cahiers                  10,20

  TOTAL EUR                40,20
  TVA 21% HT 33,22 TVA 6,98 TTC 40,20
  27/02/2026 15:10
  Merci de votre visite
`

const beside = (one: string, other: string) => {
  const right = other.split("\n")
  return one
    .split("\n")
    .map((line, index) => `${line.padEnd(50)}${right[index] ?? ""}`)
    .join("\n")
}

const reason = "The document seems to show two receipts. Upload each in a separate file."

describe("extract: two receipts in one document", () => {
  it("is not found in a document with one receipt", async () => {
    for (const one of [first, second]) {
      const extraction = await extract(photo(one), belgium)
      expect(extraction.status).toBe("done")
      expect(check(extraction, "shows_one_receipt")).toBe(true)
    }
  })

  it.for([
    ["next to each other", photo(beside(first, second))],
    ["below each other", photo(`${first}\n\n\n${second}`)],
    ["on two pages", { ...photo(first), pages: [...photo(first).pages, ...photo(second).pages] }]
  ] as const)("needs a review with the reason if they are %s", async ([, reading]) => {
    const extraction = await extract(reading, belgium)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "shows_one_receipt")).toBe(false)
    expect(extraction.warnings).toContain(reason)
  })

  it("does not mistake a tax table below the receipt for a second one", async () => {
    const table =
      "\n\n\n  GST Summary   Amount   Tax\n  SR 6%   22,51   1,35\n  Total   22,51   1,35\n  Thank you\n  Come again"
    expect(check(await extract(photo(`${first}${table}`), belgium), "shows_one_receipt")).toBe(true)
  })

  it("does not mistake the slip of the card terminal for a second receipt", async () => {
    const slip = "\n\n\n  Bancontact\n  Terminal 0012\n  27/02/2026 12:42\n  Total EUR 26,45\n  Auth 123456\n  Merci"
    expect(check(await extract(photo(`${first}${slip}`), belgium), "shows_one_receipt")).toBe(true)
  })
})
