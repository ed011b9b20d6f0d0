import { DateTime, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Random } from "../../../scripts/Random.ts"
import { DatedReceipt, DatedSale } from "../../../src/billing/sales/DatedSale.ts"
import { periodsToReport } from "../../../src/einvoicing/france/reporting/Periods.ts"
import type { ReportContent } from "../../../src/einvoicing/france/reporting/ReportContent.ts"
import { reportDocument } from "../../../src/einvoicing/france/reporting/ReportDocument.ts"
import { paymentsOf, type Reporter, transactionsOf } from "../../../src/einvoicing/france/reporting/ReportedSales.ts"
import type { VatRegime } from "../../../src/einvoicing/providers/Provider.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { brokenByReports } from "./OfficialReports.ts"

const reporter: Reporter = {
  isDueOnInvoice: false,
  usual_nature: null,
  seller: { identifier: { scheme: "0002", value: "732829320" }, vat_identifier: "FR44732829320", country: "FR" },
  currency: CurrencyCode.make("EUR")
}

const readSale = Schema.decodeUnknownSync(DatedSale)
const readReceipt = Schema.decodeUnknownSync(DatedReceipt)

interface Tax {
  readonly rate: number
  readonly category: string
  readonly taxable_amount: number
  readonly tax_amount: number
  readonly country?: string
  readonly exemption_code?: string
}

const tax = (rate: number, taxable: number, of: object = {}): Tax => ({
  rate,
  category: rate === 0 ? "Z" : "S",
  taxable_amount: taxable / 100,
  tax_amount: Math.round((taxable * rate) / 100) / 100,
  ...of
})

const consumer = { name: "Jean Martin", country: "FR" }
const german = { name: "Müller GmbH", country: "DE", tax_number: "DE123456788" }

const saleOf = (of: { tax_breakdown: ReadonlyArray<Tax>; customer?: object } & Record<string, unknown>) => ({
  kind: "invoice",
  id: 1,
  number: "F-1",
  issue_date: "2026-03-05",
  due_date: "2026-04-04",
  type_code: null,
  currency: "EUR",
  exchange_rate: null,
  operation_nature: "services",
  original: null,
  identifiers: { tax_number: null, scheme: null, value: null },
  ...of,
  customer: of.customer ?? consumer,
  tax_breakdown: of.tax_breakdown.map((group) => ({ tax_rate_id: null, name: "TVA", ...group }))
})

const transactions = (...sales: ReadonlyArray<Parameters<typeof saleOf>[0]>) =>
  transactionsOf(
    sales.map((sale) => readSale(saleOf(sale))),
    reporter
  )

const payment = (received: number, sale: Parameters<typeof saleOf>[0], received_on = "2026-03-20") =>
  readReceipt({ received, received_on, sale: saleOf(sale) })

const written = (content: ReportContent, start = "2026-03-01", end = "2026-03-31") =>
  reportDocument(
    {
      id: "0f1c1a52-6c2b-4a36-9a4e-0d4f3e9f2b11",
      at: DateTime.makeUnsafe("2026-04-07T08:30:00Z"),
      type: "IN",
      platform: "PA01",
      declarant: { siren: "732829320", name: "ACME & Fils" }
    },
    { start: Day.make(start), end: Day.make(end) },
    content
  )

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
    const exempt = (exemption_code?: string) =>
      tax(0, 5_000, { category: "E", ...(exemption_code === undefined ? {} : { exemption_code }) })
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
      "The customer has no VAT identifier.",
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

describe("the periods", () => {
  const ended = (regime: VatRegime, kind: ReportContent["kind"], today: string, from = "2026-01-01") =>
    periodsToReport({ regime, kind, from: Day.make(from) }, Day.make(today)).map((each) =>
      Object.values(each).join(" ")
    )

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
})

const months = 200

/** Half away from zero, with whole numbers alone. */
const rounded = (value: bigint, divisor: bigint) =>
  value < 0n ? -((-value + divisor / 2n) / divisor) : (value + divisor / 2n) / divisor
const centsOf = (amount: number) => BigInt(Math.round(amount * 100))
const millionths = (rate: number) => BigInt(Math.round(rate * 1_000_000))

