import { BigDecimal } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import { allocate, hundred, zero } from "../../../kernel/Money.ts"
import { LineItemId, lumpSum } from "../../lines/LineItem.ts"
import type { TaxGroup } from "../../lines/Tax.ts"
import type { CreditNoteItem } from "../CreditNoteItem.ts"
import { type Allocation, allocationOf, type LineShare, type TakenPart, taxLinesOf } from "../Allocation.ts"
import { type CreditedInvoice, netOf, type Part, remainingOf, taxesOf } from "../Remaining.ts"
import { type Drawn, movedToTax } from "./Balance.ts"
import { within } from "./Within.ts"

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
 * may differ by a cent from the exact tax of its net, rounded; see `movedToTax`. In return, all notes of an invoice
 * together take exactly its taxes, whatever their amounts.
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
  const taken = parts.reduce<ReadonlyArray<TakenPart>>((earlier, part, index) => {
    const drawn = within(part.left, split(grosses[index] ?? zero, part.groups, exponent))
    const amounts = balanced({ part, amounts: drawn }, earlier, exponent)
    const isShown = amounts.some((share) => !BigDecimal.isZero(share))
    const lines = isLast ? restOf(part) : sharesOf(part, netOf(amounts), exponent)
    return [...earlier, { part, amounts, isShown, lines }]
  }, [])
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

const balanced = (drawn: Drawn, earlier: ReadonlyArray<Drawn>, exponent: number) => {
  const moved = movedToTax(drawn, earlier, exponent)
  const [tax = zero, net = zero] = drawn.amounts
  return BigDecimal.isZero(moved) ? drawn.amounts : [BigDecimal.sum(tax, moved), BigDecimal.subtract(net, moved)]
}

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
