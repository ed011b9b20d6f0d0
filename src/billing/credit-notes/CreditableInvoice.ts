import { BigDecimal, identity } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { allocate, percentOf, roundShares, zero } from "../../kernel/Money.ts"
import type { Adjustment } from "../lines/Adjustment.ts"
import { type LineItem, LineItemId, lumpSum } from "../lines/LineItem.ts"
import { appliedTaxes, areTaxedAlike, bears, isSameRate, isSameTax, type Taxed } from "../lines/Tax.ts"
import { type Adjustments, weightsOf } from "../lines/Totals.ts"
import { type CreditedInvoice, isOwnLine, remainingOf } from "./Remaining.ts"

interface Discounted extends CreditedInvoice, Adjustments<Adjustment> {}

/**
 * Merges the discounts and charges of the invoice into its lines. A discount lowers the price of the lines with the
 * same taxes, so that a returned line is credited at the price that was paid. A charge becomes a line of its own for
 * each combination of rates that these lines have; so does a discount whose taxes no line has.
 *
 * Older versions of the service booked a discount or charge under its own rates only, although lines that are taxed
 * alike may have rates with other ids, and also divided it among lines that deduct a deposit. The credit notes of an
 * invoice follow the version that computed its tax breakdown. If that may be either version, they follow the version
 * at whose prices the earlier notes credited quantities, and without such notes the present one; `credited` contains
 * the sums of the `shares` of the earlier notes.
 */
export const creditableInvoice = <Invoice extends Discounted>(
  invoice: Invoice,
  credited: ReadonlyArray<BigDecimal.BigDecimal> = []
): Invoice => {
  if (invoice.discounts.length === 0 && invoice.charges.length === 0) return invoice
  const current = { ...invoice, items: merged(invoice, { isAlike: areAlike, weightsOf }) }
  const former = { ...invoice, items: merged(invoice, { isAlike: haveSameRates, weightsOf: identity }) }
  const isFormer =
    isConsistent(former) &&
    (!isConsistent(current) || BigDecimal.isLessThan(mispricingOf(former, credited), mispricingOf(current, credited)))
  const { items } = isFormer ? former : current
  return { ...invoice, items: withTaxes(items, invoice) }
}

/** Returns by how much the net of the credited quantities differs from the prices that the lines have. */
const mispricingOf = (invoice: CreditedInvoice, credited: ReadonlyArray<BigDecimal.BigDecimal>) => {
  const lines = remainingOf(invoice, credited).parts.flatMap((part) => part.lines)
  const differences = lines.map(({ by_quantity, item, quantity }) => {
    const price = BigDecimal.divideUnsafe(BigDecimal.multiply(item.line_total, quantity), item.quantity)
    return BigDecimal.abs(BigDecimal.subtract(by_quantity, price))
  })
  return BigDecimal.sumAll(differences)
}

type IsAlike = (item: LineItem, adjustment: Adjustment) => boolean

/** Determines which lines bear a discount or charge, and in which proportion. */
interface Division {
  readonly isAlike: IsAlike
  readonly weightsOf: typeof weightsOf
}

const haveSameRates: IsAlike = (item, adjustment) =>
  item.tax_exemption_reason === adjustment.tax_exemption_reason && haveSameTaxes(item, adjustment)

const haveSameTaxes = (left: Taxed, right: Taxed): boolean => {
  const [taxes, others] = [appliedTaxes(left), appliedTaxes(right)]
  return taxes.length === others.length && taxes.every((tax) => others.some((other) => isSameTax(tax, other)))
}

const areAlike: IsAlike = (item, adjustment) =>
  haveSameRates(item, adjustment) || (isOwnLine(item) && areTaxedAlike(item, adjustment))

/** Returns the lines with their amounts less the discounts, and those that represent discounts and charges. */
const merged = ({ charges, currency, discounts, items }: Discounted, division: Division): ReadonlyArray<LineItem> => {
  const exponent = exponentOf(currency)
  const reduced = discounts.reduce((lines, discount) => {
    const shares = sharesOf(discount, lines, division, exponent)
    return shares.size === 0
      ? [...lines, lineOf(discount, BigDecimal.negate(discount.net_amount), discount, lines.length)]
      : lines.map((line) => reducedBy(line, shares.get(line)))
  }, items)
  return charges.reduce((lines, charge) => {
    const portions = portionsOf(charge, sharesOf(charge, reduced, division, exponent))
    const added = portions.map(({ net, taxed }, index) => lineOf(charge, net, taxed, lines.length + index))
    return [...lines, ...added]
  }, reduced)
}

