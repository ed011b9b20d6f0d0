import { BigDecimal, Schema } from "effect"
import type { TaxGroup } from "../../../src/billing/lines/Tax.ts"
import type { PrintedItem } from "../../../src/billing/printing/DocumentPdf.ts"
import type { PrintedInvoice } from "../../../src/billing/printing/documents/InvoicePdfDocument.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { TaxRateId } from "../../../src/kernel/Ids.ts"

export const day = Schema.decodeSync(Day)
export const decimal = BigDecimal.fromStringUnsafe

export const organization = {
  name: "Atelier Nord BV",
  address_line1: "Nieuwbrug 14",
  address_line2: null,
  postal_code: "9000",
  city: "Gent",
  state: null,
  country: "BE",
  contact_name: null,
  contact_email: "hello@ateliernord.example",
  contact_phone: "+32 9 555 01 23",
  website: "www.ateliernord.example",
  tax_number: "BE0202239951",
  registration_number: "0202.239.951",
  legal_form: "Besloten vennootschap",
  currency: CurrencyCode.make("EUR"),
  register_court: null,
  share_capital: null,
  managing_directors: null,
  national_tax_number: null,
  late_payment_penalty: null,
  early_payment_discount: null,
  language: "nl",
  iban: "BE71096123456769",
  bic: "GKCCBEBB",
  logo: null,
  brand_color: null,
  document_footer: null,
  it_tax_regime: null
}

export const customer = {
  name: "Beta Publishing GmbH",
  address_line1: "Friedrichstraße 123",
  address_line2: null,
  postal_code: "10117",
  city: "Berlin",
  state: null,
  country: "DE",
  tax_number: "DE123456789",
  language: "en"
}

export const item = (description: string, changes: Partial<PrintedItem> = {}): PrintedItem => ({
  description,
  quantity: decimal("3"),
  unit: "HUR",
  unit_price: decimal("19.99"),
  discount: decimal("0"),
  discount_type: "percent",
  line_total: decimal("59.97"),
  tax_rates: [{ rate: decimal("21") }],
  ...changes
})

export const taxed = (changes: Partial<TaxGroup>): TaxGroup => ({
  tax_rate_id: TaxRateId.make(1),
  name: "VAT 21%",
  rate: decimal("21"),
  category: "S",
  taxable_amount: decimal("100"),
  tax_amount: decimal("21"),
  ...changes
})

export const invoice = (changes: Partial<PrintedInvoice> = {}): PrintedInvoice => ({
  number: "INV-2026-0042",
  status: "sent",
  draft_reference: "DRAFT-17",
  issue_date: day("2026-03-01"),
  due_date: day("2026-03-31"),
  currency: CurrencyCode.make("EUR"),
  items: [item("Café Zürich – 東京 – שלום")],
  subtotal: decimal("1059.97"),
  discount_total: decimal("0"),
  rounding_adjustment: decimal("0"),
  total: decimal("1282.56"),
  exchange_rate: null,
  tax_breakdown: [taxed({ name: "BTW 21%", taxable_amount: decimal("1059.97"), tax_amount: decimal("222.59") })],
  prepaid_amount: decimal("0"),
  amount_paid: decimal("0"),
  amount_credited: decimal("0"),
  amount_refunded: decimal("0"),
  balance_due: decimal("1282.56"),
  refundable_amount: decimal("0"),
  payment_reference: "+++020/2600/04222+++",
  notes: null,
  terms: null,
  ...changes
})
