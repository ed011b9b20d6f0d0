import { BigDecimal } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import { allocate, zero } from "../../../kernel/Money.ts"
import { LineItemId } from "../../lines/LineItem.ts"
import type { TaxGroup } from "../../lines/Tax.ts"
import type { CreditNoteItem } from "../CreditNoteItem.ts"
import { type Allocation, allocationOf, type LineShare, type TakenPart, taxLinesOf } from "./Allocation.ts"
import { type CreditedInvoice, netOf, type Part, remainingOf, taxesOf } from "./Remaining.ts"
import { within } from "./Within.ts"

const one = BigDecimal.fromBigInt(1n)
const hundred = BigDecimal.fromBigInt(100n)

/**
 * Takes `amount`, gross, out of what earlier notes (the sums of their `shares`, none at first) have left of the invoice:
 * from each part in proportion to its remaining gross by largest remainder, with tax = round(gross * rate / (100 +
 * rate)), but never more tax or net than the part has left. So the note that exhausts a part takes its exact rest.
 * `amount` is positive, in the currency's decimals and at most what is left. Contract section 7.
 *
 * Few gross amounts are a net and exactly its tax (at 21 % no net gives 100.00), so the tax of a partial note may be a
 * cent or two off what BR-CO-17 computes from its net; the validators of EN 16931 allow less than 1.00. In return the
 * notes of an invoice take exactly its taxes, whatever the amounts.
 */
export const creditByAmount = (
  invoice: CreditedInvoice,
  credited: ReadonlyArray<BigDecimal.BigDecimal>,
  amount: BigDecimal.BigDecimal,
  description: string
): Allocation => {
  const exponent = exponentOf(invoice.currency)
  const { parts, rounding_adjustment } = remainingOf(invoice, credited)
  const weights = [...parts.map(({ left }) => BigDecimal.sumAll(left)), rounding_adjustment]
  const grosses = allocate(amount, weights, exponent)
  const taken = parts.map((part, index): TakenPart => {
    const amounts = within(part.left, split(grosses[index] ?? zero, part.groups, exponent))
    const isShown = amounts.some((share) => !BigDecimal.isZero(share))
    return { part, amounts, isShown, lines: sharesOf(part, netOf(amounts), exponent) }
  })
  const allocation = allocationOf(invoice, taken, grosses.at(-1) ?? zero)
  if (credited.every(BigDecimal.isZero) && BigDecimal.equals(amount, invoice.total)) {
    return { ...allocation, items: invoice.items, tax_breakdown: invoice.tax_breakdown }
  }
  const shown = taken.filter(({ isShown }) => isShown)
  return { ...allocation, items: shown.map((part, index) => lineOf(part, index + 1, description)) }
}

/** The taxes in `gross`, then its net: for one rate, tax = round(gross * rate / (100 + rate)), halves up. */
const split = (gross: BigDecimal.BigDecimal, groups: ReadonlyArray<TaxGroup>, exponent: number) => {
  const weights = [...groups.map(({ rate }) => rate), hundred]
  const parts = allocate(BigDecimal.abs(gross), weights, exponent)
  return BigDecimal.isNegative(gross) ? parts.map(BigDecimal.negate) : parts
}

/** The lines of a part share what is taken of it, in proportion to what each has left. */
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

/** One line for all that is taken from a part. */
const lineOf = ({ amounts, part }: TakenPart, position: number, description: string): CreditNoteItem => {
  const net = netOf(amounts)
  const taxes = taxesOf(amounts)
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
    tax_rates: taxLinesOf(part.groups, net, taxes)
  }
}
