import { BigDecimal } from "effect"
import { zero } from "../../kernel/Money.ts"
import type { TaxGroup, TaxLine } from "../lines/Tax.ts"
import type { CreditNoteItem } from "./CreditNoteItem.ts"
import { type CreditedInvoice, netOf, type Part, type RemainingLine, taxesOf } from "./Remaining.ts"

/** All amounts of a credit note, in the decimals of its currency. A line's `id` is its position until it is saved. */
export interface Allocation {
  readonly items: ReadonlyArray<CreditNoteItem>
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
  readonly subtotal: BigDecimal.BigDecimal
  readonly tax_total: BigDecimal.BigDecimal
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  /**
   * The amounts that the note takes from its invoice, in this order: the taxes and the net of each part (the lines with
   * the same taxes); the rounding adjustment; and for each line the credited quantity, the net of that quantity, and
   * the net credited by amount. The rest of the invoice is computed from the sums of the shares of all notes.
   */
  readonly shares: ReadonlyArray<BigDecimal.BigDecimal>
}

/** The quantity and the amounts that a credit note takes from a line of its invoice. */
export type LineShare = Pick<RemainingLine, "item" | "quantity" | "by_quantity" | "by_amount">

/** The amounts that a credit note takes from a part of its invoice, i.e. from the lines with the same taxes. */
export interface TakenPart {
  readonly part: Part
  /** The tax of each tax group, followed by the net. */
  readonly amounts: ReadonlyArray<BigDecimal.BigDecimal>
  readonly lines: ReadonlyArray<LineShare>
  /** True when the tax breakdown has a row for the part. */
  readonly isShown: boolean
}

export const allocationOf = (
  { items, tax_breakdown }: CreditedInvoice,
  taken: ReadonlyArray<TakenPart>,
  rounding_adjustment: BigDecimal.BigDecimal
): Omit<Allocation, "items"> => {
  const amounts = taken.flatMap((part) => part.amounts)
  const lines = new Map(taken.flatMap((part) => part.lines.map((line) => [line.item, line])))
  const perLine = items.flatMap((item) => {
    const { by_amount = zero, by_quantity = zero, quantity = zero } = lines.get(item) ?? {}
    return [quantity, by_quantity, by_amount]
  })
  return {
    tax_breakdown: breakdownOf(tax_breakdown, taken),
    subtotal: BigDecimal.sumAll(taken.map((part) => netOf(part.amounts))),
    tax_total: BigDecimal.sumAll(taken.flatMap((part) => taxesOf(part.amounts))),
    rounding_adjustment,
    total: BigDecimal.sumAll([...amounts, rounding_adjustment]),
    shares: [...amounts, rounding_adjustment, ...perLine]
  }
}

const breakdownOf = (groups: ReadonlyArray<TaxGroup>, taken: ReadonlyArray<TakenPart>): ReadonlyArray<TaxGroup> =>
  groups.flatMap((group) => {
    const bearing = taken.filter(({ isShown, part }) => isShown && part.groups.includes(group))
    if (bearing.length === 0) return []
    const taxable_amount = BigDecimal.sumAll(bearing.map(({ amounts }) => netOf(amounts)))
    const taxes = bearing.map(({ amounts, part }) => amounts[part.groups.indexOf(group)] ?? zero)
    return [{ ...group, taxable_amount, tax_amount: BigDecimal.sumAll(taxes) }]
  })

export const taxLinesOf = (
  groups: ReadonlyArray<TaxGroup>,
  taxable_amount: BigDecimal.BigDecimal,
  taxes: ReadonlyArray<BigDecimal.BigDecimal>
): ReadonlyArray<TaxLine> =>
  groups.flatMap(({ tax_rate_id: id, ...tax }, index) =>
    id === null ? [] : [{ ...tax, id, taxable_amount, tax_amount: taxes[index] ?? zero }]
  )
