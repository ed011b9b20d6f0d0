import { BigDecimal } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { allocate, percentOf, roundShares, zero } from "../../kernel/Money.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import { type LineItem, LineItemId } from "../lines/LineItem.ts"
import type { TaxGroup } from "../lines/Tax.ts"
import { isSameRate } from "../lines/Totals.ts"

const one = BigDecimal.fromBigInt(1n)
const hundred = BigDecimal.fromBigInt(100n)

/** What a credit note is computed from; an issued invoice keeps it for good. */
export type CreditedInvoice = Pick<
  InvoiceFacts,
  "currency" | "items" | "tax_breakdown" | "rounding_adjustment" | "total"
>

/** All amounts of a credit note, in its currency's decimals. A line's `id` is its position until it is stored. */
export interface Allocation {
  readonly items: ReadonlyArray<LineItem>
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
  readonly subtotal: BigDecimal.BigDecimal
  readonly tax_total: BigDecimal.BigDecimal
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  /** Taxes and net of each part of the invoice, in its order, then the rounding adjustment. They sum to the total. */
  readonly shares: ReadonlyArray<BigDecimal.BigDecimal>
}

/**
 * Takes `amount`, gross, out of what earlier notes (the sums of their `shares`, none at first) have left of the invoice:
 * from each part in proportion to its remaining gross by largest remainder, with tax = round(gross * rate / (100 +
 * rate)), but never more tax or net than the part has left. So the note that exhausts a part takes its exact rest.
 * `amount` is positive, in the currency's decimals and at most what is left. Contract section 7.
 *
 * A part is the lines that bear the same taxes: with one rate per line, a row of the tax breakdown.
 *
 * Few gross amounts are a net and exactly its tax (at 21 % no net gives 100.00), so the tax of a partial note may be a
 * cent or two off what BR-CO-17 computes from its net; the validators of EN 16931 allow less than 1.00. In return the
 * notes of an invoice take exactly its taxes, whatever the amounts.
 */
export const allocateCredit = (
  invoice: CreditedInvoice,
  credited: ReadonlyArray<BigDecimal.BigDecimal>,
  amount: BigDecimal.BigDecimal,
  description: string
): Allocation => {
  const exponent = exponentOf(invoice.currency)
  const parts = remainingParts(partsOf(invoice, exponent), credited)
  const adjustment = BigDecimal.subtract(invoice.rounding_adjustment, credited.at(-1) ?? zero)
  const grosses = allocate(amount, [...parts.map(({ amounts }) => BigDecimal.sumAll(amounts)), adjustment], exponent)
  const taken = parts.map((part, index) => ({
    ...part,
    amounts: within(part.amounts, split(grosses[index] ?? zero, part.groups, exponent))
  }))
  const rounding_adjustment = grosses.at(-1) ?? zero
  const taxes = taken.map(({ amounts }) => amounts.slice(0, -1))
  const whole = credited.every(BigDecimal.isZero) && BigDecimal.equals(amount, invoice.total)
  return {
    items: whole ? invoice.items : taken.filter(isTaken).map((part, index) => lineOf(part, index + 1, description)),
    tax_breakdown: whole ? invoice.tax_breakdown : breakdownOf(invoice.tax_breakdown, taken),
    subtotal: BigDecimal.sumAll(taken.map(netOf)),
    tax_total: BigDecimal.sumAll(taxes.flat()),
    rounding_adjustment,
    total: amount,
    shares: [...taken.flatMap(({ amounts }) => amounts), rounding_adjustment]
  }
}

/** Lines that bear the same taxes, as one. */
interface Part {
  /** One of them, which says how it is taxed. */
  readonly line: LineItem
  readonly groups: ReadonlyArray<TaxGroup>
  /** The tax of each group, then the net; all of the same sign. */
  readonly amounts: ReadonlyArray<BigDecimal.BigDecimal>
}

const netOf = ({ amounts }: Part) => amounts.at(-1) ?? zero
const isTaken = ({ amounts }: Part) => amounts.some((amount) => !BigDecimal.isZero(amount))

