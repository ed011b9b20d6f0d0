import { BigDecimal, Option } from "effect"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { formatAmount, roundHalfAwayFromZero, zero } from "../../kernel/Money.ts"
import type { EInvoice, EInvoiceAdjustment, EInvoiceLine, EInvoiceTax, LineTax } from "../invoice/EInvoice.ts"
import { amount_decimals, isNear, lineFigures, price_decimals_max } from "./FatturaFigures.ts"
import { textOf } from "./FatturaLines.ts"

export const euro = CurrencyCode.make("EUR")

/**
 * Converts a document in another currency to euros, in which a FatturaPA states base and VAT (DPR 633/1972, art. 21).
 * Returns the document unchanged if it is in euros, or if its rate to euros is unknown.
 */
export const inEuro = (invoice: EInvoice): EInvoice => {
  const { accounting_tax, currency, exchange_rate, notes, totals } = invoice
  if (currency === euro || exchange_rate === null || accounting_tax?.currency !== euro) return invoice
  const cents = (amount: BigDecimal.BigDecimal) => converted(amount, exchange_rate, amount_decimals)
  const { adjustments, lines } = partsOf(invoice, exchange_rate)
  const tax_breakdown = invoice.tax_breakdown.map((tax) => ({
    ...tax,
    taxable_amount: cents(tax.taxable_amount),
    tax_amount: cents(tax.tax_amount)
  }))
  const sums = sumsOf(lines, adjustments, tax_breakdown)
  return {
    ...invoice,
    currency: euro,
    exchange_rate: null,
    accounting_tax: null,
    notes: [...notes, { subject: null, text: conversionText(invoice, exchange_rate) }],
    lines,
    adjustments,
    tax_breakdown,
    totals: { ...sums, ...dueOf(totals, sums.tax_inclusive, cents) }
  }
}

const converted = (amount: BigDecimal.BigDecimal, rate: BigDecimal.BigDecimal, decimals: number) =>
  roundHalfAwayFromZero(BigDecimal.multiply(amount, rate), decimals)

/** The amount that the customer owes is in the currency of the document, which no field of a FatturaPA states. */
const conversionText = ({ currency, totals }: EInvoice, rate: BigDecimal.BigDecimal): string => {
  const total = formatAmount(BigDecimal.sum(totals.tax_inclusive, totals.rounding), exponentOf(currency))
  return `Totale in ${currency}: ${total}. Cambio: 1 ${currency} = ${BigDecimal.format(rate)} EUR`
}

/**
 * Converts the lines and the adjustments. Each running total of a tax is rounded, instead of each amount, so that the
 * amounts add up to the rounded base of this tax (control 00422), and none differs by a cent from its own conversion.
 */
const partsOf = ({ adjustments, currency, lines, tax_breakdown }: EInvoice, rate: BigDecimal.BigDecimal) => {
  const totals = new Map<EInvoiceTax | undefined, BigDecimal.BigDecimal>()
  const added = (amount: BigDecimal.BigDecimal, [tax]: ReadonlyArray<LineTax>): BigDecimal.BigDecimal => {
    const row = tax_breakdown.find((stated) => tax !== undefined && isSameTax(stated, tax))
    const before = totals.get(row) ?? zero
    const after = BigDecimal.sum(before, amount)
    totals.set(row, after)
    return BigDecimal.subtract(converted(after, rate, amount_decimals), converted(before, rate, amount_decimals))
  }
  return {
    lines: lines.map((line) => lineInEuro(line, added(line.net_amount, line.taxes), { currency, rate })),
    adjustments: adjustments.map((adjustment) => {
      const { amount, is_charge, taxes } = adjustment
      const share = added(is_charge ? amount : BigDecimal.negate(amount), taxes)
      return { ...adjustment, amount: is_charge ? share : BigDecimal.negate(share), percentage: null }
    })
  }
}

const isSameTax = (left: LineTax, right: LineTax): boolean =>
  left.category === right.category &&
  left.exemption_code === right.exemption_code &&
  left.country === right.country &&
  BigDecimal.equals(left.rate, right.rate)

interface Conversion {
  readonly currency: CurrencyCode
  readonly rate: BigDecimal.BigDecimal
}

/**
 * Converts price and discount. If their product then differs from the amount of the line (control 00423), the line has
 * the net price, which the amount gives. The decimals of a price are too few for the net price of some large quantities;
 * such a line states its amount as the price of one unit, and its own quantity and price as text.
 */
const lineInEuro = (line: EInvoiceLine, net_amount: BigDecimal.BigDecimal, { currency, rate }: Conversion) => {
  const { discount, price, quantity } = line
  const stated: EInvoiceLine = {
    ...line,
    net_amount,
    price: converted(price, rate, price_decimals_max),
    discount: discount === null ? null : { ...discount, amount: converted(discount.amount, rate, amount_decimals) },
    rounding: null
  }
  if (isNear(net_amount, lineFigures(stated).computed)) return stated
  const net_price = Option.getOrElse(BigDecimal.divide(net_amount, quantity), () => zero)
  const net = { ...stated, price: roundHalfAwayFromZero(net_price, price_decimals_max), discount: null }
  if (isNear(net_amount, lineFigures(net).computed)) return net
  const description = [textOf(line), ...figuresIn(currency, line)].join(". ")
  return { ...net, description, quantity: one, unit: lump_sum, price: net_amount }
}

const one = BigDecimal.fromBigInt(1n)
/** Code of UN/ECE Recommendation 20. */
const lump_sum = "LS"

const figuresIn = (
  currency: CurrencyCode,
  { discount, price, quantity, unit }: EInvoiceLine
): ReadonlyArray<string> => [
  `Quantità: ${BigDecimal.format(quantity)} ${unit}`,
  `Prezzo: ${BigDecimal.format(price)} ${currency}`,
  ...(discount === null
    ? []
    : [`${discount.is_charge ? "Maggiorazione" : "Sconto"}: ${BigDecimal.format(discount.amount)} ${currency}`])
]

const sumsOf = (
  lines: ReadonlyArray<EInvoiceLine>,
  adjustments: ReadonlyArray<EInvoiceAdjustment>,
  taxes: ReadonlyArray<EInvoiceTax>
) => {
  const of = (charges: boolean) =>
    BigDecimal.sumAll(adjustments.flatMap(({ amount, is_charge }) => (is_charge === charges ? [amount] : [])))
  const tax_exclusive = BigDecimal.sumAll(taxes.map(({ taxable_amount }) => taxable_amount))
  const tax = BigDecimal.sumAll(taxes.map(({ tax_amount }) => tax_amount))
  return {
    lines: BigDecimal.sumAll(lines.map(({ net_amount }) => net_amount)),
    discounts: of(false),
    charges: of(true),
    tax_exclusive,
    tax,
    tax_inclusive: BigDecimal.sum(tax_exclusive, tax)
  }
}

/** Nothing remains due of a document that was paid in its own currency. */
const dueOf = (
  { payable, prepaid, rounding }: EInvoice["totals"],
  tax_inclusive: BigDecimal.BigDecimal,
  cents: (amount: BigDecimal.BigDecimal) => BigDecimal.BigDecimal
) => {
  const total = BigDecimal.sum(tax_inclusive, cents(rounding))
  const paid = BigDecimal.isZero(payable) ? total : cents(prepaid)
  return { rounding: cents(rounding), prepaid: paid, payable: BigDecimal.subtract(total, paid) }
}
