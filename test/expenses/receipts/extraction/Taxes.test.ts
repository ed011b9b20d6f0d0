import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { check, plain } from "./PlainReceipt.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

const till = (...after: ReadonlyArray<string>) =>
  ["Épicerie Dupont", "Rue Neuve 12", "27/02/2026 12:41", ...after].join("\n")

describe("extract: taxes", () => {
  it("are absent rather than incomplete when a line of the table was not read", async () => {
    const after = "  TVA 21% HT 10,00 TVA 2,10 TTC 12,10"
    const extraction = await extract(photo(plain({ after })), belgium)
    expect(extraction.fields.tax_amount).toBeUndefined()
    expect(extraction.fields.tax_rates).toBeUndefined()
    expect(check(extraction, "net_plus_tax_equals_total")).toBe(false)
    expect(extraction.status).toBe("needs_review")
  })

  it("may have a rate that is unknown here if it adds up to the total", async () => {
    const extraction = await extract(photo(plain({ after: "  TVA 17,5% HT 22,51 TVA 3,94 TTC 26,45" })), belgium)
    expect(extraction).toMatchObject({ status: "done", fields: { tax_amount: "3.94" } })
    expect(check(extraction, "rate_is_known_for_country")).toBe(true)
  })

  it("are recognized by their rate and net amount when their label is misread", async () => {
    const read = till("Base imposable 21,86", "LV.4. 21% 4,59", "TOTAL EUR 26,45", "Merci de votre visite")
    const { fields } = await extract(textPdf(read), belgium)
    expect(fields).toMatchObject({
      tax_amount: "4.59",
      tax_rates: [{ rate: "21", taxable_amount: "21.86", tax_amount: "4.59" }]
    })
    const alone = read.replace("Base imposable 21,86\n", "")
    expect((await extract(textPdf(alone), belgium)).fields.tax_amount).toBeUndefined()
  })

  it("are zero when all printed taxes are zero, unless a rate suggests that one was not read", async () => {
    const read = till("SUBTOTAL 26,45", "TAX 0,00", "TOTAL EUR 26,45", "Merci de votre visite")
    const { checks, fields } = await extract(textPdf(read), belgium)
    expect(fields.tax_amount).toBe("0.00")
    expect(fields.tax_rates).toBeUndefined()
    expect(checks).toContainEqual({ code: "net_plus_tax_equals_total", passed: true })
    const unread = read.replace("TAX 0,00", "TVA 21% --\nTVA 0,00")
    expect((await extract(textPdf(unread), belgium)).fields.tax_amount).toBeUndefined()
  })
})