/** Divides a discount or charge among the lines with the same taxes, in the same way as `price` in `Totals.ts`. */
const sharesOf = (
  adjustment: Adjustment,
  lines: ReadonlyArray<LineItem>,
  { isAlike, weightsOf }: Division,
  exponent: number
): ReadonlyMap<LineItem, BigDecimal.BigDecimal> => {
  const alike = lines.filter((line) => isAlike(line, adjustment))
  const weights = weightsOf(alike.map(({ line_total }) => line_total))
  const shares = allocate(adjustment.net_amount, weights, exponent)
  return new Map(alike.map((line, index) => [line, shares[index] ?? zero]))
}

const reducedBy = (line: LineItem, less: BigDecimal.BigDecimal | undefined): LineItem => {
  if (less === undefined) return line
  const line_total = BigDecimal.subtract(line.line_total, less)
  const discount_amount = BigDecimal.sum(line.discount_amount, less)
  return { ...line, discount: discount_amount, discount_type: "amount", discount_amount, line_total }
}

type LineTaxes = Pick<LineItem, "tax_exempt" | "tax_exemption_reason" | "exemption_code" | "tax_rates">

interface Portion {
  readonly taxed: LineTaxes
  readonly net: BigDecimal.BigDecimal
}

/** Returns the part of a charge for each combination of rates that its lines have. */
const portionsOf = (
  adjustment: Adjustment,
  shares: ReadonlyMap<LineItem, BigDecimal.BigDecimal>
): ReadonlyArray<Portion> => {
  const groups = Map.groupBy(shares, ([line]) =>
    line.tax_rates
      .map(({ id }) => String(id))
      .toSorted()
      .join()
  )
  const portions = Array.from(groups.values()).flatMap((same) => {
    const net = BigDecimal.sumAll(same.map(([, share]) => share))
    return BigDecimal.isZero(net) ? [] : same.slice(0, 1).map(([line]) => ({ taxed: line, net }))
  })
  return portions.length === 0 ? [{ taxed: adjustment, net: adjustment.net_amount }] : portions
}

/** Converts a discount or a charge to a line with a negative id, which no line of an invoice has; see `isOwnLine`. */
const lineOf = (
  { description }: Adjustment,
  net: BigDecimal.BigDecimal,
  { exemption_code, tax_exempt, tax_exemption_reason, tax_rates }: LineTaxes,
  position: number
): LineItem => ({
  id: LineItemId.make(-position),
  position: position + 1,
  description,
  ...lumpSum(net),
  tax_exempt,
  tax_exemption_reason,
  ...(exemption_code === undefined ? {} : { exemption_code }),
  tax_amount: zero,
  tax_rates
})

/** True when each row of the tax breakdown is the sum of the lines that bear it. */
const isConsistent = ({ items, tax_breakdown }: CreditedInvoice): boolean => {
  const rows = tax_breakdown.map((group) => ({ group, lines: items.filter((item) => bears(item, group)) }))
  const borne = rows.reduce((count, { lines }) => count + lines.length, 0)
  return (
    borne === items.flatMap(appliedTaxes).length &&
    rows.every(({ group, lines }) =>
      BigDecimal.equals(BigDecimal.sumAll(lines.map(({ line_total }) => line_total)), group.taxable_amount)
    )
  )
}

/** Distributes the taxes of the invoice to the lines that bear them. */
const withTaxes = (
  items: ReadonlyArray<LineItem>,
  { currency, tax_breakdown }: Discounted
): ReadonlyArray<LineItem> => {
  const rows = tax_breakdown.map((group) => {
    const exact = items.map((item) => (bears(item, group) ? percentOf(item.line_total, group.rate) : zero))
    return { group, taxes: roundShares(exact, exponentOf(currency), group.tax_amount) }
  })
  return items.map((item, index) => {
    const tax_rates = item.tax_rates.map((rate) => {
      const row = rows.find(({ group }) => group.tax_rate_id === rate.id && isSameRate(group, rate))
      return { ...rate, taxable_amount: item.line_total, tax_amount: row?.taxes[index] ?? zero }
    })
    return { ...item, tax_rates, tax_amount: BigDecimal.sumAll(tax_rates.map(({ tax_amount }) => tax_amount)) }
  })
}