const partsOf = ({ items, tax_breakdown }: CreditedInvoice, exponent: number): ReadonlyArray<Part> => {
  const nets = new Map<string, Omit<Part, "amounts"> & { net: BigDecimal.BigDecimal }>()
  for (const line of items) {
    const groups = tax_breakdown.filter((group) => bears(line, group))
    const key = groups.map((group) => tax_breakdown.indexOf(group)).join()
    const known = nets.get(key)
    if (known === undefined) nets.set(key, { line, groups, net: line.line_total })
    else known.net = BigDecimal.sum(known.net, line.line_total)
  }
  const parts = [...nets.values()]
  // The parts share the tax of the row as the invoice states it, so that they sum to it exactly.
  const taxes = new Map(
    tax_breakdown.map((group) => {
      const exact = parts.map(({ groups, net }) => (groups.includes(group) ? percentOf(net, group.rate) : zero))
      return [group, roundShares(exact, exponent, group.tax_amount)]
    })
  )
  return parts.map(({ groups, line, net }, index) => ({
    line,
    groups,
    amounts: [...groups.map((group) => taxes.get(group)?.[index] ?? zero), net]
  }))
}

const bears = (line: LineItem, group: TaxGroup): boolean => {
  if (group.tax_rate_id !== null) {
    return line.tax_rates.some((tax) => tax.id === group.tax_rate_id && isSameRate(tax, group))
  }
  const category = line.tax_exempt ? (line.tax_exemption_reason ?? "E") : "Z"
  return line.tax_rates.length === 0 && category === group.category && line.exemption_code === group.exemption_code
}

const remainingParts = (parts: ReadonlyArray<Part>, credited: ReadonlyArray<BigDecimal.BigDecimal>) => {
  let position = 0
  return parts.map((part) => ({
    ...part,
    amounts: part.amounts.map((amount) => BigDecimal.subtract(amount, credited[position++] ?? zero))
  }))
}

/** The taxes in `gross`, then its net: for one rate, tax = round(gross * rate / (100 + rate)), halves up. */
const split = (gross: BigDecimal.BigDecimal, groups: ReadonlyArray<TaxGroup>, exponent: number) => {
  const weights = [...groups.map(({ rate }) => rate), hundred]
  const parts = allocate(BigDecimal.abs(gross), weights, exponent)
  return BigDecimal.isNegative(gross) ? parts.map(BigDecimal.negate) : parts
}

/** Moves what exceeds its remaining amount to the amounts with room, the taxes first; the sum stays. */
const within = (remaining: ReadonlyArray<BigDecimal.BigDecimal>, parts: ReadonlyArray<BigDecimal.BigDecimal>) => {
  const capped = parts.map((part, index) => nearer(part, remaining[index] ?? zero))
  let over = BigDecimal.subtract(BigDecimal.sumAll(parts), BigDecimal.sumAll(capped))
  return capped.map((part, index) => {
    const more = nearer(over, BigDecimal.subtract(remaining[index] ?? zero, part))
    over = BigDecimal.subtract(over, more)
    return BigDecimal.sum(part, more)
  })
}

/** The one of two amounts of the same sign that is nearer to zero. */
const nearer = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThan(BigDecimal.abs(left), BigDecimal.abs(right)) ? left : right

/** One line for all that is taken from a part. */
const lineOf = (part: Part, position: number, description: string): LineItem => {
  const net = netOf(part)
  const taxes = part.amounts.slice(0, -1)
  return {
    id: LineItemId.make(position),
    position,
    description,
    quantity: one,
    unit: "C62",
    unit_price: net,
    discount: zero,
    discount_type: "percent",
    line_subtotal: net,
    discount_amount: zero,
    line_total: net,
    tax_exempt: part.line.tax_exempt,
    tax_exemption_reason: part.line.tax_exemption_reason,
    ...(part.line.exemption_code === undefined ? {} : { exemption_code: part.line.exemption_code }),
    tax_amount: BigDecimal.sumAll(taxes),
    tax_rates: part.groups.flatMap(({ tax_rate_id: id, ...tax }, index) =>
      id === null ? [] : [{ ...tax, id, taxable_amount: net, tax_amount: taxes[index] ?? zero }]
    )
  }
}

const breakdownOf = (groups: ReadonlyArray<TaxGroup>, taken: ReadonlyArray<Part>): ReadonlyArray<TaxGroup> =>
  groups.flatMap((group) => {
    const bearing = taken.filter((part) => part.groups.includes(group) && isTaken(part))
    if (bearing.length === 0) return []
    const taxable_amount = BigDecimal.sumAll(bearing.map(netOf))
    const tax_amount = BigDecimal.sumAll(bearing.map(({ amounts, groups }) => amounts[groups.indexOf(group)] ?? zero))
    return [{ ...group, taxable_amount, tax_amount }]
  })
