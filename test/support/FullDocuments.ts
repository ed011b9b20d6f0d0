import { Schema } from "effect"
import type { PrintedCreditNote } from "../../src/billing/credit-notes/CreditNotePdfDocument.ts"
import { price } from "../../src/billing/lines/Totals.ts"
import type { quotePdf } from "../../src/billing/quotes/QuotePdfDocument.ts"
import { Day, Timestamp } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { TaxRateId } from "../../src/kernel/Ids.ts"
import { decimal, invoice } from "./PrintedInvoices.ts"

const day = Schema.decodeSync(Day)
const timestamp = Schema.decodeSync(Timestamp)
const dollar = CurrencyCode.make("USD")
const standard = { id: TaxRateId.make(1), name: "Xq 21%", rate: decimal("21"), category: "S" as const }

/** One line of every tax category, in a foreign currency; the users' texts are words of no language. */
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
  dollar
)

const document = { ...lines, currency: dollar, exchange_rate: decimal("0.9137"), notes: "Xq", terms: "Xq" }

/** Documents that have every row that a page can have. */
export const fullInvoice = invoice({
  ...document,
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
  original_invoice: { number: "INV-2026-0042", issue_date: day("2026-03-01") }
}

export const fullQuote: Parameters<typeof quotePdf>[0]["quote"] = {
  ...document,
  number: "Q-2026-0003",
  draft_reference: "DRAFT-17",
  status: "sent",
  issue_date: day("2026-03-01"),
  valid_until: day("2026-03-31")
}
