import { BigDecimal, Schema } from "effect"
import { TaxRate } from "../../src/billing/lines/Tax.ts"
import { price, type ResolvedAdjustment, type ResolvedItem } from "../../src/billing/lines/Totals.ts"
import type { EInvoice } from "../../src/einvoicing/invoice/EInvoice.ts"
import { einvoiceOf, type SourceDocument } from "../../src/einvoicing/sources/FromDocument.ts"
import {
  en16931,
  fatturaPa,
  frenchBilling,
  peppolBilling,
  type Profile,
  verifactu
} from "../../src/einvoicing/invoice/Profiles.ts"
import { Day } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { customer, organization } from "../../test/support/files/PrintedInvoices.ts"
import type { Random } from "../support/Random.ts"
import { type Business, businesses } from "./Businesses.ts"
import { file, type Flaw, flaws, italian_flaws, type Means, means, nowhere, payee } from "./Flaws.ts"
import { forOffice, latinized } from "./ItalianSources.ts"

/** A random document for UBL and for CII, with the profile that the service uses for each syntax. */
interface RandomDocument {
  readonly name: string
  readonly countries: string
  readonly ubl: EInvoice
  readonly cii: EInvoice
  /** The document under the rules of the French reform; null unless both businesses are French. */
  readonly french: EInvoice | null
  /** The document as SI-UBL 2.0, the Dutch specification (NLCIUS); null unless both businesses are Dutch. */
  readonly dutch: EInvoice | null
}

const nlcius = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0"

const decimal = BigDecimal.fromStringUnsafe
const day = Schema.decodeSync(Day)
const euro = CurrencyCode.make("EUR")
const flawed_share = 0.35
const french_share = 0.1
const domestic_share = 0.4
const latin_share = 0.9
const isInFrance = ({ country }: Business) => country === "FR"
/** Addresses in the French directory; each begins with a SIREN, the number of a French company. */
const french_addresses = {
  sender: { scheme: "0225", value: "303265045" },
  recipient: { scheme: "0225", value: "732829320_73282932000074" }
}

/** Makes a document of a seller in one of the given countries, or else in any country. */
export const randomDocument = (random: Random, index: number, sellers: ReadonlySet<string>): RandomDocument => {
  const isFree = sellers.size === 0
  const among = isFree && random.chance(french_share) ? businesses.filter(isInFrance) : businesses
  const seller = random.pick(isFree ? among : businesses.filter(({ country }) => sellers.has(country)))
  const buyer = random.chance(domestic_share) ? seller : random.pick(among)
  const flaw = random.chance(flawed_share) ? random.pick(flaws) : {}
  const source = sourceOf(random, seller, buyer, flaw, index)
  const parties = partiesOf(random, seller, buyer, flaw)
  const isFrench = isInFrance(seller) && isInFrance(buyer)
  // Peppol has several types of invoices and credit notes. SI-UBL allows only 380 (invoice) and 381 (credit note).
  const isDutch = [seller.country, buyer.country].every((code) => code === "NL") && /^38[01]$/.test(source.type_code)
  const { recipient, sender } = isFrench ? french_addresses : { sender: seller.address, recipient: buyer.address }
  const addressed = { sender, recipient: { ...recipient, country_code: null, ...flaw.recipient } }
  const under = (profile: Profile) => einvoiceOf(source, parties, { profile, ...addressed }, seller.currency)
  return {
    name: `${String(index).padStart(5, "0")}-${seller.country}-${buyer.country}`,
    countries: `${seller.country}-${buyer.country}`,
    ubl: under(peppolBilling),
    cii: under(en16931),
    french: isFrench ? under(frenchBilling) : null,
    dutch: isDutch ? under({ ...peppolBilling, customization: nlcius }) : null
  }
}

const italian_addresses = [
  { scheme: "IT:SDI", value: "M5UXCR1" },
  { scheme: "IT:PEC", value: "fatture@pec.example.it" },
  { scheme: "0211", value: "IT00743110157" }
]

const office = { scheme: "0201", value: "UFBLG1" }

