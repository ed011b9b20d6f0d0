import { BigDecimal } from "effect"
import { formatAmount, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { EInvoice, EInvoiceTax } from "../invoice/EInvoice.ts"
import { taxIdentityOf } from "./RecordParties.ts"

const amount_decimals = 2
const spain = "ES"

export const amountText = (amount: BigDecimal.BigDecimal): string => formatAmount(amount, amount_decimals)

/** `01`: VAT (IVA); `02`: the tax of Ceuta and Melilla (IPSI); `03`: the tax of the Canary Islands (IGIC). */
type Tax = "01" | "02" | "03"

/** A row of the breakdown (DetalleDesglose): the amounts of one treatment and one rate. */
export interface BreakdownRow {
  readonly tax: Tax
  /** The tax regime (ClaveRegimen): `01` is the ordinary one, `02` is for exports, `17` is the One Stop Shop. */
  readonly regime: "01" | "02" | "17"
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

const treatmentOf = (tax: EInvoiceTax, isDomestic: boolean): string => {
  const { category, exemption_code } = tax
  const named = own_code.exec(exemption_code ?? "")?.[1]
  if (named !== undefined) return named
  if (isElsewhere(tax)) return "N2"
  switch (category) {
    case "K":
      return "E5"
    case "G":
      return "E2"
    case "E":
      return of_articles.find(([code]) => code.test(exemption_code ?? ""))?.[1] ?? "E1"
    case "AE":
      // A service to a business abroad is taxed there (art. 69), so it is not subject to Spanish VAT.
      return isDomestic ? "S2" : "N2"
    case "O":
      return isDomestic ? "N1" : "N2"
    default:
      return "S1"
  }
}

/** Returns the tax of a group. An exempt group does not name a tax, so it gets the tax of the other groups. */
const taxOf = ({ category }: EInvoiceTax, all: ReadonlyArray<EInvoiceTax>): Tax => {
  const isTaxed = category === "S" || category === "L" || category === "M"
  const categories = isTaxed ? [category] : all.map((tax) => tax.category)
  if (categories.includes("L")) return "03"
  return categories.includes("M") ? "02" : "01"
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
  const identity = taxIdentityOf(invoice.buyer)
  // A customer without a country counts as Spanish, unless its VAT identifier is that of another country of the EU.
  const hasForeignVat = identity !== null && "type" in identity && identity.type === "02"
  const isDomestic = invoice.buyer.address.country === spain && !hasForeignVat
  const rows: Array<BreakdownRow> = []
  for (const tax of invoice.tax_breakdown) {
    const row = rowOf(tax, taxOf(tax, invoice.tax_breakdown), treatmentOf(tax, isDomestic), factor)
    const index = rows.findIndex((other) => isSame(other, row))
    const same = rows[index]
    if (same === undefined) rows.push(row)
    else rows[index] = { ...same, base: BigDecimal.sum(same.base, row.base), taxed: summed(same.taxed, row.taxed) }
  }
  return rows
}

const regimeOf = (of: EInvoiceTax, treatment: string): BreakdownRow["regime"] => {
  if (isElsewhere(of)) return "17"
  return treatment === "E2" || treatment === "E3" ? "02" : "01"
}

const rowOf = (of: EInvoiceTax, tax: Tax, treatment: string, factor: BigDecimal.BigDecimal): BreakdownRow => ({
  tax,
  regime: regimeOf(of, treatment),
  treatment,
  taxed: treatment.startsWith("S") ? { rate: of.rate, amount: inEuros(of.tax_amount, factor) } : null,
  base: inEuros(of.taxable_amount, factor)
})

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
