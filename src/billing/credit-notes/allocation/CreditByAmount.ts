import { BigDecimal } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import { allocate, hundred, percentOf, roundHalfAwayFromZero, zero } from "../../../kernel/Money.ts"
import { LineItemId, lumpSum } from "../../lines/LineItem.ts"
import type { TaxGroup } from "../../lines/Tax.ts"
import type { CreditNoteItem } from "../CreditNoteItem.ts"
import { type Allocation, allocationOf, type LineShare, type TakenPart, taxLinesOf } from "../Allocation.ts"
import { type CreditedInvoice, netOf, type Part, remainingOf, taxesOf } from "../Remaining.ts"
import { isUpTo, within } from "./Within.ts"

const one = BigDecimal.fromBigInt(1n)
const half = BigDecimal.make(5n, 1)

/**
 * Takes the tax-inclusive `amount` from what is left of the invoice. `credited` contains the sums of the `shares` of
 * earlier notes, and is empty for the first note. `amount` is positive, has the currency's decimals and does not exceed
 * what is left. See rules/credit-notes.md, Amount.
 *
 * Each part of the invoice (the lines with the same taxes) contributes in proportion to its remaining gross amount, by
 * largest remainder. The tax of its contribution is round(gross * rate / (100 + rate)). A part never contributes more
 * tax or net than it has left, so a note that exhausts a part takes its exact rest.
 *
 * Few gross amounts are the sum of a net and its exact tax (at 21 % no net gives 100.00), so the tax of a partial note
 * may differ by a cent or two from the tax that BR-CO-17 computes from its net; the validators of EN 16931 accept
 * differences below 1.00, which is a single yen. In return, all notes of an invoice together take exactly its taxes,
 * whatever their amounts.
 */
export const creditByAmount = (
  invoice: CreditedInvoice,
  credited: ReadonlyArray<BigDecimal.BigDecimal>,
  amount: BigDecimal.BigDecimal,
  description: string
): Allocation => {
  const exponent = exponentOf(invoice.currency)
  const { parts, rounding_adjustment, total } = remainingOf(invoice, credited)
  const isLast = BigDecimal.equals(amount, total)
  const weights = [...parts.map(({ left }) => BigDecimal.sumAll(left)), rounding_adjustment]
  const grosses = allocate(amount, weights, exponent)
  const taken = parts.map((part, index): TakenPart => {
    const amounts = sparingRest(part, within(part.left, split(grosses[index] ?? zero, part.groups, exponent)), exponent)
    const isShown = amounts.some((share) => !BigDecimal.isZero(share))
    return { part, amounts, isShown, lines: isLast ? restOf(part) : sharesOf(part, netOf(amounts), exponent) }
  })
  const allocation = allocationOf(invoice, taken, grosses.at(-1) ?? zero)
  if (credited.every(BigDecimal.isZero) && BigDecimal.equals(amount, invoice.total)) {
    return { ...allocation, items: invoice.items, tax_breakdown: invoice.tax_breakdown }
  }
  const shown = taken.filter(({ isShown }) => isShown)
  return { ...allocation, items: shown.map((part, index) => lineOf(part, index + 1, description)) }
}

/** Splits `gross` into its taxes and its net: for one rate, tax = round(gross * rate / (100 + rate)), half up. */
const split = (gross: BigDecimal.BigDecimal, groups: ReadonlyArray<TaxGroup>, exponent: number) => {
  const weights = [...groups.map(({ rate }) => rate), hundred]
  const parts = allocate(BigDecimal.abs(gross), weights, exponent)
  return BigDecimal.isNegative(gross) ? parts.map(BigDecimal.negate) : parts
}

/**
 * The roundings of earlier notes add up in the rest of a part. Before the tax of this rest breaks BR-CO-17, this note
 * takes one unit of the currency more or less as tax, if it can do so without breaking BR-CO-17 itself. A part with
 * several taxes on one net stays as it is.
 */
const sparingRest = (
  { groups: [group, ...others], left }: Part,
  amounts: ReadonlyArray<BigDecimal.BigDecimal>,
  exponent: number
): ReadonlyArray<BigDecimal.BigDecimal> => {
  if (group === undefined || others.length > 0) return amounts
  const excessOf = ([tax = zero, net = zero]: ReadonlyArray<BigDecimal.BigDecimal>) =>
    BigDecimal.subtract(tax, percentOf(net, group.rate))
  const excessAfter = (taken: ReadonlyArray<BigDecimal.BigDecimal>) =>
    excessOf(left.map((amount, index) => BigDecimal.subtract(amount, taken[index] ?? zero)))
  const excess = excessAfter(amounts)
  if (BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(excess), half)) return amounts
  const unit = BigDecimal.make(BigInt(BigDecimal.sign(excess)), exponent)
  const [tax = zero, net = zero] = amounts
  const moved = [BigDecimal.sum(tax, unit), BigDecimal.subtract(net, unit)]
  const fits = moved.every((amount, index) => isUpTo(left[index] ?? zero, amount))
  const helps = BigDecimal.isLessThan(BigDecimal.abs(excessAfter(moved)), BigDecimal.abs(excess))
  return fits && helps && isAccepted(excessOf(moved)) ? moved : amounts
}

/** True if the validators of EN 16931 accept a tax that exceeds the exact tax by `excess` (BR-CO-17). */
const isAccepted = (excess: BigDecimal.BigDecimal): boolean =>
  BigDecimal.isLessThan(BigDecimal.abs(roundHalfAwayFromZero(excess, 2)), one)

/** Distributes a credited net to the lines from which it is taken, in proportion to what each line has left. */
const sharesOf = ({ lines }: Part, net: BigDecimal.BigDecimal, exponent: number): ReadonlyArray<LineShare> => {
  const weights = lines.map((line) => line.net)
  const shares = allocate(net, weights, exponent)
  return lines.map(({ item }, index) => ({
    item,
    quantity: zero,
    by_quantity: zero,
    by_amount: shares[index] ?? zero
  }))
}

/** Takes all that the lines have left. If their sum is zero, `sharesOf` would take nothing. */
const restOf = ({ lines }: Part): ReadonlyArray<LineShare> =>
  lines.map(({ item, net }) => ({ item, quantity: zero, by_quantity: zero, by_amount: net }))

const lineOf = ({ amounts, part }: TakenPart, position: number, description: string): CreditNoteItem => {
  const net = netOf(amounts)
  const taxes = taxesOf(amounts)
  return {
    id: LineItemId.make(position),
    position,
    description,
    ...lumpSum(net),
    tax_exempt: part.line.tax_exempt,
    tax_exemption_reason: part.line.tax_exemption_reason,
    ...(part.line.exemption_code === undefined ? {} : { exemption_code: part.line.exemption_code }),
    tax_amount: BigDecimal.sumAll(taxes),
    tax_rates: taxLinesOf(part.groups, net, taxes)
  }
}
