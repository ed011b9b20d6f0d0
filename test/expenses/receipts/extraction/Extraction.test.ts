import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Extraction } from "../../../../src/expenses/receipts/records/Extraction.ts"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import type { Reread } from "../../../../src/platform/ocr/engines/Reading.ts"
import { check, plain } from "./random/PlainReceipt.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

describe("extract: whether a person must review", () => {
  it("is done with a certain amount, date and currency, and explains why", async () => {
    const extraction = await extract(photo(plain()), belgium)
    expect(extraction).toMatchObject({ status: "done", source: "ocr", error: null, warnings: [] })
    expect(extraction.fields).toMatchObject({ amount: "26.45", expense_date: "2026-02-27", currency: "EUR" })
    expect(extraction.checks.every(({ passed }) => passed)).toBe(true)
    const { amount = 0, currency = 0, expense_date = 0, overall } = extraction.confidence
    expect(Math.min(amount, currency, expense_date)).toBeGreaterThanOrEqual(0.9)
    expect(overall).toBe(Math.min(amount, currency, expense_date))
  })

  it("can be stored as JSON without loss", async () => {
    const extraction = await extract(photo(plain()), belgium)
    const stored: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(Extraction)(extraction)))
    expect(Schema.decodeUnknownSync(Extraction)(stored)).toEqual(extraction)
  })

  it.each([
    ["nothing", ""],
    ["a few specks", ". , -"],
    ["text that no amount is in", "Invitation to the opening of our new shop in the old town on Monday"]
  ])("fails on %s and invents no field", async (_, text) => {
    const extraction = await extract(photo(text), belgium)
    expect(extraction).toMatchObject({ status: "failed", fields: {}, confidence: { overall: 0 } })
    expect(extraction.error?.code).toMatch(/^(unreadable|no_amount)$/)
  })

  it.each([
    ["a text layer", textPdf("Invitation Eröffnungsfeier Hauptversammlung Mitgliederausweis")],
    ["a photo", photo("Grand opening")]
  ])("fails on the few words of %s for lack of an amount, not of text", async (_, reading) => {
    const extraction = await extract(reading, belgium)
    expect(extraction).toMatchObject({ status: "failed", fields: {}, error: { code: "no_amount" } })
  })

  it("fails on text with a low recognition confidence", async () => {
    const extraction = await extract(photo(plain(), plain(), 0.3), belgium)
    expect(extraction).toMatchObject({ status: "failed", error: { code: "unreadable" } })
  })

  it("needs review without a date", async () => {
    const extraction = await extract(photo(plain({ date: "" })), belgium)
    expect(extraction).toMatchObject({
      status: "needs_review",
      fields: { amount: "26.45" },
      confidence: { overall: 0 }
    })
    expect(extraction.fields.expense_date).toBeUndefined()
    expect(extraction.warnings).toContain("no date was found")
  })
})

describe("extract: misread digits", () => {
  it.each([
    ["a misread digit", plain({ total: "26,45" }), plain({ total: "28,45" })],
    ["a dropped leading digit", plain({ total: "6,45" }), plain({ total: "26,45" })],
    ["a misread digit of the date", plain(), plain({ date: "21/02/2026 12:41" })]
  ])("are not trusted where the passes disagree: %s", async (_, first, second) => {
    const extraction = await extract(photo(first.replace("16,55", "1?,5S"), second.replace("16,55", "l6.-5")), belgium)
    expect(extraction.status).toBe("needs_review")
  })

  it("are not trusted when both passes agree but the items do not add up", async () => {
    const extraction = await extract(photo(plain({ total: "6,45" })), belgium)
    expect(extraction).toMatchObject({ status: "needs_review" })
    expect(check(extraction, "amount_is_confirmed")).toBe(false)
  })

  it("are corrected by the sums of the receipt", async () => {
    const paid = "  ESPECES                  30,00\n  RENDU                     3,55"
    const extraction = await extract(photo(plain({ total: "28,45", after: paid }), plain({ after: paid })), belgium)
    expect(extraction.fields.amount).toBe("26.45")
  })

  it("are not trusted when the card payment has another amount", async () => {
    const extraction = await extract(photo(plain({ after: "  BANCONTACT               28,45" })), belgium)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "payment_matches_amount")).toBe(false)
  })

  it("are detected by recognizing the field again, which a text layer does not need", async () => {
    const text = plain().replace("16,55", "")
    const asked: Array<number> = []
    const says =
      (answer: ReadonlyArray<string>): Reread =>
      (page) => {
        asked.push(page)
        return Promise.resolve(answer)
      }
    const without = await extract(photo(text), belgium)
    const agreed = await extract(photo(text), belgium, { reread: says(["26,45", "26,45"]) })
    const denied = await extract(photo(text), belgium, { reread: says(["28,45", "28,45"]) })
    expect(check(without, "amount_is_confirmed")).toBe(false)
    expect(check(agreed, "amount_is_confirmed")).toBe(true)
    expect(denied.confidence.amount).toBeLessThan(without.confidence.amount ?? 0)
    expect([agreed, denied].map((one) => check(one, "second_look_agrees"))).toEqual([true, false])
    expect(asked.length).toBeGreaterThan(0)
    asked.length = 0
    await extract(textPdf(text), belgium, { reread: says([]) })
    expect(asked).toEqual([])
  })
})

