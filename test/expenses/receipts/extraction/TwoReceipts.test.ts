import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { check, plain } from "./random/PlainReceipt.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

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

const invoice = (
  number: string,
  day: string,
  more: { net?: string; tax?: string; total?: string; vat?: string } = {}
) =>
  `Van Dam Advies B.V.
Keizersgracht 210
1016 DX Amsterdam

Factuurnummer: ${number}
Factuurdatum: ${day}
BTW-nummer ${more.vat ?? "NL812345678B01"}

Advies                ${more.net ?? "1.000,00"}
Subtotaal excl. btw   ${more.net ?? "1.000,00"}
Btw 21%               ${more.tax ?? "210,00"}
Totaal incl. btw      EUR ${more.total ?? "1.210,00"}`

const march = invoice("2026-0042", "01-03-2026")
const small = { net: "100,00", tax: "21,00", total: "121,00" }

describe("extract: two invoices in one PDF with text", () => {
  const netherlands = hintsOf("NL", "EUR")

  it.each([
    ["of one seller", march, invoice("2026-0057", "12-03-2026", small)],
    ["of one seller on one day", march, invoice("2026-0057", "01-03-2026", small)],
    ["of one seller with the same total and day", march, invoice("2026-0057", "01-03-2026")],
    ["of one seller with the same total", march, invoice("2026-0057", "12-03-2026")],
    [
      "of two sellers that use the same number",
      march,
      invoice("2026-0042", "01-03-2026", { ...small, vat: "NL798765432B01" })
    ],
    [
      "of one seller, and one names an example",
      march,
      `${invoice("2026-0057", "12-03-2026", small)}\nBetaal op tijd, bij voorbeeld met uw app`
    ],
    [
      "of one seller, and one has a sample",
      march,
      invoice("2026-0057", "12-03-2026").replace(/Advies (?= )/, "Sample pack ")
    ],
    [
      "without numbers, of two sellers",
      plain({ after: "  TVA BE 0123.456.749" }),
      second.replace("4000 Liege", "TVA BE 0876.543.210")
    ]
  ])("need a review with the reason if they are %s", async (_, ...pages) => {
    const extraction = await extract(textPdf(...pages), netherlands)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "shows_one_receipt")).toBe(false)
    expect(extraction.warnings).toContain(reason)
  })

  const head = march.split("Advies                ")[0] ?? ""
  it.each([
    ["whose pages carry a subtotal over", [`${head}Advies    600,00\nTotaal over te brengen    600,00`, march]],
    [
      "whose second page has the terms",
      [march, "Algemene voorwaarden van 1 januari 2026\nNummer 123456\nBetaling binnen 14 dagen"]
    ],
    [
      "with details on a page without a number",
      [march, "Specificatie 02-02-2026\nReizen    120,00\nTotaal reizen EUR    120,00"]
    ],
    [
      "with a payment slip",
      [march, "Betaalkenmerk: 1234 5678\nReferentie: 99887766\nTe betalen EUR 1.210,00\nVoor 15-03-2026"]
    ],
    [
      "with orders that have numbers, dates and totals",
      [march, "Bestelling 5567 van 02-02-2026\nPapier    120,00\nTotaal bestelling EUR    120,00\nBTW NL812345678B01"]
    ],
    [
      "with the specimen that explains it",
      [march, `Voorbeeldfactuur ter uitleg\n${invoice("9999-0001", "01-01-2026", small)}`]
    ],
    ["that writes its number in two ways", [march, invoice("2026/0042", "01-03-2026")]]
  ])("are not found in one invoice %s", async (_, pages) => {
    const extraction = await extract(textPdf(...pages), netherlands)
    expect(extraction.fields).toMatchObject({ amount: "1210.00", reference: "2026-0042" })
    expect(check(extraction, "shows_one_receipt")).toBe(true)
  })

  it("are not looked for on a single page, so there is no check", async () => {
    expect(check(await extract(textPdf(march), netherlands), "shows_one_receipt")).toBeUndefined()
  })
})
