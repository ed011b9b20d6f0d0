import { BigDecimal } from "effect"
import { formatAmount, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { type SpanishTax, spanishTaxAt } from "../../kernel/SpanishTax.ts"
import { isBlank } from "../../kernel/Text.ts"
import type { EInvoice, EInvoiceTax, PartyAddress } from "../invoice/EInvoice.ts"
import { taxIdentityOf } from "./RecordParties.ts"

const amount_decimals = 2
const spain = "ES"

export const amountText = (amount: BigDecimal.BigDecimal): string => formatAmount(amount, amount_decimals)

const tax_codes = { IVA: "01", IPSI: "02", IGIC: "03" } as const satisfies Readonly<Record<SpanishTax, string>>

/** A row of the breakdown (DetalleDesglose): the amounts of one treatment and one rate. */
export interface BreakdownRow {
  readonly tax: (typeof tax_codes)[SpanishTax]
  /**
   * The tax regime (ClaveRegimen), which the AEAT requires for each of the three taxes (errors 1245 and 2009): `01` is
   * the ordinary one, `02` is for exports, `08` is for sales under another tax of Spain, `17` is the One Stop Shop.
   */
  readonly regime: "01" | "02" | "08" | "17"
  /** The tax treatment: a code of CalificacionOperacion (S1, S2, N1, N2) or of OperacionExenta (E1 to E8). */
  readonly treatment: string
  /** Null when the record may state neither a rate nor a tax. */
  readonly taxed: { readonly rate: BigDecimal.BigDecimal; readonly amount: BigDecimal.BigDecimal } | null
  readonly base: BigDecimal.BigDecimal
}

/** An exemption code that names the treatment itself: `VATEX-ES-E4` is E4. */
const own_code = /^VATEX-ES-(E[1-8]|N[12])$/

/** Articles of Directive 2006/112/EC that correspond to exactly one Spanish tax treatment. */
const of_articles: ReadonlyArray<readonly [code: RegExp, treatment: string]> = [
  [/^VATEX-EU-(138|IC)(-|$)/, "E5"],
  [/^VATEX-EU-(146|147|G)(-|$)/, "E2"],
  [/^VATEX-EU-148(-|$)/, "E3"],
  [/^VATEX-EU-(143|151)(-|$)/, "E4"],
  [/^VATEX-EU-309$/, "E6"]
]

const margin = /^VATEX-EU-[DFIJ]$/

/** True for a sale of travel agents (regime 05), used goods, works of art or antiques (regime 03), which gets no record. */
export const isMarginScheme = ({ exemption_code }: { readonly exemption_code?: string | null }): boolean =>
  margin.test(exemption_code ?? "")

/** True for a sale that is taxed in another country and declared there through the One Stop Shop. */
const isElsewhere = ({ country = null }: { readonly country?: string | null }): boolean =>
  country !== null && country !== spain

/** The place of the customer or of the delivery, compared with that of the seller. */
type Destination = "same_tax" | "other_tax" | "abroad"

const taxAt = ({ country, postal_code }: PartyAddress): SpanishTax =>
  country === spain && postal_code !== null ? spanishTaxAt(postal_code.trim()) : "IVA"

const destinationOf = ({ buyer, delivery_address, seller }: EInvoice): Destination => {
  const { address } = buyer
  const identity = taxIdentityOf(buyer)
  // A customer without a country counts as Spanish, unless its tax number is that of another country.
  if (address.country !== spain || (identity !== null && !("nif" in identity))) return "abroad"
  // Goods, and work on a building, are taxed where they are delivered, if the document says where.
  const place =
    delivery_address?.country === spain && !isBlank(delivery_address.postal_code) ? delivery_address : address
  // A place without a postal code counts as a neighbour of the seller.
  return isBlank(place.postal_code) || taxAt(place) === taxAt(seller.address) ? "same_tax" : "other_tax"
}

const treatmentOf = (of: EInvoiceTax, destination: Destination): string => {
  const { category, exemption_code } = of
  const named = own_code.exec(exemption_code ?? "")?.[1]
  if (named !== undefined) return named
  if (isElsewhere(of)) return "N2"
  switch (category) {
    case "K":
      return "E5"
    case "G":
      return "E2"
    case "E":
      return of_articles.find(([code]) => code.test(exemption_code ?? ""))?.[1] ?? "E1"
    case "AE":
      // A service to a business elsewhere is taxed there (art. 69), so it is not subject to the tax of the seller.
      return destination === "same_tax" ? "S2" : "N2"
    case "O":
      return destination === "same_tax" ? "N1" : "N2"
    default:
      return "S1"
  }
}

/** Exemptions that only IGIC has. */
const igic_code = /^VATEX-ES-E[78]$/

/**
 * Returns the tax of a group. An exempt group does not name a tax, so it gets the tax of the other groups, or else the
 * tax of the seller.
 */
const taxOf = (of: EInvoiceTax, { seller, tax_breakdown }: EInvoice): SpanishTax => {
  if (isElsewhere(of)) return "IVA"
  if (igic_code.test(of.exemption_code ?? "")) return "IGIC"
  const isTaxed = of.category === "S" || of.category === "L" || of.category === "M"
  const groups = isTaxed ? [of] : tax_breakdown.filter((group) => !isElsewhere(group))
  const categories = groups.map(({ category }) => category)
  if (categories.includes("L")) return "IGIC"
  if (categories.includes("M")) return "IPSI"
  return categories.includes("S") ? "IVA" : taxAt(seller.address)
}

type Amounts = Pick<EInvoice, "kind" | "currency" | "exchange_rate" | "tax_breakdown">

/**
 * Returns the factor that turns an amount into euros. It is negative for a credit note, whose record states the
 * difference to the invoice.
 */
const factorOf = ({ currency, exchange_rate, kind }: Omit<Amounts, "tax_breakdown">): BigDecimal.BigDecimal => {
  const rate = currency === "EUR" ? BigDecimal.fromBigInt(1n) : (exchange_rate ?? zero)
  return kind === "credit_note" ? BigDecimal.negate(rate) : rate
}

const inEuros = (amount: BigDecimal.BigDecimal, factor: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  roundHalfAwayFromZero(BigDecimal.multiply(amount, factor), amount_decimals)

export const breakdownOf = (invoice: EInvoice): ReadonlyArray<BreakdownRow> => {
  const factor = factorOf(invoice)
  const destination = destinationOf(invoice)
  const rows: Array<BreakdownRow> = []
  for (const group of invoice.tax_breakdown) {
    const row = rowOf(group, taxOf(group, invoice), destination, factor)
    const index = rows.findIndex((other) => isSame(other, row))
    const same = rows[index]
    if (same === undefined) rows.push(row)
    else rows[index] = { ...same, base: BigDecimal.sum(same.base, row.base), taxed: summed(same.taxed, row.taxed) }
  }
  return rows
}

const regimeOf = (
  of: EInvoiceTax,
  tax: SpanishTax,
  treatment: string,
  destination: Destination
): BreakdownRow["regime"] => {
  if (isElsewhere(of)) return "17"
  if (treatment === "N2" && destination === "other_tax") return "08"
  // IPSI has no regime of exports.
  return (treatment === "E2" || treatment === "E3") && tax !== "IPSI" ? "02" : "01"
}

const rowOf = (
  of: EInvoiceTax,
  tax: SpanishTax,
  destination: Destination,
  factor: BigDecimal.BigDecimal
): BreakdownRow => {
  const treatment = treatmentOf(of, destination)
  return {
    tax: tax_codes[tax],
    regime: regimeOf(of, tax, treatment, destination),
    treatment,
    taxed: treatment.startsWith("S") ? { rate: of.rate, amount: inEuros(of.tax_amount, factor) } : null,
    base: inEuros(of.taxable_amount, factor)
  }
}

const isSame = (left: BreakdownRow, right: BreakdownRow): boolean =>
  left.tax === right.tax &&
  left.regime === right.regime &&
  left.treatment === right.treatment &&
  BigDecimal.equals(left.taxed?.rate ?? zero, right.taxed?.rate ?? zero)

const summed = (left: BreakdownRow["taxed"], right: BreakdownRow["taxed"]): BreakdownRow["taxed"] =>
  left === null || right === null ? left : { ...left, amount: BigDecimal.sum(left.amount, right.amount) }

interface Totalled {
  readonly kind: "invoice" | "credit_note"
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
  readonly tax_breakdown: ReadonlyArray<
    Pick<EInvoiceTax, "taxable_amount" | "tax_amount"> & { readonly country?: string | null }
  >
}

/**
 * Returns the total of the document in euros (ImporteTotal), which the record and the QR code state. The AEAT compares
 * it with the sum of the breakdown, which omits the tax of other countries (errors 1210 and 1237).
 */
export const totalOf = (document: Totalled): BigDecimal.BigDecimal => {
  const sums = document.tax_breakdown.map((tax) =>
    isElsewhere(tax) ? tax.taxable_amount : BigDecimal.sum(tax.taxable_amount, tax.tax_amount)
  )
  return inEuros(BigDecimal.sumAll(sums), factorOf(document))
}

/** Returns CuotaTotal. As in the VAT report and on paper, taxes are converted and rounded before they are summed. */
export const taxTotalOf = (rows: ReadonlyArray<BreakdownRow>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(rows.map(({ taxed }) => taxed?.amount ?? zero))
