import { BigDecimal, Struct } from "effect"
import { exponentOf, type CurrencyCode } from "../../kernel/Currency.ts"
import { allocate, hundred, percentOf, roundHalfAwayFromZero, roundShares, zero } from "../../kernel/Money.ts"
import type { Adjustment, AdjustmentInput } from "./Adjustment.ts"
import { LineItemId, type LineItem, type LineItemInput } from "./LineItem.ts"
import {
  type AppliedTax,
  appliedTaxes,
  areTaxedAlike,
  isSameTax,
  pairedTaxes,
  type TaxGroup,
  type TaxRate
} from "./Tax.ts"
import { vatGroups } from "./VatGroups.ts"

/** A line with its tax rates: the requested ones, or else the organization's default rates; none for an exempt line. */
export interface ResolvedItem extends Omit<LineItemInput, "tax_rate_ids"> {
  readonly tax_rates: ReadonlyArray<TaxRate>
}

export interface ResolvedAdjustment extends Omit<AdjustmentInput, "tax_rate_ids"> {
  readonly tax_rates: ReadonlyArray<TaxRate>
}

export interface Adjustments<Of> {
  readonly discounts: ReadonlyArray<Of>
  readonly charges: ReadonlyArray<Of>
}

export const unadjusted = { discounts: [], charges: [] } as const

/** All amounts of a document, rounded to the currency's decimals. */
export interface Totals extends Adjustments<Adjustment> {
  readonly items: ReadonlyArray<LineItem>
  /** EN 16931 BT-109: the sum of the lines, less the discounts on the document, plus its charges, without taxes. */
  readonly subtotal: BigDecimal.BigDecimal
  /** The sum of line and document discounts, which are already deducted from `subtotal`. */
  readonly discount_total: BigDecimal.BigDecimal
  /** EN 16931 BT-108: the sum of the charges, which `subtotal` includes. */
  readonly charge_total: BigDecimal.BigDecimal
  readonly tax_total: BigDecimal.BigDecimal
  /** EN 16931 BT-114: the rounding amount, which is zero except on an invoice created from a gross amount. */
  readonly rounding_adjustment: BigDecimal.BigDecimal
  /** The total is negative when rebate lines exceed all other lines; the caller refuses such a document. */
  readonly total: BigDecimal.BigDecimal
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
}

/**
 * Prices a document by EN 16931 BR-CO-10 to BR-CO-17. Lines, discounts and charges are rounded, then summed by country,
 * category and percentage; the tax of each group is rounded once, half away from zero. The tax of a group is
 * distributed to its rates, and the tax of a rate to its lines, by largest remainder, so that lines and rows add up
 * exactly. A discount or charge is distributed to the rates of the lines that are taxed alike. The `id` of a line is its
 * position until the line is saved.
 *
 * A line with neither rates nor exemption (the organization has no default rate) is taxed at 0 % in category Z.
 * Category E would require an exemption reason (BR-E-10), and category O may not be combined with other rates
 * (BR-O-11).
 */
export const price = (
  items: ReadonlyArray<ResolvedItem>,
  currency: CurrencyCode,
  { charges, discounts }: Adjustments<ResolvedAdjustment> = unadjusted
): Totals => {
  const exponent = exponentOf(currency)
  const lines = items.map((item) => priceLine(item, exponent))
  const nets = new Map(lines.map((line) => [line, line.line_total]))
  const reductions = discounts.map((discount) => priceAdjustment(discount, -1n, nets, exponent))
  const additions = charges.map((charge) => priceAdjustment(charge, 1n, nets, exponent))
  const taxes = [...reductions, ...additions].flatMap((priced) => priced.taxes)
  const tax_breakdown = taxGroups(groupByTax([...lines, ...taxes]), exponent)
  const line_sum = BigDecimal.sumAll(lines.map((line) => line.line_total))
  const reduced = BigDecimal.sumAll(reductions.map(({ net_amount }) => net_amount))
  const charge_total = BigDecimal.sumAll(additions.map(({ net_amount }) => net_amount))
  const subtotal = BigDecimal.sum(BigDecimal.subtract(line_sum, reduced), charge_total)
  const tax_total = BigDecimal.sumAll(tax_breakdown.map((group) => group.tax_amount))
  return {
    items: lines.map((line, index) => lineItem(line, index + 1)),
    discounts: reductions.map(adjustment),
    charges: additions.map(adjustment),
    subtotal,
    discount_total: BigDecimal.sum(reduced, BigDecimal.sumAll(lines.map((line) => line.discount_amount))),
    charge_total,
    tax_total,
    rounding_adjustment: zero,
    total: BigDecimal.sum(subtotal, tax_total),
    tax_breakdown
  }
}

