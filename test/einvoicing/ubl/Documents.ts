import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import { price, type ResolvedItem } from "../../../src/billing/lines/Totals.ts"
import { TaxRate } from "../../../src/billing/lines/Tax.ts"
import { einvoiceOf, type Exchange, type SourceDocument } from "../../../src/einvoicing/sources/FromDocument.ts"
import { en16931, peppolBilling } from "../../../src/einvoicing/invoice/Profiles.ts"
import { Day } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { CustomerId } from "../../../src/kernel/Ids.ts"
import { customer, organization } from "../../support/files/PrintedInvoices.ts"

export const decimal = BigDecimal.fromStringUnsafe
export const day = Schema.decodeSync(Day)
export const customer_id = CustomerId.make(9)
const euro = CurrencyCode.make("EUR")

export const rate = (percent: string, category: TaxRate["category"] = "S", id = 1): TaxRate =>
  Schema.decodeSync(TaxRate)({ id, name: `${percent}%`, rate: percent, category })

export const item = (changes: Partial<ResolvedItem> = {}): ResolvedItem => ({
  description: "Consulting",
  quantity: decimal("1"),
  unit: "HUR",
  unit_price: decimal("100"),
  discount: decimal("0"),
  discount_type: "percent",
  tax_exempt: false,
  tax_exemption_reason: null,
  tax_rates: [rate("21")],
  ...changes
})
export const exempt = (reason: ResolvedItem["tax_exemption_reason"]) =>
  item({ tax_exempt: true, tax_exemption_reason: reason, tax_rates: [] })

/** Values of the optional fields when none is set. */
const undetailed = {
  delivery: null,
  delivery_address: null,
  purchase_order: null,
  buyer_reference: null,
  contract_reference: null,
  project_reference: null,
  operation_nature: null,
  corrective_cause: null,
  payment_means: null,
  payee: null,
  attachments: []
} as const

const terms = {
  ...undetailed,
  kind: "invoice" as const,
  number: "INV-2026-0042",
  issue_date: day("2026-03-01"),
  due_date: day("2026-03-31"),
  type_code: "380",
  currency: euro,
  exchange_rate: null,
  rounding_adjustment: decimal("0"),
  paid: decimal("0"),
  payment_reference: "+++020/2600/04222+++",
  notes: null,
  terms: null,
  preceding_invoice: null
}

/** An invoice whose lines are priced as the service prices them. */
export const document = (
  items: ReadonlyArray<ResolvedItem>,
  changes: Partial<SourceDocument> = {}
): SourceDocument => ({
  ...terms,
  ...price(items, changes.currency ?? euro),
  ...changes
})

export const credit = (items: ReadonlyArray<ResolvedItem>, changes: Partial<SourceDocument> = {}) =>
  document(items, {
    kind: "credit_note",
    number: "CN-2026-0001",
    due_date: null,
    type_code: "381",
    payment_reference: null,
    preceding_invoice: { number: "INV-2026-0042", issue_date: day("2026-03-01") },
    ...changes
  })

export const exchange = (changes: Partial<Exchange> = {}): Exchange => ({
  profile: peppolBilling,
  sender: { scheme: "0208", value: "0202239951" },
  recipient: { scheme: "9930", value: "DE136695976", country_code: "DE" },
  ...changes
})

export const parties = (changes: { readonly customer?: object; readonly organization?: object } = {}) => ({
  customer: { ...customer, tax_number: "DE136695976", ...changes.customer },
  organization: { ...organization, ...changes.organization }
})

export const einvoice = (source: SourceDocument, between = parties(), how = exchange(), accounting = euro) =>
  einvoiceOf(source, between, how, accounting)

const digits = (integers: number, fractions: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: 10 ** integers }), fc.integer({ min: 0, max: 10 ** fractions - 1 }))
    .map(([whole, part]) => decimal(`${whole}.${String(part).padStart(fractions, "0")}`))

const taxes = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(rate("21"), rate("6", "S", 2), rate("21", "S", 3), rate("5.5", "S", 4)) },
  fc.constantFrom(rate("0", "Z", 5), rate("0", "E", 6), rate("0", "S", 7), rate("0", "K", 8))
)

const texts = fc.oneof(
  fc.constantFrom("Work & <material>", "Überraschung\r\nzweite Zeile", "東京 – שלום", 'a "quoted" ]]> text'),
  fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).map((text) => `x${text}`)
)

const anyItem: fc.Arbitrary<ResolvedItem> = fc
  .record({
    description: texts,
    quantity: fc.oneof(fc.constant(decimal("1")), digits(3, 2), digits(1, 6)),
    unit: fc.constantFrom("HUR", "C62", "KGM", "XBX", "DAY", "ZZ9"),
    unit_price: fc.oneof(digits(4, 2), digits(2, 6), digits(2, 2).map(BigDecimal.negate)),
    discount: fc.oneof(fc.constant(decimal("0")), digits(1, 2), fc.constant(decimal("100"))),
    discount_type: fc.constantFrom("percent" as const, "amount" as const),
    rates: fc.oneof({ weight: 8, arbitrary: taxes.map((one) => [one]) }, fc.tuple(taxes, taxes), fc.constant([])),
    exempt: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      fc.constantFrom("E" as const, "AE" as const, "K" as const, "G" as const, "O" as const)
    )
  })
  .map(({ exempt, rates, ...asked }) => ({
    ...asked,
    quantity: BigDecimal.isZero(asked.quantity) ? decimal("1") : asked.quantity,
    tax_exempt: exempt !== null,
    tax_exemption_reason: exempt,
    tax_rates: exempt === null ? rates : []
  }))