interface RandomFattura {
  readonly name: string
  readonly fattura: EInvoice
}

/** A FatturaPA of an Italian seller, to a public office or to a customer of any country. */
export const randomFattura = (random: Random, index: number, isForOffice = false): RandomFattura => {
  const [seller = random.pick(businesses)] = businesses.filter(({ country }) => country === "IT")
  const neighbour = { ...seller, tax_number: "IT12345670017" }
  const buyer = isForOffice || random.chance(domestic_share) ? neighbour : random.pick(businesses)
  const flaw = random.chance(flawed_share) ? random.pick([...flaws, ...italian_flaws]) : {}
  const drawn = sourceOf(random, seller, buyer, flaw, index)
  const mixed = isForOffice ? forOffice(random, drawn) : drawn
  const isLatin = random.chance(latin_share)
  const source = isLatin ? latinized(mixed) : mixed
  const parties = partiesOf(random, seller, buyer, isLatin ? { customer: { name: "Beta S.r.l." }, ...flaw } : flaw)
  const domestic = isForOffice ? office : random.pick(italian_addresses)
  const address = buyer.country === seller.country ? domestic : buyer.address
  const exchange = {
    profile: fatturaPa,
    sender: seller.address,
    recipient: { ...address, country_code: null, ...flaw.recipient }
  }
  return {
    name: `${String(index).padStart(5, "0")}-IT-${isForOffice ? "office" : buyer.country}`,
    fattura: einvoiceOf(source, parties, exchange, euro)
  }
}

/** A document of a Spanish seller, to a customer of any country or to a consumer, for the tax agency. */
export const randomRecorded = (random: Random, index: number): EInvoice => {
  const [seller = random.pick(businesses)] = businesses.filter(({ country }) => country === "ES")
  const neighbour = { ...seller, tax_number: "ES54362315K" }
  const buyer = random.chance(domestic_share) ? neighbour : random.pick(businesses)
  const flaw = random.chance(flawed_share) ? random.pick(flaws) : {}
  const source = sourceOf(random, seller, buyer, flaw, index)
  const consumer = random.chance(0.2) ? { tax_number: null } : {}
  const parties = partiesOf(random, seller, buyer, { ...flaw, customer: { ...flaw.customer, ...consumer } })
  const exchange = { profile: verifactu, sender: seller.address, recipient: { ...buyer.address, country_code: null } }
  return einvoiceOf(source, parties, exchange, euro)
}

const partiesOf = (random: Random, seller: Business, buyer: Business, flaw: Flaw) => ({
  customer: { ...customer, ...placeOf(random, buyer), name: random.pick(names), ...flaw.customer },
  organization: { ...organization, ...placeOf(random, seller), iban: "BE71096123456769", ...flaw.organization }
})

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

const sourceOf = (random: Random, seller: Business, buyer: Business, flaw: Flaw, index: number): SourceDocument => {
  const currency = random.pick([seller.currency, seller.currency, ...currencies])
  const items = itemsOf(random, seller, buyer, flaw)
  const isCredit = random.chance(0.3)
  const priced = positive(items, currency, isCredit ? unadjusted : adjustmentsOf(random, items))
  return {
    kind: isCredit ? "credit_note" : "invoice",
    number: `R-${index}`,
    issue_date: day("2026-11-01"),
    due_date: isCredit ? null : day("2026-12-01"),
    type_code: isCredit ? random.pick(["381", "381", "381", "396", "83", "262"]) : "380",
    currency,
    exchange_rate: currency === seller.currency ? null : random.pick([decimal("0.91735"), decimal("11.4"), null]),
    ...priced,
    ...roundingOf(random, priced.total, currency, isCredit),
    paid: isCredit || random.chance(0.7) ? decimal("0") : random.pick([decimal("1"), priced.total]),
    ...detailsOf(random, isCredit),
    payment_reference: isCredit ? null : random.pick([null, "RF18539007547034", "+++020/2600/04222+++"]),
    notes: random.pick([null, "Thank you", "Grüße & <Dank>\r\nzweite Zeile 😀"]),
    terms: isCredit ? null : random.pick([null, "30 days net"]),
    preceding_invoice: isCredit ? { number: "R-0", issue_date: day("2026-09-01") } : null,
    ...flaw.document
  }
}

