import { DateTime, Schema } from "effect"
import { DatedReceipt, DatedSale } from "../../../../src/billing/sales/DatedSale.ts"
import type { ReportContent } from "../../../../src/einvoicing/france/reporting/ReportContent.ts"
import { reportDocument } from "../../../../src/einvoicing/france/reporting/ReportDocument.ts"
import type { Reporter } from "../../../../src/einvoicing/france/reporting/ReportedSales.ts"
import { Day } from "../../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../../src/kernel/Currency.ts"

export const reporter: Reporter = {
  vat_on_debits: "no",
  usual_nature: null,
  purchases: null,
  seller: { identifier: { scheme: "0002", value: "732829320" }, vat_identifier: "FR44732829320", country: "FR" },
  currency: CurrencyCode.make("EUR")
}

export const readSale = Schema.decodeUnknownSync(DatedSale)
export const readReceipt = Schema.decodeUnknownSync(DatedReceipt)

interface Tax {
  readonly rate: number
  readonly category: string
  readonly taxable_amount: number
  readonly tax_amount: number
  readonly country?: string
  readonly exemption_code?: string
}

export const tax = (rate: number, taxable: number, of: object = {}): Tax => ({
  rate,
  category: rate === 0 ? "Z" : "S",
  taxable_amount: taxable / 100,
  tax_amount: Math.round((taxable * rate) / 100) / 100,
  ...of
})

export const consumer = { name: "Jean Martin", country: "FR" }
export const german = { name: "Müller GmbH", country: "DE", tax_number: "DE123456788" }

export const saleOf = (of: { tax_breakdown: ReadonlyArray<Tax>; customer?: object } & Record<string, unknown>) => ({
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

export const written = (content: ReportContent, start = "2026-03-01", end = "2026-03-31") =>
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