/** One tax on one line. The tax amount is set once the tax of the whole group is rounded. */
interface TaxShare {
  readonly tax: AppliedTax
  readonly taxable_amount: BigDecimal.BigDecimal
  tax_amount: BigDecimal.BigDecimal
}

interface ShareGroup {
  readonly tax: AppliedTax
  readonly shares: Array<TaxShare>
}

/** A row of the breakdown during pricing: the tax is unrounded until the tax of its VAT group is rounded. */
interface TaxRow extends Pick<TaxGroup, "rate"> {
  readonly shares: ReadonlyArray<TaxShare>
  tax_amount: BigDecimal.BigDecimal
}

interface PricedLine {
  readonly item: ResolvedItem
  readonly line_subtotal: BigDecimal.BigDecimal
  readonly discount_amount: BigDecimal.BigDecimal
  readonly line_total: BigDecimal.BigDecimal
  readonly shares: ReadonlyArray<TaxShare>
}

const priceLine = (item: ResolvedItem, exponent: number): PricedLine => {
  const product = BigDecimal.multiply(item.quantity, item.unit_price)
  const line_subtotal = roundHalfAwayFromZero(product, exponent)
  const line_total =
    item.discount_type === "percent"
      ? roundHalfAwayFromZero(percentOf(product, BigDecimal.subtract(hundred, item.discount)), exponent)
      : BigDecimal.subtract(line_subtotal, roundHalfAwayFromZero(item.discount, exponent))
  return {
    item,
    line_subtotal,
    discount_amount: BigDecimal.subtract(line_subtotal, line_total),
    line_total,
    shares: appliedTaxes(item).map((tax) => ({ tax, taxable_amount: line_total, tax_amount: zero }))
  }
}

interface PricedAdjustment {
  readonly adjustment: ResolvedAdjustment
  /** The sign is 1 for a charge and -1 for a discount. */
  readonly sign: bigint
  readonly base_amount: BigDecimal.BigDecimal | null
  readonly net_amount: BigDecimal.BigDecimal
  readonly taxes: ReadonlyArray<AdjustmentTax>
}

/** A tax of a discount or charge, with its share of each row of the breakdown. A discount has negative shares. */
interface AdjustmentTax {
  readonly tax: AppliedTax
  readonly shares: ReadonlyArray<TaxShare>
}

/**
 * Prices a discount or charge, and distributes it to the lines with the same taxes in proportion to `nets`, the amounts
 * of the lines less the earlier discounts; see `weightsOf`. Credit notes lower the prices of the lines in the same way.
 */
const priceAdjustment = (
  adjustment: ResolvedAdjustment,
  sign: bigint,
  nets: Map<PricedLine, BigDecimal.BigDecimal>,
  exponent: number
): PricedAdjustment => {
  const { amount, percentage } = adjustment
  const alike = [...nets].filter(([{ item }]) => areTaxedAlike(item, adjustment))
  const base_amount = percentage === null ? null : BigDecimal.sumAll(alike.map(([{ line_total }]) => line_total))
  const exact = percentage === null || base_amount === null ? (amount ?? zero) : percentOf(base_amount, percentage)
  const net_amount = roundHalfAwayFromZero(exact, exponent)
  const own = appliedTaxes(adjustment)
  const parts = allocate(net_amount, weightsOf(alike.map(([, net]) => net)), exponent)
  const portions = alike.map(([line, net], index) => {
    const part = parts[index] ?? zero
    if (sign < 0n) nets.set(line, BigDecimal.subtract(net, part))
    return { taxes: pairedTaxes(own, appliedTaxes(line.item)), amount: part }
  })
  const rows = portions.length === 0 ? [{ taxes: own, amount: net_amount }] : byRates(portions)
  const taxes = own.map((tax, index) => ({
    tax,
    shares: rows.flatMap(({ amount, taxes: { [index]: row } }) =>
      row === undefined ? [] : [{ tax: row, taxable_amount: signed(amount, sign), tax_amount: zero }]
    )
  }))
  return { adjustment, sign, base_amount, net_amount, taxes }
}

/**
 * Returns the weights by which lines bear a discount or charge. Lines with a negative net, which deduct a deposit or
 * grant a rebate, bear none of it, unless no line has a positive net.
 */
export const weightsOf = (nets: ReadonlyArray<BigDecimal.BigDecimal>): ReadonlyArray<BigDecimal.BigDecimal> =>
  nets.some(BigDecimal.isPositive) ? nets.map((net) => BigDecimal.max(net, zero)) : nets

