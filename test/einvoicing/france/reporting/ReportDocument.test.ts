import { describe, expect, it } from "vitest"
import { periodsToReport, type Regimes } from "../../../../src/einvoicing/france/reporting/Periods.ts"
import type { ReportContent } from "../../../../src/einvoicing/france/reporting/ReportContent.ts"
import { paymentsOf, transactionsOf } from "../../../../src/einvoicing/france/reporting/ReportedSales.ts"
import type { VatRegime } from "../../../../src/einvoicing/invoice/ReportingTerms.ts"
import { Day } from "../../../../src/kernel/Calendar.ts"
import { brokenByReports } from "./OfficialReports.ts"
import { german, readReceipt, readSale, reporter, saleOf, tax, written } from "./Sales.ts"

const transactions = (...sales: ReadonlyArray<Parameters<typeof saleOf>[0]>) =>
  transactionsOf(
    sales.map((sale) => readSale(saleOf(sale))),
    reporter
  )

const payment = (received: number, sale: Parameters<typeof saleOf>[0], received_on = "2026-03-20") =>
  readReceipt({ received, received_on, sale: saleOf(sale) })

const exempt = (exemption_code?: string) =>
  tax(0, 5_000, { category: "E", ...(exemption_code === undefined ? {} : { exemption_code }) })