describe("extract: a date that both passes misread", () => {
  it("needs review when crops of it give another date", async () => {
    const [right, wrong] = await Promise.all(
      ["27/02/2026", "21/02/2026"].map((text) =>
        extract(photo(plain()), belgium, { reread: () => Promise.resolve([text, text]) })
      )
    )
    expect(right).toMatchObject({ status: "done" })
    expect(wrong).toMatchObject({ status: "needs_review" })
    expect([right, wrong].map((one) => one !== undefined && check(one, "second_look_agrees"))).toEqual([true, false])
  })
})

describe("extract: which amount", () => {
  const totals: ReadonlyArray<readonly [string, string, string]> = [
    [
      "after a discount",
      "  SOUS-TOTAL    30,00\n  REMISE       -3,55\n  TOTAL         26,45\n  Vous avez économisé 3,55",
      "26.45"
    ],
    ["with change from a note", "  TOTAL         26,45\n  ESPECES       50,00\n  RENDU         23,55", "26.45"],
    [
      "with a tip",
      "  TOTAL         26,45\n  Pourboire      3,55\n  Total payé    30,00\n  VISA          30,00",
      "30.00"
    ],
    ["beside a balance of points", "  TOTAL         26,45\n  CB            26,45\n  SOLDE POINTS  1.245,00", "26.45"],
    [
      "in all with a deposit already paid",
      "  TOTAL TTC    126,45\n  Acompte      100,00\n  RESTE A PAYER 26,45",
      "126.45"
    ],
    [
      "rounded in cash",
      "  TOTAL         26,47\n  Arrondi       -0,02\n  ESPECES       30,00\n  RENDU          3,55",
      "26.45"
    ],
    ["with letters for digits", "  TOTAL         26,4S\n  CARTE         26,45", "26.45"],
    ["in spaced letters", "  T O T A L     26,45\n  CARTE         26,45", "26.45"],
    ["with thousands", "  TOTAL TTC  1.026,45\n  CARTE      1.026,45", "1026.45"],
    ["with its tax", "  TOTAL EXCL GST 25,00\n  TOTAL GST 1,45\n  TOTAL SALES INCL GST 26,45", "26.45"],
    ["above a line of net and tax", "  TOTAL SALES (INCLUSIVE OF GST) 26,45\n  TOTAL 24,95 1,50", "26.45"],
    ["above the sums of rates", "  TOTAL 6% 10,45\n  TOTAL PAYABLE 26,45\n  TOTAL 0% 16,00", "26.45"],
    ["less than what was tendered", "  TOTAL AMT PAYABLE 26,45\n  PAID AMOUNT 50,00\n  CHANGE 23,55", "26.45"],
    ["as its rounding states it", "  TOTAL INCL GST 26,43\n  ROUNDING 26,45\n  CASH 26,45", "26.45"],
    ["where the rounding is misread", "  GRAND TOTAL 26,43\n  ROUNDING 002\n  NET TOTAL 26,45", "26.45"],
    ["less than rounded cash", "  TOTAL INCL GST 26,43\n  TOTAL PAID 50,00\n  CHANGE 23,55", "26.45"],
    ["less than a total tendered", "  TOTAL 26,45\n  TOTAL TENDERED 50,00\n  CHANGE 23,55", "26.45"],
    [
      "with service and tax",
      "  SUBTOTAL 22,00\n  SERVICE CHARGE 2,20\n  TAX 2,25\n  NET TOTAL 26,45\n  SRV 10% 22,00",
      "26.45"
    ],
    ["with a misread euro sign", "  TOTAL e26,45", "26.45"],
    ["under its label", "  NET A PAYER\n               26,45\n  CARTE         26,45", "26.45"]
  ]
  it.each(totals)("is the amount paid %s", async (_, text, amount) => {
    const extraction = await extract(photo(`Café Dupont\nRue Neuve 12\n27/02/2026 12:41\n\n${text}`), belgium)
    expect(extraction.fields.amount).toBe(amount)
  })

  it("is not trusted without a label", async () => {
    const text = "Café Dupont\n27/02/2026 12:41\nCafé 10,00\nThé 16,45\n26,45\n26,45"
    const extraction = await extract(photo(text), belgium)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "amount_is_labelled")).toBe(false)
  })

  it.each([
    ["its total", "  Papier A4      9,90\n  Stylos        16,55"],
    ["what comes below the subtotal", "  Papier A4      9,90\n  Stylos        16,55\n  SOUS-TOTAL    26,45"],
    ["all but the tax", "  Papier A4      9,90\n  TVA 21 %       1,72"]
  ])("needs review when the receipt is torn off above %s", async (_, lines) => {
    const extraction = await extract(photo(`Librairie Dupont\nRue Neuve 12\n27/02/2026 12:41\n\n${lines}`), belgium)
    expect(extraction.status).not.toBe("done")
  })

  it.each([
    ["the subtotal and its tax", "Subtotal 21,80\nTVA 4,65"],
    ["cash and change", "Papier 9,90\nStylos 16,55\nEspèces 50,00\nRendu 23,55"]
  ])("follows from %s when its own line is cut off, but needs review", async (_, lines) => {
    const extraction = await extract(photo(`Librairie Dupont\n27/02/2026 12:41\n${lines}`), belgium)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { amount: "26.45" } })
  })

  it("has decimals where the prices have them", async () => {
    const text = "Librairie Dupont\n27/02/2026 12:41\nPapier A4   9,90\nStylos   16,55\n26,45\nTOTAL 2"
    expect((await extract(photo(text), belgium)).fields.amount).toBe("26.45")
  })

  it("has the decimals of the currency", async () => {
    const yen = await extract(
      photo("Sakura Cafe\nTokyo Chiyoda 1-1\n2026/02/27 12:41\nTotal ¥2,126\nVISA ¥2,126"),
      hintsOf("JP", "JPY")
    )
    expect(yen.fields).toMatchObject({ amount: "2126", currency: "JPY" })
  })
})

