import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { check, plain } from "./random/PlainReceipt.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const belgium = hintsOf("BE", "EUR")

const till = (...after: ReadonlyArray<string>) =>
  ["Épicerie Dupont", "Rue Neuve 12", "27/02/2026 12:41", ...after].join("\n")

const rounded = (tax: string, total: string) => till(`TOTAL ${total}`, `S=GST 6%: 122.00 ${tax}`, `CASH ${total}`)

const stacked = (untaxed: string, total: string) =>
  till(
    "Total 6% supplies (excl. GST): 15.00",
    "GST: 0.90",
    "Total 6% supplies (inc. GST): 15.90",
    `Total 0% supplies: ${untaxed}`,
    `Total payable: ${total}`
  )

const labelled = (label: string) => till("Papier 20.00", "Stylos 6.45", `${label} 2.03`, "TOTAL 28.48", "CASH 28.48")

const unapplied = (base: string, tax: string) =>
  till("Sub Total 50.00", `5.0% GST tax on ${base} ${tax}`, "7.0% PST tax on 0.00 0.00", "TOTAL 50.00", "CASH 50.00")

describe("extract: taxes", () => {
  it("are absent rather than incomplete when a line of the table was not read", async () => {
    const after = "  TVA 21% HT 10,00 TVA 2,10 TTC 12,10"
    const extraction = await extract(photo(plain({ after })), belgium)
    expect(extraction.fields.tax_amount).toBeUndefined()
    expect(extraction.fields.tax_rates).toBeUndefined()
    expect(check(extraction, "net_plus_tax_equals_total")).toBe(false)
    expect(extraction.status).toBe("needs_review")
  })

  it("fail the check of the sum where net amount and tax are not the total", async () => {
    const read = till("Subtotal 20,00", "TVA 4,20", "TOTAL EUR 26,45", "Merci de votre visite")
    const extraction = await extract(textPdf(read), belgium)
    expect(extraction.fields.amount).toBe("26.45")
    expect(extraction.checks).toContainEqual({ code: "net_plus_tax_equals_total", passed: false })
    expect(extraction.warnings).toContain("check failed: net_plus_tax_equals_total")
    expect(extraction.status).toBe("needs_review")
    const right = await extract(textPdf(read.replace("26,45", "24,20")), belgium)
    expect(right.checks).toContainEqual({ code: "net_plus_tax_equals_total", passed: true })
  })

  it("are found where a tilted page shows each amount one row above its label", async () => {
    const text = till("10.34", "Subtotal 0.92", "Tax 11.26", "Total", "CASH 11.26")
    const { fields } = await extract(photo(text), hintsOf("US", "USD"))
    expect(fields).toMatchObject({ amount: "11.26", tax_amount: "0.92" })
    const wrong = till("10.34", "Subtotal 0.93", "Tax 11.36", "Total", "CASH 11.36")
    expect((await extract(photo(wrong), hintsOf("US", "USD"))).fields.tax_amount).toBeUndefined()
  })

  it("are zero where the rates apply to nothing", async () => {
    const canada = hintsOf("CA", "CAD")
    expect((await extract(photo(unapplied("0.00", "0.00")), canada)).fields.tax_amount).toBe("0.00")
    expect((await extract(photo(unapplied("", "0.00")), canada)).fields.tax_amount).toBeUndefined()
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

  it("are zero next to the total that a row repeats", async () => {
    const read = till("TOTAL EUR 26,45", "TVA 26,45 0,00", "Merci de votre visite")
    expect((await extract(textPdf(read), belgium)).fields.tax_amount).toBe("0.00")
  })

  it("may lack the label and the rate if net amount and tax add up to the total at a rate of the country", async () => {
    const read = till("TOTAL 53.00", "SR 50.00 3.00", "CASH 53.00")
    const { fields } = await extract(textPdf(read), hintsOf("MY", "MYR"))
    expect(fields.tax_rates).toEqual([{ rate: "6", taxable_amount: "50.00", tax_amount: "3.00" }])
    expect((await extract(textPdf(read), hintsOf("US", "USD"))).fields.tax_amount).toBeUndefined()
  })

  it("may be a few cents off their rate, as the sum of rounded lines is", async () => {
    const malaysia = hintsOf("MY", "MYR")
    expect((await extract(textPdf(rounded("7.29", "129.29")), malaysia)).fields.tax_amount).toBe("7.29")
    expect((await extract(textPdf(rounded("7.12", "129.12")), malaysia)).fields.tax_amount).toBeUndefined()
  })

  it("are read from consecutive rows, with the supplies of another rate", async () => {
    const malaysia = hintsOf("MY", "MYR")
    expect((await extract(textPdf(stacked("20.10", "36.00")), malaysia)).fields).toMatchObject({
      tax_amount: "0.90",
      tax_rates: [
        { rate: "6", taxable_amount: "15.00", tax_amount: "0.90" },
        { rate: "0", taxable_amount: "20.10", tax_amount: "0.00" }
      ]
    })
    const withReturns = await extract(textPdf(stacked("-2.10", "13.80")), malaysia)
    expect(withReturns.fields.tax_amount).toBe("0.90")
    expect(withReturns.fields.tax_rates).toBeUndefined()
  })

  it("are less those of returned bottles", async () => {
    const read = till("ZU ZAHLEN 20,81", "A 7,00% 19,70 1,38 21,08", "B 19,00% 0,23- 0,04- 0,27-", "BAR 20,81")
    const { fields } = await extract(textPdf(read), hintsOf("DE", "EUR"))
    expect(fields.tax_amount).toBe("1.34")
    expect(fields.tax_rates).toBeUndefined()
  })

  it("may be added to a subtotal together with a service charge and a rounding", async () => {
    const after = ["Service charge 3.00", "TAX 2.31", "Rounding -0.01", "TOTAL 35.30", "CASH 35.30"]
    const { fields } = await extract(textPdf(till("SUBTOTAL 30.00", ...after)), hintsOf("US", "USD"))
    expect(fields.tax_amount).toBe("2.31")
  })

  it("may have a label that is misread, and be added to several subtotals", async () => {
    const states = hintsOf("US", "USD")
    const misread = await extract(textPdf(till("SUBTOTAL 26.98", "Sales 1ax 8.250% 2.23", "TOTAL 29.21")), states)
    expect(misread.fields.tax_amount).toBe("2.23")
    const after = ["Food subtotal 21.17", "Tax 1: 1.90", "TOTAL 31.05"]
    const summed = await extract(textPdf(till("Bar subtotal 7.98", ...after)), states)
    expect(summed.fields.tax_amount).toBe("1.90")
  })

  it.each([
    ["in letters", ["SUBTOTAL 252.49", "GSI CA 12.62", "PSTEC 17.67", "TOTAL 282.78"], "30.29"],
    [
      "by a rate that touches its base",
      ["SUBTOTAL 57.39", "OFFER 11.48-", "T1= 45.918.25% TAX 3.79", "TOTAL 49.70"],
      "3.79"
    ],
    ["by a rate that touches its label", ["2.60 Tax included@8.25%", "TOTAL 34.11"], "2.60"]
  ])("may have labels that are misread %s", async (_, rows, tax) => {
    expect((await extract(textPdf(till(...rows)), hintsOf("US", "USD"))).fields.tax_amount).toBe(tax)
  })

  it("are not larger than taxes can be", async () => {
    const { fields } = await extract(textPdf(till("SUBTOTAL 10.00", "TAX 11.00", "TOTAL 21.00")), hintsOf("US", "USD"))
    expect(fields.tax_amount).toBeUndefined()
  })

  it("may have a number in their name", async () => {
    const { fields } = await extract(textPdf(till("TVA1 12,00% 2,83", "TOTAL EUR 26,45")), belgium)
    expect(fields.tax_rates).toEqual([{ rate: "12", taxable_amount: "23.62", tax_amount: "2.83" }])
  })

  it("are proposed for review if only their name identifies them", async () => {
    const states = hintsOf("US", "USD")
    const extraction = await extract(textPdf(labelled("Tax")), states)
    expect(extraction).toMatchObject({ status: "needs_review", fields: { tax_amount: "2.03" } })
    expect(extraction.warnings).toContain("tax_amount below review threshold")
    expect((await extract(textPdf(labelled("Sales Tax B")), states)).fields.tax_amount).toBe("2.03")
    expect((await extract(textPdf(labelled("VAT Included")), states)).fields.tax_amount).toBe("2.03")
    expect((await extract(textPdf(labelled("Tax kitchen")), states)).fields.tax_amount).toBeUndefined()
    expect((await extract(textPdf(labelled("Tax 1.20 Tax")), states)).fields.tax_amount).toBeUndefined()
  })

  it("do not confirm a total, because they fit totals that differ by a digit, too", async () => {
    const { checks } = await extract(photo(till("TVA 6% 1,18", "TOTAL EUR 20,90", "Merci de votre visite")), belgium)
    expect(checks).toContainEqual({ code: "amount_is_confirmed", passed: false })
  })

  it("may lack the zero before their decimals", async () => {
    const { fields } = await extract(textPdf(till("TOTAL 10.14", "S 6% 9.57 .57")), hintsOf("MY", "MYR"))
    expect(fields.tax_rates).toEqual([{ rate: "6", taxable_amount: "9.57", tax_amount: "0.57" }])
  })

  it.for([
    ["in the row of the total", ["TOTAL INCL TAX 21.98", "CASH 21.98", "TOTAL INCLUDES 6% GOVT TAX OF 1.24"], "1.24"],
    ["one row above its label", ["5 TOTAL 32.10", "CASH 2.10", "Incl. GST 7%", "0.00", "CHANGE"], "2.10"]
  ] as const)("are proved by their rate %s", async ([, rows, tax]) => {
    const { fields } = await extract(photo(till(...rows)), hintsOf("MY", "MYR"))
    expect(fields.tax_amount).toBe(tax)
  })

  it("are added up from lines of one rate, which is printed without its sign", async () => {
    const table = ["VAT ANALYSIS", "RATE NET TAX TOTAL", "17.500 40.00 7.00 47.00", "17.500 20.00 3.50 23.50"]
    const text = till("Food 30.00", "Soup 17.00", "Drinks 23.50", "TOTAL 70.50", ...table)
    const { fields } = await extract(photo(text), hintsOf("GB", "GBP"))
    expect(fields).toMatchObject({ amount: "70.50", tax_amount: "10.50" })
  })

  it("are found next to a charge that is not a tax", async () => {
    const extraction = await extract(
      photo(till("SUBTOTAL 20.00", "Clean air fee 0.50", "TAX 1.60", "AMOUNT PAID 22.10")),
      hintsOf("US", "USD")
    )
    expect(extraction.fields).toMatchObject({ amount: "22.10", tax_amount: "1.60" })
    expect(check(extraction, "net_plus_tax_equals_total")).toBe(true)
  })

  it("are added up where a tilted page shows two of them one row above their labels", async () => {
    const text = till("20.00", "SOUS-TOTAL 1.00", "TPS 2.10", "TVQ", "23.10", "TOTAL", "Merci")
    const { fields } = await extract(photo(text), hintsOf("CA", "CAD"))
    expect(fields).toMatchObject({ amount: "23.10", tax_amount: "3.10" })
  })

  it("are added up for review if only their names identify them", async () => {
    const text = till("Food tax 1.10", "Drinks tax 0.20", "TOTAL 31.00", "CASH 31.00")
    const extraction = await extract(photo(text), hintsOf("US", "USD"))
    expect(extraction).toMatchObject({ status: "needs_review", fields: { tax_amount: "1.30" } })
    const summed = till("Food tax 1.10", "Drinks tax 0.20", "Tax total 1.30", "TOTAL 31.00", "CASH 31.00")
    expect((await extract(photo(summed), hintsOf("US", "USD"))).fields.tax_amount).toBe("1.30")
  })

  it.each([
    [
      "equal taxes beside their subtotal",
      "IN",
      ["Sub Total 300.00", "SGST @9% 27.00", "CGST @9% 27.00", "Total 354.00"]
    ],
    ["equal taxes with nothing else", "IN", ["Pizza", "SGST @9% 27.00", "CGST @9% 27.00", "Total 354.00"]],
    ["different taxes", "IN", ["Sub Total 300.00", "Service Tax 12.00", "VAT 42.00", "Total 354.00"]],
    ["taxes with other words that fit a usual rate", "NL", ["Btw laag 10,04", "Btw keuken 10,00", "Totaal 354,00"]]
  ])("are the sum of %s", async (_, country, rows) => {
    const extraction = await extract(photo(till(...rows, "Merci")), hintsOf(country, "EUR"))
    expect(extraction.fields).toMatchObject({ amount: "354.00", tax_amount: country === "IN" ? "54.00" : "20.04" })
  })

  it("are added up from net amounts and taxes of one rate in different rows", async () => {
    const table = ["Dont TVA 5,5% 0,90", "H.TAXE 5,5% 16,45", "Dont TVA 5,5% 2,50", "H.TAXE 5,5% 45,50"]
    const { fields } = await extract(photo(till("Menu 65,35", "TOTAL 65,35", ...table)), hintsOf("FR", "EUR"))
    expect(fields).toMatchObject({
      amount: "65.35",
      tax_rates: [{ rate: "5.5", taxable_amount: "61.95", tax_amount: "3.40" }]
    })
  })

  it.each([
    ["a tax after their total", ["Bread 8.00", "Nivea 20.14", "Total 28.14", "GST INCLUDED IN TOTAL $1.37"], "1.37"],
    ["a tax amount", ["Bread 8.00", "Nivea 20.14", "Total 28.14", "VATAmount Inc.: 3.50"], "3.50"],
    ["a joined label", ["SubTotal 25.00", "Service 3.14", "Total 28.14", "Incl.ofVAT(20.00%) 4.17"], "4.17"]
  ])("are included in the total by %s", async (_, rows, tax) => {
    const { fields } = await extract(photo(till(...rows)), hintsOf("GB", "GBP"))
    expect(fields).toMatchObject({ amount: "28.14", tax_amount: tax })
  })

  it("are not added to a subtotal if they are included", async () => {
    const rows = ["Maki 216.50", "Subtotal 298.10", "Total: 1.21", "VAT included in total: 16.18"]
    expect((await extract(photo(till(...rows)), hintsOf("GB", "GBP"))).fields.amount).not.toBe("314.28")
  })

  it("confirm a total together with the subtotal", async () => {
    const rows = ["Food 300.00", "Sub Total 300.00", "S.Tax 16.80", "VAT 37.50", "Total 354.30"]
    const extraction = await extract(photo(till(...rows)), hintsOf("IN", "INR"))
    expect(check(extraction, "amount_is_confirmed")).toBe(true)
  })

  it("are less than the total even if their currency sign is read as a digit", async () => {
    const rows = ["SUB TOTAL $10.80", "GST INCLUSIVE 7.00% 50.71", "TOTAL $10.80", "CASH $10.80"]
    const { fields } = await extract(photo(till(...rows)), hintsOf("SG", "SGD"))
    expect(fields).toMatchObject({ amount: "10.80", tax_amount: "0.71" })
  })

  it("are the whole total if coupons pay the rest", async () => {
    const rows = ["Soap 4.00", "COUPON 4.00-", "SUBTOTAL .00", "TAX .82", "TOTAL .82", "CASH 1.00", "CHANGE .18"]
    const { fields } = await extract(photo(till(...rows)), hintsOf("US", "USD"))
    expect(fields).toMatchObject({ amount: "0.82", tax_amount: "0.82" })
  })
})
