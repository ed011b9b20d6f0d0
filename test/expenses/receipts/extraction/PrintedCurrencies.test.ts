import { describe, expect, it } from "vitest"
import { extract } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import { hintsOf, photo, textPdf } from "./Readings.ts"

const invoice = (...lines: ReadonlyArray<string>) => ["Gulf Office Supplies", "Date 2026-03-02", ...lines].join("\n")

const belgium = hintsOf("BE", "EUR")

describe.each([
  ["PDF", textPdf],
  ["photo", photo]
])("the code of a currency beside the amounts of a %s", (_, readingOf) => {
  it.each([
    ["BHD", "11.138", ["Subtotal BHD 10.125", "VAT 10% BHD 1.013", "Total BHD 11.138"]],
    ["BHD", "11.138", ["Subtotal 10.125 BHD", "VAT 10% 1.013 BHD", "Total 11.138 BHD"]],
    ["BHD", "11.138", ["Subtotal BHD10.125", "VAT 10% BHD1.013", "Total BHD11.138"]],
    ["KWD", "1331.138", ["Subtotal KWD 1,210.125", "VAT 10% KWD 121.013", "Total KWD 1,331.138"]],
    ["TND", "12.049", ["Total HT 10,125 TND", "TVA 19% 1,924 TND", "Total TTC 12,049 TND"]],
    ["TND", "1012.049", ["Total TTC 1 012,049 TND", "Payé 1 012,049 TND"]],
    ["OMR", "10.631", ["Subtotal 10.125", "VAT 5% 0.506", "Total OMR 10.631"]],
    ["JOD", "11.745", ["Subtotal JOD 10.125", "VAT 16% JOD 1.620", "Total JOD 11.745"]],
    ["LYD", "11.500", ["Total LYD 11.50", "Paid LYD 11.50"]],
    ["IQD", "1250.000", ["Total IQD 1,250.000", "Paid IQD 1,250.000"]],
    ["IQD", "1250000.000", ["Total IQD 1,250,000", "Paid IQD 1,250,000"]],
    ["IQD", "25000.000", ["Subtotal IQD 20,000", "Delivery IQD 5,000", "Total IQD 25,000"]],
    ["IQD", "250.000", ["Total IQD 250.00", "Paid IQD 250.00"]],
    ["CLF", "12.0488", ["Neto CLF 10,1250", "IVA 19% CLF 1,9238", "Total CLF 12,0488"]],
    ["JPY", "1200", ["Subtotal JPY 1,091", "Tax 10% JPY 109", "Total JPY 1,200"]],
    ["ISK", "1200", ["Total ISK 1.200", "Paid ISK 1.200"]],
    ["CLP", "11900", ["Neto CLP 10.000", "IVA 19% CLP 1.900", "Total CLP 11.900"]],
    ["KRW", "11000", ["Subtotal KRW 10,000", "VAT 10% KRW 1,000", "Total KRW 11,000"]],
    ["MAD", "1200.00", ["Total HT 1 000,00 MAD", "TVA 20% 200,00 MAD", "Total TTC 1 200,00 MAD"]]
  ])("decides the currency and its decimals: %s %s", async (currency, amount, lines) => {
    const { candidates, fields, warnings } = await extract(readingOf(invoice(...lines)), belgium)
    expect(fields).toMatchObject({ amount, currency })
    expect(candidates.amount?.[0]?.value).toBe(amount)
    expect(warnings).not.toContain("currency below review threshold")
  })

  it.each([
    ["another amount", "USD", ["Total EUR 121.00", "Equal to USD 130.00"]],
    ["a total that was not paid", "EUR", ["Total EUR 121.00", "Total USD 130.00", "Card USD 130.00"]],
    ["cash of another amount", "USD", ["Total EUR 121.00", "Equal to USD 130.00", "Cash EUR 150.00"]],
    ["the row of the total", "BHD", ["Total EUR 121.00 (BHD 48.123)", "Card EUR 121.00"]],
    ["a smaller amount in the row of the total", "BHD", ["Total EUR 121.00 (BHD 48.123)"]],
    ["the heading of a column", "JOD", ["Description Amount (JOD)", "Subtotal 10.125", "Total 11.745"]],
    ["columns", "MAD", ["Article QTE MAD", "Hotel 60,00", "Vol 61,00", "Total 121,00", "Carte 121,00"]],
    ["a sentence", "USD", ["Total 121.00", "Card 121.00", "Charged in USD"]],
    ["an item of the same amount", "MAD", ["Flug FRA MAD 149,00", "Total 149,00", "Karte 149,00"]],
    ["an item of the same amount without decimals", "MAD", ["Hotel MAD 1200", "Total 1200,00", "Carte 1200,00"]],
    ["items without decimals", "MAD", ["Hotel MAD 600", "Vol MAD 600", "Total 1200,00", "Carte 1200,00"]],
    ["whole amounts", "MAD", ["Hotel MAD 600", "Vol 600", "Total 1200", "Carte 1200"]],
    ["a number, but has other decimals", "BHD", ["Table BHD 12", "Total 12,50", "Card 12,50"]],
    ["amounts, but is no code in use", "HRK", ["Subtotal 100.00 HRK", "VAT 21% 21.00 HRK", "Total 121.00 HRK"]],
    ["amounts, but is not known", "XYZ", ["Subtotal XYZ 100.00", "VAT 21% XYZ 21.00", "Total XYZ 121.00"]],
    ["amounts, and is a word, too", "ALL", ["Subtotal ALL 100.00", "VAT 20% ALL 20.00", "Total ALL 120.00"]]
  ])("needs review and is named if it belongs to %s: %s", async (_name, code, lines) => {
    const { status, warnings } = await extract(readingOf(invoice(...lines)), belgium)
    expect(status).toBe("needs_review")
    expect(warnings.join(" ")).toContain(code)
  })

  it("needs review if it is missing, and the total may have three decimals", async () => {
    const lines = ["Total HT 10,125 DT", "TVA 19% 1,924 DT", "Total TTC 12,049 DT"]
    const { status, warnings } = await extract(readingOf(invoice(...lines)), belgium)
    expect(status).toBe("needs_review")
    expect(warnings.join()).toContain("may have three decimals")
  })
})