const inDollars = (vendor: string) => photo(`${vendor}\n27/02/2026 12:41\nTea $6.45\nTotal $6.45\nCash $6.45`)

describe("extract: which currency", () => {
  it("is the organization's when no other one is printed", async () => {
    expect((await extract(photo(plain().replace(" EUR", "")), belgium)).fields.currency).toBe("EUR")
  })

  it("is the one printed next to the amount", async () => {
    const extraction = await extract(photo(plain().replace("TOTAL EUR", "TOTAL CHF")), belgium)
    expect(extraction.fields.currency).toBe("CHF")
  })

  it.each([
    ["¥102.00", "CNY", "102.00"],
    ["JPY 102.00", "EUR", "102.00"],
    ["¥ 102", "JPY", "102"]
  ])("gives the amount of %s in %s without changing its value", async (total, currency, amount) => {
    const text = `Sakura Cafe\nTokyo Chiyoda 1-1\n27/02/2026 12:41\nTotal ${total}\nVISA ${total}`
    expect((await extract(photo(text), belgium)).fields).toMatchObject({ amount, currency })
  })

  it("needs review when a single sign contradicts the others", async () => {
    const extraction = await extract(photo(plain({ total: "$26,45", after: "  Papier 9,90 €" })), belgium)
    expect(extraction.status).toBe("needs_review")
    expect(extraction.confidence.currency).toBeLessThan(0.9)
  })

  it("is the ringgit when a Malaysian company prints a dollar sign", async () => {
    const malaysia = hintsOf("MY", "MYR")
    expect((await extract(inDollars("TEH TARIK SDN BHD"), malaysia)).fields.currency).toBe("MYR")
    expect((await extract(inDollars("Diner Inc."), malaysia)).fields.currency).toBe("USD")
  })

  it.each([
    ["a PDF with text", textPdf("Thames Books Ltd\n12 High Street\n27/02/2026 12:41\nTotal £45.60\nCard £45.60")],
    ["a photo", photo("Thames Books Ltd\nVAT No GB123456789\n27/02/2026 12:41\nTotal £45.60\nCard £45.60")]
  ])("is the pound on %s", async (_, reading) => {
    expect((await extract(reading, belgium)).fields).toMatchObject({ amount: "45.60", currency: "GBP" })
  })

  it("is the euro when its sign is misread as a pound sign", async () => {
    const extraction = await extract(
      photo(plain({ total: "£26,45", after: "  TVA BE 0403.170.701 21%" }).replace(" EUR", "")),
      belgium
    )
    expect(extraction.fields.currency).toBe("EUR")
  })
})

it("extract: needs review if words at the end of a document are not read, also words that had to be separated", async () => {
  const items = Array.from(
    { length: 390 },
    (_, at) => `Alpha beta gamma delta epsilon zeta eta theta iota A${at % 7}Artikel:1,50`
  )
  const text = (total: string) => textPdf(`Muster GmbH\n14.03.2026\nTotal EUR 10,00\n${items.join("\n")}\n${total}`)
  const { checks, status } = await extract(text("Gesamtbetrag EUR 585,00"), hintsOf("DE", "EUR"))
  expect(status).toBe("needs_review")
  expect(checks).toContainEqual({ code: "all_pages_read", passed: false })
})
