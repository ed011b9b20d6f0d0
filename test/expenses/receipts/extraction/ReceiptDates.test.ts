import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { check, plain } from "./random/PlainReceipt.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

describe("extract: which date", () => {
  it.each([
    ["BE", "EUR", "03/04/2025", "2025-04-03"],
    ["US", "USD", "03/04/2025", "2025-03-04"],
    ["DE", "EUR", "3.4.25", "2025-04-03"],
    ["FR", "EUR", "3 avril 2025", "2025-04-03"],
    ["ES", "EUR", "03-abr-2025", "2025-04-03"],
    ["NL", "EUR", "2025-04-03", "2025-04-03"],
    ["BE", "EUR", "O3/O4/2025", "2025-04-03"],
    ["BE", "EUR", "03/04/202512:41:52", "2025-04-03"],
    ["BE", "EUR", "03/04/20255:02PM", "2025-04-03"],
    ["BE", "EUR", "03/04/2512:41", "2025-04-03"],
    ["BE", "EUR", "03Apr202512:41", "2025-04-03"],
    ["BE", "EUR", "03.04.2512:41", "2025-04-03"],
    ["BE", "EUR", "03.04.2020:41", "2020-04-03"],
    ["BE", "EUR", "12:4103/04/25", "2025-04-03"],
    ["BE", "EUR", "000103/04/202512:41", "2025-04-03"],
    ["BE", "EUR", "03042025 12:41:52", "2025-04-03"],
    ["BE", "EUR", "03 0CT 2025", "2025-10-03"],
    ["US", "USD", "Apr03,2025", "2025-04-03"],
    ["US", "USD", "APR03'25", "2025-04-03"],
    ["US", "USD", "Ju103'25(Sat)07:27", "2025-07-03"],
    ["US", "USD", "03/04/25,02:35PM", "2025-03-04"],
    ["US", "USD", "Apr/03/2025", "2025-04-03"],
    ["US", "USD", "APR032025", "2025-04-03"],
    ["US", "USD", "APR032512:41PM", "2025-04-03"],
    ["US", "USD", "Ju103252:41PM", "2025-07-03"],
    ["US", "USD", "Dec.0324(Tue)12:41", "2024-12-03"],
    ["US", "USD", "Dec.0324(Tu1)12:41", "2024-12-03"],
    ["US", "USD", "DEC032412:41FM", "2024-12-03"],
    ["US", "USD", "DEC0312402:41PM", "2024-12-03"],
    ["US", "USD", "03/04/2025509PM", "2025-03-04"],
    ["US", "USD", "19:51:5903/04/2025", "2025-03-04"],
    ["US", "USD", "03/04/2B25", "2025-03-04"],
    ["US", "USD", "03/04/2825", "2025-03-04"],
    ["US", "USD", "03/04720252:41:17PM", "2025-03-04"],
    ["BE", "EUR", "03104/2025", "2025-04-03"],
    ["BE", "EUR", "2025.04,0312:41", "2025-04-03"],
    ["US", "USD", "03,04/2025", "2025-03-04"],
    ["US", "USD", "03/042512:41", "2025-03-04"],
    ["BE", "EUR", "03*04.25 12:41", "2025-04-03"],
    ["BE", "EUR", "101155153103.04.2025 12:41", "2025-04-03"]
  ])("follows the order of %s (%s) in %s", async (country, currency, date, expected) => {
    const extraction = await extract(photo(plain({ date }).replace("EUR", "")), hintsOf(country, currency))
    expect(extraction.fields.expense_date).toBe(expected)
  })

  it.each([
    ["an unknown country", hintsOf("", "EUR")],
    ["a country with two orders", hintsOf("CA", "EUR")]
  ])("needs review in %s when two orders make a date", async (_, hints) => {
    const extraction = await extract(photo(plain({ date: "03/04/2025" })), hints)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "date_is_unambiguous")).toBe(false)
    const values = extraction.candidates.expense_date?.map(({ value }) => value)
    expect(values).toEqual(expect.arrayContaining(["2025-04-03", "2025-03-04"]))
  })

  it.each([
    ["due date", "Date de facture: 12/01/2026\nÉchéance: 11/02/2026", "2026-01-12"],
    ["validity", "27/02/2026 12:41\nBon valable jusqu'au 30/06/2026", "2026-02-27"],
    ["period", "Abonnement 01.01.26-31.01.26\nDate: 02/02/2026", "2026-02-02"]
  ])("is not the %s", async (_, date, expected) => {
    expect((await extract(photo(plain({ date })), belgium)).fields.expense_date).toBe(expected)
  })

  it("is not believed in the future", async () => {
    const extraction = await extract(photo(plain({ date: "27/08/2026" })), belgium)
    expect(extraction.status).toBe("needs_review")
    expect(check(extraction, "date_is_plausible")).toBe(false)
  })

  it("may be from years ago", async () => {
    const extraction = await extract(textPdf(plain({ date: "27/02/2017 12:41" })), belgium)
    expect(extraction).toMatchObject({ status: "done", fields: { expense_date: "2017-02-27" } })
  })
})
