import { BigDecimal, Schema } from "effect"
import { TaxRate } from "../../src/billing/lines/Tax.ts"
import { price, type ResolvedItem } from "../../src/billing/lines/Totals.ts"
import type { EInvoice } from "../../src/einvoicing/invoice/EInvoice.ts"
import { einvoiceOf, type SourceDocument } from "../../src/einvoicing/invoice/FromDocument.ts"
import { en16931, peppolBilling, type Profile } from "../../src/einvoicing/invoice/Profiles.ts"
import { Day } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { customer, organization } from "../../test/support/PrintedInvoices.ts"
import type { Random } from "../Random.ts"
import { type Business, businesses } from "./Businesses.ts"

/** One document of random parties in both forms, each under the specification that the service writes it by. */
interface RandomDocument {
  readonly name: string
  readonly countries: string
  readonly ubl: EInvoice
  readonly cii: EInvoice
}

const decimal = BigDecimal.fromStringUnsafe
const day = Schema.decodeSync(Day)
const euro = CurrencyCode.make("EUR")
const flawed_share = 0.35

export const randomDocument = (random: Random, index: number): RandomDocument => {
  const seller = random.pick(businesses)
  const buyer = random.chance(0.4) ? seller : random.pick(businesses)
  const flaw = random.chance(flawed_share) ? random.pick(flaws) : {}
  const source = sourceOf(random, seller, buyer, flaw, index)
  const parties = {
    customer: { ...customer, ...placeOf(random, buyer), name: random.pick(names), ...flaw.customer },
    organization: { ...organization, ...placeOf(random, seller), iban: "BE71096123456769", ...flaw.organization }
  }
  const addressed = { sender: seller.address, recipient: { ...buyer.address, country_code: null, ...flaw.recipient } }
  const under = (profile: Profile) => einvoiceOf(source, parties, { profile, ...addressed }, seller.currency)
  return {
    name: `${String(index).padStart(5, "0")}-${seller.country}-${buyer.country}`,
    countries: `${seller.country}-${buyer.country}`,
    ubl: under(peppolBilling),
    cii: under(en16931)
  }
}

const names = ["Beta Publishing GmbH", "Müller & Söhne <KG>", 'Ł\'Entreprise "Été"', "東京 Ltd", "A\u0007B NV"]

const placeOf = (random: Random, { country, registration_number, tax_number }: Business) => ({
  country,
  tax_number,
  registration_number,
  address_line1: "Main street 1",
  address_line2: random.chance(0.2) ? "Floor 2" : null,
  city: "Somewhere",
  postal_code: "12345",
  state: random.chance(0.1) ? "North" : null
})

/** What makes a document break a rule, or look as if it did. */
interface Flaw {
  readonly customer?: object
  readonly organization?: object
  readonly recipient?: { readonly scheme?: string; readonly value?: string }
  readonly item?: Partial<ResolvedItem>
  readonly document?: Partial<SourceDocument>
}

const flaws: ReadonlyArray<Flaw> = [
  { organization: { tax_number: null } },
  { organization: { tax_number: null, registration_number: null } },
  { organization: { iban: null } },
  { organization: { iban: null }, document: { payment_reference: null } },
  { organization: { contact_phone: null } },
  { organization: { contact_email: null, contact_phone: null } },
  { organization: { city: null } },
  { organization: { address_line1: null } },
  { organization: { postal_code: null } },
  { organization: { registration_number: "X 1" } },
  { organization: { legal_form: null, registration_number: null } },
  { customer: { tax_number: null } },
  { customer: { tax_number: "12345" } },
  { customer: { city: null, postal_code: null } },
  { customer: { address_line1: null } },
  { customer: { country: null } },
  { recipient: { scheme: "0212", value: "2077474-0" } },
  { recipient: { scheme: "0193", value: "BE1234" } },
  { recipient: { scheme: "0088", value: "5412345000014" } },
  { recipient: { scheme: "0246", value: "DE136695976" } },
  { item: { unit: "ZZ9" } },
  { item: { unit: "XPK" } },
  { item: { unit_price: decimal("0") } },
  { item: { unit_price: decimal("0.004"), quantity: decimal("3") } },
  { document: { notes: "  " } },
  { document: { terms: "#SKONTO" } },
  { document: { terms: "#SKONTO#TAGE=14#PROZENT=2.25#" } },
  { document: { terms: "Pay #1 now" } },
  { document: { delivery: null } },
  { document: { number: "" } },
  { document: { payment_reference: null } }
]

