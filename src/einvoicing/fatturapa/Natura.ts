import { BigDecimal } from "effect"
import { splitRateOf } from "../../billing/lines/SplitPayment.ts"
import { percentOf, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import { amount_decimals } from "./FatturaFigures.ts"
import { isAbroad, san_marino } from "./FatturaParties.ts"
import type { EInvoice, EInvoiceTax, LineTax } from "../invoice/EInvoice.ts"

/** Code of the legal reason for a rate of zero, e.g. "N4". */
type Natura = string

const codes = new Set(
  "N1 N2.1 N2.2 N3.1 N3.2 N3.3 N3.4 N3.5 N3.6 N4 N5 N6.1 N6.2 N6.3 N6.4 N6.5 N6.6 N6.7 N6.8 N6.9 N7".split(" ")
)

/** An exemption code that names the natura itself: `VATEX-IT-N6-1` is N6.1. */
const own_code = /^VATEX-IT-(N\d)(?:-(\d))?$/

/** Articles of Directive 2006/112/EC that correspond to exactly one natura. */
const of_articles: ReadonlyArray<readonly [code: RegExp, natura: Natura]> = [
  [/^VATEX-EU-79-C$/, "N1"],
  [/^VATEX-EU-(132|135)(-|$)/, "N4"],
  [/^VATEX-EU-148(-|$)/, "N3.4"],
  [/^VATEX-EU-(D|F|I|J|309)$/, "N5"],
  [/^VATEX-EU-IC$/, "N3.2"],
  [/^VATEX-EU-G$/, "N3.1"]
]
/** Exemption codes that say no more than the tax category does. */
const of_category = new Set(["VATEX-EU-AE", "VATEX-EU-O"])

/**
 * Returns null if the tax category and the exemption code do not determine the natura. For example, nine naturas exist
 * for a domestic reverse charge.
 */
const naturaOf = (tax: LineTax, { buyer, operation_nature }: Sale): Natura | null => {
  const { category, exemption_code } = tax
  const [, main = "", part] = own_code.exec(exemption_code ?? "") ?? []
  const named = part === undefined ? main : `${main}.${part}`
  if (named !== "") return codes.has(named) ? named : null
  if (exemption_code !== null && !of_category.has(exemption_code)) {
    return of_articles.find(([code]) => code.test(exemption_code))?.[1] ?? null
  }
  // The tax authority assigns distance sales of goods to N3.2; the text of N7 names services only.
  if (isElsewhere(tax)) return operation_nature === "goods" ? "N3.2" : "N7"
  const isDomestic = !isAbroad(buyer)
  switch (category) {
    case "E":
      return "N4"
    case "K":
      return isDomestic ? null : "N3.2"
    case "G":
      if (isDomestic) return null
      return buyer.address.country === san_marino ? "N3.3" : "N3.1"
    case "AE":
      // A service to a business abroad is taxed in the country of that business (DPR 633/1972, art. 7-ter).
      return isDomestic ? null : "N2.1"
    case "O":
      return isDomestic ? "N2.2" : "N2.1"
    default:
      return null
  }
}

type Sale = Pick<EInvoice, "buyer" | "operation_nature">

/** True for a sale that is taxed in another country and declared there through the One Stop Shop. */
export const isElsewhere = ({ country }: LineTax): boolean => country !== null && country !== "IT"

interface StatedTax {
  readonly rate: BigDecimal.BigDecimal
  /** Null for a taxed row, and when nothing determines the natura. */
  readonly natura: Natura | null
  /** True if the customer pays the VAT to the state (scissione dei pagamenti). */
  readonly isSplit: boolean
}

/**
 * A tax under split payment keeps its rate, though the document does not charge the tax. A tax of another country has a
 * natura in place of its rate, though the document charges the tax.
 */
export const statedTax = (tax: LineTax, sale: Sale): StatedTax => {
  const split = splitRateOf(tax.exemption_code)
  if (split !== null) return { rate: split, natura: null, isSplit: true }
  const rate = isElsewhere(tax) ? zero : tax.rate
  return { rate, natura: BigDecimal.isZero(rate) ? naturaOf(tax, sale) : null, isSplit: false }
}

export interface SummaryRow extends StatedTax {
  readonly taxable_amount: BigDecimal.BigDecimal
  readonly tax_amount: BigDecimal.BigDecimal
  /** The reference to the law, which an untaxed row states. */
  readonly law: string | null
}

/** Sums the tax breakdown by rate and natura, because several exemption codes may have the same natura. */
export const summaryOf = (invoice: EInvoice): ReadonlyArray<SummaryRow> => {
  const rows: Array<SummaryRow> = []
  for (const tax of invoice.tax_breakdown) {
    const row = rowOf(tax, invoice)
    const index = rows.findIndex(
      ({ isSplit, natura, rate }) =>
        isSplit === row.isSplit && natura === row.natura && BigDecimal.equals(rate, row.rate)
    )
    const same = rows[index]
    if (same === undefined) rows.push(row)
    else {
      rows[index] = {
        ...same,
        taxable_amount: BigDecimal.sum(same.taxable_amount, row.taxable_amount),
        tax_amount: BigDecimal.sum(same.tax_amount, row.tax_amount)
      }
    }
  }
  return rows.map((row) => (row.isSplit ? { ...row, tax_amount: splitTax(row) } : row))
}

const splitTax = ({ rate, taxable_amount }: SummaryRow) =>
  roundHalfAwayFromZero(percentOf(taxable_amount, rate), amount_decimals)

/** Sums the VAT of split payment, which the document states but does not charge. */
export const splitTotal = (invoice: EInvoice): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(summaryOf(invoice).flatMap(({ isSplit, tax_amount }) => (isSplit ? [tax_amount] : [])))

const rowOf = (tax: EInvoiceTax, sale: Sale): SummaryRow => ({
  ...statedTax(tax, sale),
  taxable_amount: tax.taxable_amount,
  tax_amount: isElsewhere(tax) ? zero : tax.tax_amount,
  law: isElsewhere(tax) ? "IVA assolta in altro Stato UE (regime OSS)" : (tax.exemption?.reason ?? null)
})

/** The naturas whose amounts are subject to stamp duty. */
const stamped = new Set(["N2.1", "N2.2", "N3.5", "N3.6", "N4"])

const stampable = (invoice: EInvoice): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(
    summaryOf(invoice).flatMap(({ natura, taxable_amount }) => (stamped.has(natura ?? "") ? [taxable_amount] : []))
  )

/** Amount in euros above which stamp duty of 2 euros is due on a document without VAT (DPR 642/1972, art. 13). */
const stamp_threshold = BigDecimal.make(7747n, 2)

/** True when the law requires stamp duty on a document in euros. */
export const bearsStamp = (invoice: EInvoice): boolean => BigDecimal.isGreaterThan(stampable(invoice), stamp_threshold)