describe("what is reported", () => {
  it("is each sale to a business abroad, and the sums of sales to consumers without their credit notes", () => {
    const { content, problems } = transactions(
      { tax_breakdown: [tax(20, 10_000), tax(5.5, 2_000)] },
      { tax_breakdown: [tax(20, 4_000)], kind: "credit_note", type_code: "381", number: "A-1" },
      { tax_breakdown: [tax(20, 3_000)], operation_nature: "goods" },
      { tax_breakdown: [tax(20, 7_000)], operation_nature: "mixed" },
      { tax_breakdown: [tax(19, 5_000, { country: "DE" })], customer: { name: "Max", country: "DE" } },
      { tax_breakdown: [tax(0, 9_000, { category: "AE" })], customer: german, number: "F-2" },
      { tax_breakdown: [tax(20, 1_000)], customer: { name: "SARL Dupont", country: "FR", tax_number: "FR96552100554" } }
    )
    expect(problems).toEqual([])
    const xml = written(content)
    expect(brokenByReports([xml])).toEqual([])
    expect(xml).toContain(
      "<CategoryCode>TPS1</CategoryCode><TaxExclusiveAmount>150.00</TaxExclusiveAmount><TaxTotal>27.10</TaxTotal>" +
        "<TransactionsCount>3</TransactionsCount>" +
        "<TaxSubtotal><TaxPercent>20</TaxPercent><TaxableAmount>130.00</TaxableAmount><TaxTotal>26.00</TaxTotal></TaxSubtotal>" +
        "<TaxSubtotal><TaxPercent>5.5</TaxPercent><TaxableAmount>20.00</TaxableAmount><TaxTotal>1.10</TaxTotal></TaxSubtotal>"
    )
    expect(xml).toContain(
      "<CategoryCode>TLB1</CategoryCode><TaxExclusiveAmount>30.00</TaxExclusiveAmount><TaxTotal>6.00</TaxTotal>"
    )
    expect(xml).toContain(
      "<CategoryCode>TNT1</CategoryCode><TaxExclusiveAmount>50.00</TaxExclusiveAmount><TaxTotal>0.00</TaxTotal>"
    )
    expect(xml.match(/<Invoice>/g)).toHaveLength(1)
    expect(xml).toContain(
      '<Buyer><CompanyId schemeId="0223">DE123456788</CompanyId>' +
        '<TaxRegistrationId qualifyingId="VAT">DE123456788</TaxRegistrationId>' +
        "<PostalAddress><CountryId>DE</CountryId></PostalAddress></Buyer>"
    )
    expect(xml).toContain("<TaxExemptionReasonCode>VATEX-EU-AE</TaxExemptionReasonCode>")
  })

  it("counts an Italian with a codice fiscale as a consumer, and gives a Greek number its prefix", () => {
    const italian = { name: "Mario Rossi", country: "IT", tax_number: "RSSMRA85T10A562S" }
    const greek = { name: "Alfa AE", country: "GR", tax_number: "GR 094259216" }
    const { content, problems } = transactions(
      { tax_breakdown: [tax(20, 10_000)], customer: italian },
      { tax_breakdown: [tax(20, 10_000)], customer: { ...italian, country: null } },
      { tax_breakdown: [tax(0, 9_000, { category: "AE" })], customer: greek, number: "F-2" }
    )
    expect(problems).toEqual([])
    const xml = written(content)
    expect(xml).toContain("<TransactionsCount>2</TransactionsCount>")
    expect(xml.match(/<Buyer>.*?<\/TaxRegistrationId>/g)).toEqual([
      '<Buyer><CompanyId schemeId="0223">EL094259216</CompanyId>' +
        '<TaxRegistrationId qualifyingId="VAT">EL094259216</TaxRegistrationId>'
    ])
  })

  it("identifies a business outside the EU by its name, although its tax number begins like a prefix", () => {
    const mexican = { name: "Distribuidora", country: "MX", tax_number: "DEI150101AB1" }
    const xml = written(transactions({ tax_breakdown: [tax(0, 9_000, { category: "G" })], customer: mexican }).content)
    expect(xml).toContain(
      '<Buyer><CompanyId schemeId="0227">MXDISTRIBUIDORA</CompanyId>' +
        "<PostalAddress><CountryId>MX</CountryId></PostalAddress></Buyer>"
    )
  })

  it("separates the sums of a day by the option for VAT on debits, which for a credit note is that of its invoice", () => {
    const original = { number: "F-0", issue_date: "2026-03-01" }
    const { content } = transactionsOf(
      [
        { tax_breakdown: [tax(20, 10_000), tax(5.5, 2_000)] },
        { tax_breakdown: [tax(20, 4_000)], kind: "credit_note", type_code: "381", number: "A-1", original },
        { tax_breakdown: [tax(20, 3_000)], operation_nature: "goods" }
      ].map((sale) => readSale(saleOf(sale))),
      { ...reporter, vat_on_debits: Day.make("2026-03-05") }
    )
    const xml = written(content)
    expect(brokenByReports([xml])).toEqual([])
    const sums = xml.matchAll(
      /TransactionsCurrency>(<TaxDueDateTypeCode>5<.TaxDueDateTypeCode>)?<CategoryCode>(.*?)<.*?Amount>(.*?)<.*?Count>(.)/g
    )
    expect(Array.from(sums, ([, due, ...sum]) => [due !== undefined, ...sum])).toEqual([
      [false, "TLB1", "30.00", "1"],
      [false, "TPS1", "-40.00", "1"],
      [true, "TPS1", "120.00", "1"]
    ])
  })

  it("counts a foreign currency in euros, and states the VAT of a document abroad in euros", () => {
    const dollars = { currency: "USD", exchange_rate: 0.923456 }
    const { content } = transactions(
      { tax_breakdown: [tax(20, 10_001)], ...dollars },
      {
        tax_breakdown: [tax(20, 10_001)],
        ...dollars,
        customer: { name: "Zoë Inc.", country: "US", tax_number: "12-3" }
      }
    )
    const xml = written(content)
    expect(brokenByReports([xml])).toEqual([])
    expect(xml).toContain("<TaxExclusiveAmount>92.35</TaxExclusiveAmount><TaxTotal>18.47</TaxTotal>")
    expect(xml).toContain("<CurrencyCode>USD</CurrencyCode>")
    expect(xml).toContain(
      '<TaxExclusiveAmount>100.01</TaxExclusiveAmount><TaxAmount CurrencyCode="EUR">18.47</TaxAmount>'
    )
    expect(xml).toContain('<CompanyId schemeId="0227">USZOEINC</CompanyId>')
  })

  it("leaves out what articles 261 to 261 E exempt, and names what it cannot state", () => {
    expect(transactions({ tax_breakdown: [exempt("VATEX-EU-132-1I")] })).toMatchObject({
      content: { invoices: [], daily: [] },
      problems: []
    })
    const small = transactions({ tax_breakdown: [exempt("VATEX-FR-FRANCHISE")] }).content
    expect(written(small)).toContain("<CategoryCode>TPS1</CategoryCode><TaxExclusiveAmount>50.00</TaxExclusiveAmount>")
    const reasons = transactions(
      { tax_breakdown: [exempt()] },
      { tax_breakdown: [exempt("VATEX-EU-F")] },
      { tax_breakdown: [tax(21, 5_000)] },
      { tax_breakdown: [tax(20, 5_000)], operation_nature: null },
      { tax_breakdown: [tax(20, 5_000)], currency: "USD" },
      { tax_breakdown: [tax(0, 5_000, { category: "K" })], customer: { name: "X", country: "ES" } },
      { tax_breakdown: [tax(20, 5_000)], customer: german, number: "F#1" }
    ).problems.map(({ reason }) => reason)
    expect(reasons).toEqual([
      "The tax rate names no exemption code.",
      "The margin of a supply under the margin scheme is not known.",
      "France has no rate of 21 %.",
      "The document does not say whether it is for services.",
      "The document has no exchange rate.",
      "The business has no VAT identifier.",
      "A report may not state the number F#1."
    ])
  })

  it("is every payment for services by rate, but none for goods or what is not taxed in France", () => {
    const both = { tax_breakdown: [tax(20, 10_000), tax(5.5, 10_000)] }
    const { content, problems } = paymentsOf(
      [
        payment(100, both),
        payment(122.75, both),
        payment(50, { ...both, customer: german, number: "F-7" }, "2026-03-21"),
        payment(60, { tax_breakdown: [tax(0, 6_000, { category: "AE" })], customer: german }),
        payment(60, { tax_breakdown: [tax(20, 5_000)], operation_nature: "goods" })
      ],
      reporter
    )
    expect(problems).toEqual([])
    const xml = written(content)
    expect(brokenByReports([xml])).toEqual([])
    expect(xml).toContain(
      "<Transactions><Payment><Date>20260320</Date>" +
        "<SubTotals><TaxPercent>20</TaxPercent><CurrencyCode>EUR</CurrencyCode><Amount>118.54</Amount></SubTotals>" +
        "<SubTotals><TaxPercent>5.5</TaxPercent><CurrencyCode>EUR</CurrencyCode><Amount>104.21</Amount></SubTotals>"
    )
    expect(xml).toContain("<InvoiceID>F-7</InvoiceID><IssueDate>20260305</IssueDate><Payment><Date>20260321</Date>")
    expect(xml.match(/<Payment>/g)).toHaveLength(2)
  })
})

