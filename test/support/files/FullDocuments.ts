import { Schema } from "effect"
import type { PrintedCreditNote } from "../../../src/billing/printing/documents/CreditNotePdfDocument.ts"
import { price } from "../../../src/billing/lines/Totals.ts"
import type { quotePdf } from "../../../src/billing/printing/documents/QuotePdfDocument.ts"
import { Day, Timestamp } from "../../../src/kernel/Calendar.ts"
import { CountryCode } from "../../../src/kernel/Country.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { TaxRateId } from "../../../src/kernel/Ids.ts"
import { decimal, invoice } from "./PrintedInvoices.ts"

const day = Schema.decodeSync(Day)
const timestamp = Schema.decodeSync(Timestamp)
const dollar = CurrencyCode.make("USD")
const standard = { id: TaxRateId.make(1), name: "Xq 21%", rate: decimal("21"), category: "S" as const }

const standardTax = {
  tax_rate_ids: [],
  tax_exempt: false,
  tax_exemption_reason: null,
  exemption_code: null,
  tax_rates: [standard]
}

/** One line of every tax category, in a foreign currency; the descriptions contain words of no language. */
const lines = price(
  (["S", "Z", "E", "AE", "K", "G", "O"] as const).map((category) => ({
    description: `Xq ${category}`,
    quantity: decimal("2"),
    unit: "HUR",
    unit_price: decimal("10.05"),
    discount: decimal("10"),
    discount_type: "percent" as const,
    tax_exempt: category !== "S" && category !== "Z",
    tax_exemption_reason: category === "S" || category === "Z" ? null : category,
    tax_rates: category === "S" ? [standard] : []
  })),
  dollar,
  {
    discounts: [{ description: "Xq", amount: null, percentage: decimal("10"), ...standardTax }],
    charges: [{ description: "Xq", amount: decimal("5"), percentage: null, ...standardTax }]
  }
)

const details = {
  delivery_date: day("2026-02-27"),
  delivery_period: { start: day("2026-02-01"), end: day("2026-02-28") },
  delivery_address: {
    name: "Xq",
    address_line1: "Xq 1",
    address_line2: null,
    city: "Xq",
    state: null,
    postal_code: "1000",
    country: CountryCode.make("BE")
  },
  purchase_order: "PO-1",
  buyer_reference: "BR-2",
  contract_reference: "C-3",
  project_reference: "P-4",
  operation_nature: "mixed" as const
}
const payee = { name: "Xq", identifier: "1234", identifier_scheme: null, registration_number: null }
export const direct_debit = {
  method: "direct_debit" as const,
  mandate_reference: "MD-5",
  creditor_identifier: "BE69ZZZ050D000000008",
  debited_iban: "BE71096123456769",
  card_last_digits: null,
  card_holder: null
}

const document = { ...lines, currency: dollar, exchange_rate: decimal("0.9137"), notes: "Xq", terms: "Xq" }

/** Documents that have every row that a page can have. */
export const fullInvoice = invoice({
  ...document,
  ...details,
  payee,
  payment_means: direct_debit,
  prepaid_amount: decimal("2"),
  rounding_adjustment: decimal("0.01"),
  amount_paid: decimal("5"),
  amount_credited: decimal("4"),
  amount_refunded: decimal("3"),
  balance_due: decimal("100")
})

export const fullCreditNote: PrintedCreditNote = {
  ...document,
  number: "CN-2026-0007",
  draft_reference: "DRAFT-17",
  issue_date: day("2026-03-09"),
  created_at: timestamp("2026-03-08T10:00:00.000Z"),
  reason: "Xq",
  rounding_adjustment: decimal("0.01"),
  credit_note_type_code: "381",
  details: { ...details, corrective_cause: { code: "R4", text: "Xq" } },
  original_invoice: { number: "INV-2026-0042", issue_date: day("2026-03-01") }
}

export const fullQuote: Parameters<typeof quotePdf>[0]["quote"] = {
  ...document,
  ...details,
  payee,
  payment_means: direct_debit,
  number: "Q-2026-0003",
  draft_reference: "DRAFT-17",
  status: "sent",
  issue_date: day("2026-03-01"),
  valid_until: day("2026-03-31"),
  prepaid_amount: decimal("2")
}