const currencies = ["EUR", "USD", "GBP", "SEK", "JPY", "XCG"].map((code) => CurrencyCode.make(code))

const detailsOf = (random: Random, isCredit: boolean) => {
  const maybe = <A>(value: A) => (random.chance(0.4) ? value : null)
  const references = {
    purchase_order: maybe("PO-4711 & <1>"),
    buyer_reference: maybe("Kostenstelle 9"),
    contract_reference: maybe("C-2026/1"),
    project_reference: maybe("Project Ä")
  }
  const address = { ...nowhere, address_line1: "Quay 3", city: "Elsewhere", postal_code: "54321", country: "BE" }
  return {
    ...references,
    delivery: random.pick([{ date: day("2026-10-15") }, { start: day("2026-10-01"), end: day("2026-10-31") }, null]),
    delivery_address: maybe({ ...address, name: random.pick([null, "Warehouse <2>"]) }),
    operation_nature: random.pick(["goods", "services", "mixed"] as const),
    corrective_cause: isCredit ? maybe({ code: "R1", text: random.pick([null, "Error & descuento"]) }) : null,
    payee: isCredit ? null : maybe(payee(random.pick([null, "0088"]))),
    payment_means: isCredit ? null : maybe(random.pick(payments)),
    attachments: random.chance(0.2) ? [file, { ...file, name: "plan.pdf", mime_type: "application/pdf" }] : []
  }
}

const payments: ReadonlyArray<Means> = [
  means("bank_transfer"),
  means("bank_transfer", { iban: "DE89370400440532013000", bic: "COBADEFFXXX" }),
  means("cash"),
  means("card", { card_last_digits: "4242", card_holder: "A. Müller" }),
  means("direct_debit", {
    mandate_reference: "MANDATE-1",
    creditor_identifier: "DE98ZZZ09999999999",
    debited_iban: "DE89370400440532013000"
  })
]

interface Adjusted {
  readonly discounts: ReadonlyArray<ResolvedAdjustment>
  readonly charges: ReadonlyArray<ResolvedAdjustment>
}
const unadjusted: Adjusted = { discounts: [], charges: [] }

/** Makes discounts and charges of the document. Each has the same taxes as one of the lines. */
const adjustmentsOf = (random: Random, items: ReadonlyArray<ResolvedItem>): Adjusted => {
  const some = (descriptions: ReadonlyArray<string>) =>
    random.chance(0.35) ? descriptions.map((description) => adjustmentOf(random, random.pick(items), description)) : []
  return { discounts: some(["Rebate & <bonus>", "Loyalty"]), charges: some(["Freight"]) }
}

const adjustmentOf = (random: Random, item: ResolvedItem, description: string): ResolvedAdjustment => {
  const { exemption_code = null, tax_exempt, tax_exemption_reason, tax_rates } = item
  const amount = random.chance(0.5) ? decimal(random.pick(["1", "3", "2"])) : null
  return {
    description,
    amount,
    percentage: amount === null ? decimal(random.pick(["2.5", "3", "7.25"])) : null,
    tax_exempt,
    tax_exemption_reason,
    exemption_code,
    tax_rates
  }
}

/**
 * Computes the prices of the items. If an amount is negative, which billing refuses, makes all prices positive and
 * omits the discounts and charges.
 */
const positive = (items: ReadonlyArray<ResolvedItem>, currency: CurrencyCode, adjustments: Adjusted) => {
  const priced = price(items, currency, adjustments)
  const amounts = [...priced.discounts, ...priced.charges].map(({ net_amount }) => net_amount)
  if (![priced.total, ...amounts].some(BigDecimal.isNegative)) return priced
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
  })).map((item) => (item.tax_exempt ? { ...item, exemption_code: flaw.exemption_code ?? null } : item))
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
  // An organization may have two tax rates of the same percentage. The e-invoice adds them up and rounds the tax once.
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