const day = (text: string) => Day.make(text)

const ended = (
  regime: VatRegime,
  kind: ReportContent["kind"],
  today: string,
  from = "2026-01-01",
  changes: ReadonlyArray<Regimes[0]> = []
) =>
  periodsToReport({ regimes: [{ since: day(from), regime }, ...changes], kind, from: day(from) }, day(today)).map(
    (each) => Object.values(each).join(" ")
  )

const changed = (from: string, regime: VatRegime, since: string, later: VatRegime, today: string) =>
  ended(regime, "transactions", today, from, [{ since: day(since), regime: later }])

describe("the periods", () => {
  it("are ten days, a month or two months long, and leave three days before their deadline", () => {
    expect(ended("normal_monthly", "transactions", "2026-03-07")).toEqual([
      "2026-01-01 2026-01-10 2026-01-20",
      "2026-01-11 2026-01-20 2026-01-31",
      "2026-01-21 2026-01-31 2026-02-10",
      "2026-02-01 2026-02-10 2026-02-20",
      "2026-02-11 2026-02-20 2026-02-28",
      "2026-02-21 2026-02-28 2026-03-10"
    ])
    expect(ended("normal_monthly", "payments", "2026-02-06")).toEqual([])
    expect(ended("normal_monthly", "payments", "2026-02-07")).toEqual(["2026-01-01 2026-01-31 2026-02-10"])
    expect(ended("normal_quarterly", "transactions", "2026-02-07")).toEqual(["2026-01-01 2026-01-31 2026-02-10"])
    expect(ended("simplified", "transactions", "2026-02-25")).toEqual(["2026-01-01 2026-01-31 2026-02-28"])
    expect(ended("simplified", "payments", "2025-01-27", "2024-12-01")).toEqual(["2024-12-01 2024-12-31 2025-01-30"])
    expect(ended("franchise", "transactions", "2026-05-27")).toEqual([
      "2026-01-01 2026-02-28 2026-03-30",
      "2026-03-01 2026-04-30 2026-05-30"
    ])
  })

  it("begin where the ones of another regime ended", () => {
    expect(ended("simplified", "transactions", "2026-02-27", "2026-01-11")).toEqual([
      "2026-01-11 2026-01-31 2026-02-28"
    ])
  })

  it("keep the regime under which they ended, though their reports are not due yet", () => {
    expect(changed("2025-12-21", "normal_monthly", "2026-01-02", "franchise", "2026-03-27")).toEqual([
      "2025-12-21 2025-12-31 2026-01-10",
      "2026-01-01 2026-02-28 2026-03-30"
    ])
    expect(changed("2026-03-01", "franchise", "2026-05-01", "normal_monthly", "2026-05-27")).toEqual([
      "2026-03-01 2026-04-30 2026-05-30",
      "2026-05-01 2026-05-10 2026-05-20"
    ])
  })

  it("follow a change while they run, unless this would make their reports overdue", () => {
    expect(changed("2026-01-01", "normal_monthly", "2026-01-05", "franchise", "2026-03-27")).toEqual([
      "2026-01-01 2026-02-28 2026-03-30"
    ])
    expect(changed("2026-03-01", "franchise", "2026-03-15", "normal_monthly", "2026-03-28")).toEqual([
      "2026-03-01 2026-03-10 2026-03-20",
      "2026-03-11 2026-03-20 2026-03-31"
    ])
    expect(changed("2026-03-01", "franchise", "2026-04-15", "normal_monthly", "2026-05-27")).toEqual([
      "2026-03-01 2026-04-30 2026-05-30",
      "2026-05-01 2026-05-10 2026-05-20"
    ])
  })

  it("follow each of several changes", () => {
    const changes = [
      { since: day("2026-01-12"), regime: "franchise" },
      { since: day("2026-01-13"), regime: "simplified" }
    ] as const
    expect(ended("normal_monthly", "transactions", "2026-03-27", "2026-01-01", changes)).toEqual([
      "2026-01-01 2026-01-10 2026-01-20",
      "2026-01-11 2026-01-31 2026-02-28",
      "2026-02-01 2026-02-28 2026-03-30"
    ])
  })
})