const country = fc.constantFrom(
  { country: "BE", tax_number: "BE0202239951", registration_number: "0202.239.951" },
  { country: "DE", tax_number: "DE136695976", registration_number: "HRB 12345" },
  { country: "NL", tax_number: "NL004495445B01", registration_number: "17001910" },
  { country: "SE", tax_number: "SE556036079301", registration_number: "556036-0793" },
  { country: "DK", tax_number: "DK13585628", registration_number: "13585628" },
  { country: "FR", tax_number: "FR40303265045", registration_number: "732 829 320" },
  { country: "IT", tax_number: "IT00743110157", registration_number: null },
  { country: "NO", tax_number: "NO923609016MVA", registration_number: "923609016" },
  { country: "US", tax_number: "12-3456789", registration_number: "12-3456789" },
  { country: "FI", tax_number: "FI20774740", registration_number: "2077474-0" },
  { country: "BE", tax_number: null, registration_number: null },
  { country: "NL", tax_number: "4495445", registration_number: "1" }
)

const recipient = fc.constantFrom(
  { scheme: "0208", value: "0202239951" },
  { scheme: "0208", value: "0202239952" },
  { scheme: "0088", value: "5412345000013" },
  { scheme: "0106", value: "17001910" },
  { scheme: "0204", value: "04011000-1234512345-06" },
  { scheme: "0216", value: "003720774740" },
  { scheme: "0212", value: "2077474-0" },
  { scheme: "9999", value: "1" },
  { scheme: "", value: "x" },
  { scheme: "0208", value: "" }
)

const place = fc.constantFrom(
  {},
  {},
  { address_line2: "Floor 2", state: "North" },
  { city: null, postal_code: null },
  { address_line1: null },
  { country: null }
)

/** Any document and parties that a client can send, with and without mistakes. */
export const anyEinvoice = fc
  .record({
    kind: fc.constantFrom("invoice" as const, "invoice" as const, "credit_note" as const),
    items: fc.array(anyItem, { minLength: 1, maxLength: 6 }),
    currency: fc
      .constantFrom("EUR", "EUR", "EUR", "EUR", "USD", "SEK", "JPY", "BHD")
      .map((code) => CurrencyCode.make(code)),
    exchange_rate: fc.constantFrom(null, decimal("0.92"), decimal("11.5")),
    rounding_adjustment: fc.constantFrom(decimal("0"), decimal("0"), decimal("0.01"), decimal("-0.02")),
    notes: fc.oneof(fc.constant(null), fc.constant("   "), texts),
    delivery: fc.constantFrom(null, { date: day("2026-02-27") }, { start: day("2026-02-01"), end: day("2026-02-28") }),
    paid: fc.constantFrom(decimal("0"), decimal("0"), decimal("1"), decimal("1000000")),
    profile: fc.constantFrom(peppolBilling, peppolBilling, en16931),
    terms: fc.oneof(
      fc.constant(null),
      fc.constant("30 days"),
      fc.constantFrom("#SKONTO", "#SKONTO#TAGE=14#PROZENT=2.25#")
    ),
    payment_reference: fc.constantFrom(null, "RF73INV20260042"),
    type_code: fc.constantFrom("381", "381", "381", "396", "261"),
    sender: fc.constantFrom({ scheme: "0208", value: "0202239951" }, { scheme: "0208", value: "0202239951" }, null),
    recipient,
    seller: country,
    seller_place: place,
    buyer: country,
    buyer_place: place,
    iban: fc.constantFrom("BE71096123456769", null),
    contact_phone: fc.constantFrom("+32 9 555 01 23", null)
  })
  .map(({ buyer, buyer_place, items, kind, seller, seller_place, ...given }) => {
    const { contact_phone, currency, delivery, exchange_rate, iban, notes, profile, recipient, sender, terms } = given
    const common = { currency, delivery, exchange_rate, notes, terms }
    const source =
      kind === "invoice"
        ? document(items, { ...common, paid: given.paid, payment_reference: given.payment_reference })
        : credit(items, { ...common, type_code: given.type_code })
    const rounded =
      currency === "EUR"
        ? {
            rounding_adjustment: given.rounding_adjustment,
            total: BigDecimal.sum(source.total, given.rounding_adjustment)
          }
        : {}
    return einvoice(
      { ...source, ...rounded },
      parties({
        customer: { ...buyer, ...buyer_place },
        organization: { ...seller, ...seller_place, iban, contact_phone }
      }),
      { profile, sender, recipient: { ...recipient, country_code: null } }
    )
  })
  // The total of an invoice or a credit note may not be negative (rules/invoices.md, Lines).
  .filter(({ totals }) => !BigDecimal.isNegative(totals.payable))