const sourceOf = (random: Random, seller: Business, buyer: Business, flaw: Flaw, index: number): SourceDocument => {
  const currency = random.pick([seller.currency, seller.currency, ...currencies])
  const items = itemsOf(random, seller, buyer, flaw)
  const isCredit = random.chance(0.3)
  const priced = positive(items, currency)
  const delivery = random.pick([
    { date: day("2026-10-15") },
    { start: day("2026-10-01"), end: day("2026-10-31") },
    ...(priced.tax_breakdown.some(({ category }) => category === "K") ? [] : [null])
  ])
  return {
    kind: isCredit ? "credit_note" : "invoice",
    number: `R-${index}`,
    issue_date: day("2026-11-01"),
    due_date: isCredit ? null : day("2026-12-01"),
    type_code: isCredit ? random.pick(["381", "381", "396", "83"]) : "380",
    currency,
    exchange_rate: currency === seller.currency ? null : random.pick([decimal("0.91735"), decimal("11.4"), null]),
    ...priced,
    ...roundingOf(random, priced.total, currency, isCredit),
    paid: isCredit || random.chance(0.7) ? decimal("0") : random.pick([decimal("1"), priced.total]),
    delivery,
    payment_reference: isCredit ? null : random.pick([null, "RF18539007547034", "+++020/2600/04222+++"]),
    notes: random.pick([null, "Thank you", "Grüße & <Dank>\r\nzweite Zeile 😀"]),
    terms: isCredit ? null : random.pick([null, "30 days net"]),
    preceding_invoice: isCredit ? { number: "R-0", issue_date: day("2026-09-01") } : null,
    ...flaw.document
  }
}

const currencies = ["EUR", "USD", "GBP", "SEK", "JPY", "XCG"].map((code) => CurrencyCode.make(code))

/** A document that comes to less than nothing is refused when it is made, long before it is an e-invoice. */
const positive = (items: ReadonlyArray<ResolvedItem>, currency: CurrencyCode) => {
  const priced = price(items, currency)
  if (!BigDecimal.isNegative(priced.total)) return priced
  return price(
    items.map((item) => ({ ...item, unit_price: BigDecimal.abs(item.unit_price), discount: decimal("0") })),
    currency
  )
}

const roundingOf = (random: Random, total: BigDecimal.BigDecimal, currency: CurrencyCode, isCredit: boolean) => {
  const isRounded = currency === euro && !isCredit && random.chance(0.1)
  const rounding_adjustment = decimal(isRounded ? "0.02" : "0")
  return { rounding_adjustment, total: BigDecimal.sum(total, rounding_adjustment) }
}

const rate = (id: number, percent: string, category: TaxRate["category"]): TaxRate =>
  Schema.decodeSync(TaxRate)({ id, name: `${percent} %`, rate: percent, category })

const itemsOf = (random: Random, seller: Business, buyer: Business, flaw: Flaw): ReadonlyArray<ResolvedItem> => {
  const taxes = taxesBetween(random, seller, buyer)
  const lines_max = random.chance(0.02) ? 200 : 6
  return Array.from({ length: random.whole(1, lines_max) }, (_, index) => ({
    ...itemOf(random, random.pick(taxes)),
    ...(index === 0 ? flaw.item : {})
  }))
}

type Taxed = Pick<ResolvedItem, "tax_exempt" | "tax_exemption_reason" | "tax_rates">

const bearing = (percent: string, category: TaxRate["category"], id = 0): Taxed => ({
  tax_exempt: false,
  tax_exemption_reason: null,
  tax_rates: [rate(Number(percent) * 100 + category.charCodeAt(0) + id, percent, category)]
})
const exempt = (reason: ResolvedItem["tax_exemption_reason"]): Taxed => ({
  tax_exempt: true,
  tax_exemption_reason: reason,
  tax_rates: []
})

const taxesBetween = (random: Random, seller: Business, buyer: Business): ReadonlyArray<Taxed> => {
  if (random.chance(0.08)) return [exempt("O")]
  // An organization may have two rates of one percentage, whose tax is rounded once.
  const standard = seller.rates.flatMap((percent) => [bearing(percent, "S"), bearing(percent, "S", 1)])
  const domestic = [...standard, bearing("0", "Z"), exempt("E")]
  if (seller.country === buyer.country || random.chance(0.2)) return domestic
  const isExport = seller.country === "NO" || buyer.country === "NO"
  return isExport ? [exempt("G")] : random.pick([[exempt("K")], [exempt("AE")], [bearing("0", "K"), exempt("AE")]])
}

const itemOf = (random: Random, taxed: Taxed): ResolvedItem => ({
  description: random.pick(["Work", "Überraschung\nzweite Zeile", `a "b" & <c> ]]>`, "東京 – שלום", "Tab\there"]),
  quantity: decimal(random.pick(["1", "3", random.code("#.###"), random.code("##.##")]).replace(/^0\.?0*$/, "1")),
  unit: random.pick(["C62", "HUR", "DAY", "KGM", "LS"]),
  unit_price: decimal(
    `${random.chance(0.1) ? "-" : ""}${random.pick([random.code("1##.##"), random.code("#.####"), "100"])}`
  ),
  ...random.pick([
    { discount: decimal("0"), discount_type: "percent" as const },
    { discount: decimal("0"), discount_type: "amount" as const },
    { discount: decimal(random.code("#.##")), discount_type: "percent" as const },
    { discount: decimal("0.50"), discount_type: "amount" as const }
  ]),
  ...taxed
})