it.each([
  ["USD", "121.00", ["Amounts in USD", "Subtotal 100.00", "VAT 21.00", "Total 121.00"]],
  ["MAD", "60.00", ["Devise : MAD", "Total 60,00", "Carte 60,00"]],
  ["JOD", "11.745", ["Amounts in JOD", "Subtotal 10.125", "Total 11.745"]],
  ["OMR", "10.631", ["OMR", "Subtotal 10.125", "VAT 5% 0.506", "Total 10.631"]],
  ["EUR", "60.00", ["Total 60.00", "Card 60.00", "Charged in USD"]],
  ["EUR", "149.00", ["Flug FRA MAD 149,00", "Total 149,00", "Karte 149,00"]],
  ["EUR", "200.00", ["Room BHD", "Total 200,00", "Karte 200,00"]],
  ["EUR", "12.50", ["Table BHD 12", "Total 12,50", "Card 12,50"]]
])("a code apart from the total proposes %s %s if a heading or the decimals say so: %s", async (...expected) => {
  const [currency, amount, lines] = expected
  const { fields, status } = await extract(textPdf(invoice(...lines)), belgium)
  expect(fields).toMatchObject({ amount, currency })
  expect(status).toBe("needs_review")
})

it.each([
  ["FRA MAD 14:30", ["Flug FRA MAD 14:30", "Flug MAD FRA 18:30", "Gesamtbetrag 200,00", "Karte 200,00"]],
  ["LH 1802 FRA MAD", ["Flug LH 1802 FRA MAD", "Gesamtbetrag 200,00", "Karte 200,00"]],
  ["MAD 14:30 beside a total in EUR", ["Flug MAD 14:30", "Gesamtbetrag EUR 200,00", "Karte 200,00"]],
  ["Table BOB 12", ["Table BOB 12", "Total TTC 12,50", "CB 12,50"]],
  ["CAD 2026", ["CAD 2026 licence 100,00", "Total 100,00", "CB 100,00"]],
  ["TRY 2 sokken", ["TRY 2 sokken 10,00", "Totaal 10,00", "Pin 10,00"]],
  ["SDN BHD 123456", ["TEH TARIK SDN BHD 123456", "Total 12.50", "Cash 12.50"]],
  ["12 KGS 45,00", ["RIZ 12 KGS 45,00", "SUCRE 10 KGS 15,00", "TOTAL 60,00", "CB 60,00"]],
  ["an exchange rate", ["Total EUR 121.00", "Paid EUR 121.00", "Exchange rate 1.07 USD 130.00"]]
])("no code of a currency is seen in %s", async (_, lines) => {
  const { fields, status } = await extract(textPdf(invoice(...lines)), belgium)
  expect([fields.currency, status]).toEqual(["EUR", "done"])
})

it.each([
  [["Total CHF 25.00", "EUR 24.10", "Bar CHF 25.00"]],
  [["Total CHF 25.00", "Total EUR 24.10", "Karte CHF 25.00"]],
  [["Total CHF 25.00", "Bezahlt CHF 25.00", "Entspricht EUR 24.10"]]
])("an equivalent needs no review if total and payment are in the home currency: %s", async (lines) => {
  for (const readingOf of [textPdf, photo]) {
    const { fields, status } = await extract(readingOf(invoice(...lines)), hintsOf("CH", "CHF"))
    expect([fields.amount, fields.currency, status]).toEqual(["25.00", "CHF", "done"])
  }
})

it.each([
  ["KWD", "12.500", ["Total 12.500", "Paid 12.500", "Charged in USD"]],
  ["KWD", "12.500", ["Total 12.500", "Paid 12.500", "Flight to JPY"]],
  ["USD", "12.50", ["Amounts in USD", "Total 12.50", "Paid 12.50"]],
  ["USD", "1250.00", ["Total USD 1,250"]]
])("a code apart from the amounts changes no three decimals of the home currency: %s %s", async (...expected) => {
  const [currency, amount, lines] = expected
  const { fields } = await extract(textPdf(invoice(...lines)), hintsOf("KW", "KWD"))
  expect(fields).toMatchObject({ amount, currency })
})

it("amounts of an organization that keeps its books in Iraqi dinars have no decimals", async () => {
  const { fields, status } = await extract(textPdf(invoice("Total 25.000", "Cash 25.000")), hintsOf("IQ", "IQD"))
  expect([fields.amount, fields.currency, status]).toEqual(["25000.000", "IQD", "done"])
})

it("a dollar sign means the peso of an organization that keeps its books in it", async () => {
  const lines = invoice("Neto $ 10.000", "IVA 19% $ 1.900", "Total $ 11.900")
  const { fields } = await extract(textPdf(lines), hintsOf("CL", "CLP"))
  expect(fields).toMatchObject({ amount: "11900", currency: "CLP", tax_amount: "1900" })
})