interface Portion {
  readonly taxes: ReadonlyArray<AppliedTax>
  readonly amount: BigDecimal.BigDecimal
}

/** Adds the parts of the lines with the same rates, so that each tax is rounded once for all of them. */
const byRates = (portions: ReadonlyArray<Portion>): ReadonlyArray<Portion> => {
  const groups = Map.groupBy(portions, ({ taxes }) => taxes.map(({ tax_rate_id }) => tax_rate_id).join())
  return Array.from(groups.values(), (same) =>
    same.reduce((sum, { amount }) => ({ ...sum, amount: BigDecimal.sum(sum.amount, amount) }))
  )
}

const signed = (amount: BigDecimal.BigDecimal, sign: bigint): BigDecimal.BigDecimal =>
  sign < 0n ? BigDecimal.negate(amount) : amount

const withCode = (exemption_code: string | null = null) => (exemption_code === null ? {} : { exemption_code })

const groupByTax = (parts: ReadonlyArray<{ readonly shares: ReadonlyArray<TaxShare> }>): ReadonlyArray<ShareGroup> => {
  const groups: Array<ShareGroup> = []
  for (const share of parts.flatMap(({ shares }) => shares)) {
    const group = groups.find(({ tax }) => isSameTax(tax, share.tax))
    if (group === undefined) groups.push({ tax: share.tax, shares: [share] })
    else group.shares.push(share)
  }
  return groups
}

/** Rounds the tax of each VAT group once (BR-CO-17), and distributes it to the group's rates and their lines. */
const taxGroups = (groups: ReadonlyArray<ShareGroup>, exponent: number): ReadonlyArray<TaxGroup> => {
  const rows = groups.map((group) => {
    const taxable_amount = BigDecimal.sumAll(group.shares.map((share) => share.taxable_amount))
    return { ...group.tax, shares: group.shares, taxable_amount, tax_amount: percentOf(taxable_amount, group.tax.rate) }
  })
  for (const group of vatGroups(rows)) {
    const taxes = roundShares(
      group.map((row) => row.tax_amount),
      exponent
    )
    for (const [index, row] of group.entries()) shareOut(row, taxes[index] ?? zero, exponent)
  }
  return rows.map((row) => Struct.omit(row, ["shares"]))
}

/** Sets the rounded tax of a row, and distributes it to the lines of the row. */
const shareOut = (row: TaxRow, tax_amount: BigDecimal.BigDecimal, exponent: number): void => {
  row.tax_amount = tax_amount
  const exact = row.shares.map((share) => percentOf(share.taxable_amount, row.rate))
  const parts = roundShares(exact, exponent, tax_amount)
  for (const [index, share] of row.shares.entries()) share.tax_amount = parts[index] ?? zero
}

const lineItem = ({ item, shares, ...amounts }: PricedLine, position: number): LineItem => ({
  id: LineItemId.make(position),
  position,
  ...Struct.pick(item, asked),
  ...withCode(item.exemption_code),
  ...amounts,
  tax_amount: BigDecimal.sumAll(shares.map((share) => share.tax_amount)),
  tax_rates: shares.flatMap(({ tax: { tax_rate_id: id, ...tax }, taxable_amount, tax_amount }) =>
    id === null ? [] : [{ id, ...tax, taxable_amount, tax_amount }]
  )
})

const adjustment = ({ adjustment, base_amount, net_amount, sign, taxes }: PricedAdjustment): Adjustment => {
  const amounts = taxes.map(({ shares, tax }) => ({
    tax,
    tax_amount: signed(BigDecimal.sumAll(shares.map((share) => share.tax_amount)), sign)
  }))
  return {
    ...Struct.pick(adjustment, ["description", "amount", "percentage", "tax_exempt", "tax_exemption_reason"]),
    ...withCode(adjustment.exemption_code),
    base_amount,
    net_amount,
    tax_amount: BigDecimal.sumAll(amounts.map(({ tax_amount }) => tax_amount)),
    tax_rates: amounts.flatMap(({ tax: { tax_rate_id: id, ...tax }, tax_amount }) =>
      id === null ? [] : [{ id, ...tax, taxable_amount: net_amount, tax_amount }]
    )
  }
}

/** The fields that a line copies from the request; a stored line that is repriced has further fields. */
const asked = [
  "description",
  "quantity",
  "unit",
  "unit_price",
  "discount",
  "discount_type",
  "tax_exempt",
  "tax_exemption_reason"
] as const