describe(`${months} random months`, () => {
  it("have valid reports, whose amounts are the sums over the documents", { timeout: 120_000 }, () => {
    const random = new Random(20_261_123)
    const reports: Array<string> = []
    for (let month = 0; month < months; month++) {
      const sums = new Map<string, bigint>()
      const add = (key: string, cents: bigint) => sums.set(key, (sums.get(key) ?? 0n) + cents)
      const sales: Array<DatedSale> = []
      const receipts: Array<DatedReceipt> = []
      const documents = random.whole(0, 40)
      for (let id = 1; id <= documents; id++) {
        const isForeign = random.chance(0.3)
        const isNote = random.chance(0.2)
        const isGerman = isForeign && random.chance(0.5)
        const [currency, exchange_rate] = random.chance(0.7)
          ? (["EUR", null] as const)
          : (["USD", random.whole(500_000, 1_500_000) / 1_000_000] as const)
        const nature = random.pick(["goods", "services", "mixed"])
        const rates = random.pick([[20], [20, 5.5], [10, 2.1, 20], [8.5]])
        const groups = rates.map((rate) => tax(rate, random.whole(1, 5_000_000)))
        const customer = isGerman ? german : isForeign ? { name: "Łódź Ltd", country: "GB", tax_number: "9" } : consumer
        const day = `2026-03-${String(random.whole(1, 31)).padStart(2, "0")}`
        const facts = saleOf({
          tax_breakdown: groups,
          customer,
          id,
          number: `F/${month}-${id}`,
          issue_date: day,
          currency,
          exchange_rate,
          operation_nature: nature,
          ...(isNote
            ? {
                kind: "credit_note",
                due_date: null,
                type_code: random.pick(["381", "396", "81"]),
                original: { number: "F-0", issue_date: "2026-01-01" }
              }
            : {})
        })
        sales.push(readSale(facts))
        const factor = exchange_rate === null ? 1_000_000n : millionths(exchange_rate)
        const euros = (amount: number) => rounded(centsOf(amount) * factor, 1_000_000n)
        if (isForeign)
          add(
            "abroad",
            groups.reduce((sum, { tax_amount }) => sum + euros(tax_amount), 0n)
          )
        else {
          const sign = isNote ? -1n : 1n
          const category = nature === "goods" ? "TLB1" : "TPS1"
          for (const { rate, tax_amount, taxable_amount } of groups) {
            add(`${day} ${category} ${rate} net`, sign * euros(taxable_amount))
            add(`${day} ${category} ${rate} tax`, sign * euros(tax_amount))
          }
        }
        if (isNote) continue
        const received = random.whole(1, 100_000) / 100
        receipts.push(readReceipt({ received, received_on: day, sale: facts }))
        if (nature !== "goods") add(`paid ${isForeign ? "abroad" : day}`, euros(received))
      }
      const sold = transactionsOf(sales, reporter)
      const paid = paymentsOf(receipts, reporter)
      expect([...sold.problems, ...paid.problems]).toEqual([])
      reports.push(written(sold.content), written(paid.content))
      expect(told(reports.slice(-2))).toEqual(new Map([...sums].filter(([, cents]) => cents !== 0n)))
    }
    expect(brokenByReports(reports)).toEqual([])
    expect(reports).toHaveLength(2 * months)
  })
})

/** Reads the sums back out of the reports of transactions and of payments. */
const told = ([transactions = "", payments = ""]: ReadonlyArray<string>): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  const add = (key: string, amount: string) => {
    const cents = BigInt(amount.replace(".", ""))
    sums.set(key, (sums.get(key) ?? 0n) + cents)
  }
  for (const [, vat = ""] of transactions.matchAll(/<TaxAmount CurrencyCode="EUR">([^<]+)</g)) add("abroad", vat)
  for (const [, date = "", category = "", rest = ""] of transactions.matchAll(
    /<Date>(\d+)<.*?<CategoryCode>(\w+)<(.*?)<\/Transactions>/g
  )) {
    const day = date.replace(/(....)(..)(..)/, "$1-$2-$3")
    for (const [, rate = "", net = "", vat = ""] of rest.matchAll(
      /<TaxPercent>([^<]+)<.*?<TaxableAmount>([^<]+)<.*?<TaxTotal>([^<]+)</g
    )) {
      add(`${day} ${category} ${rate} net`, net)
      add(`${day} ${category} ${rate} tax`, vat)
    }
  }
  const paidIn = (part: string) => Array.from(part.matchAll(/<Amount>([^<]+)</g), ([, amount = "0"]) => amount)
  for (const [invoice] of payments.matchAll(/<Invoice>.*?<\/Invoice>/g)) {
    for (const amount of paidIn(invoice)) add("paid abroad", amount)
  }
  for (const [day] of payments.matchAll(/<Transactions>.*?<\/Transactions>/g)) {
    const date = /<Date>(....)(..)(..)</.exec(day)?.slice(1).join("-") ?? ""
    for (const amount of paidIn(day)) add(`paid ${date}`, amount)
  }
  return new Map([...sums].filter(([, cents]) => cents !== 0n))
}
