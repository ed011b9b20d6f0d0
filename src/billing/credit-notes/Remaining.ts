import { BigDecimal } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { allocate, percentOf, roundShares, zero } from "../../kernel/Money.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import type { LineItem } from "../lines/LineItem.ts"
import { bears, type TaxGroup } from "../lines/Tax.ts"

/** The fields from which a credit note is computed; an issued invoice never changes them. */
export type CreditedInvoice = Pick<
  InvoiceFacts,
  "currency" | "items" | "tax_breakdown" | "rounding_adjustment" | "total"
>

/** A line of the invoice, with the amounts that earlier notes have taken. */
export interface RemainingLine {
  readonly item: LineItem
  /** The quantity that notes have credited; `by_quantity` is its net amount. */
  readonly quantity: BigDecimal.BigDecimal
  readonly by_quantity: BigDecimal.BigDecimal
  /** The net credited by amount, including the line's share of notes that credit an amount of the whole invoice. */
  readonly by_amount: BigDecimal.BigDecimal
  readonly net: BigDecimal.BigDecimal
}

/** Lines with the same taxes. With one rate per line, a part is a row of the tax breakdown. */
export interface Part {
  /** Any of the lines: all of them have the same taxes. */
  readonly line: LineItem
  readonly groups: ReadonlyArray<TaxGroup>
  /** The amounts on the invoice: the tax of each group, followed by the net. All have the same sign. */
  readonly amounts: ReadonlyArray<BigDecimal.BigDecimal>
  /** `amounts`, less the amounts that earlier notes have credited. */
  readonly left: ReadonlyArray<BigDecimal.BigDecimal>
  readonly lines: ReadonlyArray<RemainingLine>
}

export interface Remaining {
  readonly parts: ReadonlyArray<Part>
  readonly rounding_adjustment: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
}

/** True for a line of the invoice itself. A line that represents a discount or a charge has a negative id. */
export const isOwnLine = ({ id }: Pick<LineItem, "id">): boolean => id > 0

export const ownLines = ({ lines }: Part) => lines.filter(({ item }) => isOwnLine(item))

export const netOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => amounts.at(-1) ?? zero
export const taxesOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => amounts.slice(0, -1)

/** `credited` contains the sums of the `shares` of earlier notes; see `Allocation`. */
export const remainingOf = (invoice: CreditedInvoice, credited: ReadonlyArray<BigDecimal.BigDecimal>): Remaining => {
  const exponent = exponentOf(invoice.currency)
  let position = 0
  const taken = () => credited[position++] ?? zero
  const parts = partsOf(invoice, exponent).map((part) => ({
    ...part,
    left: part.amounts.map((amount) => BigDecimal.subtract(amount, taken()))
  }))
  const rounding_adjustment = BigDecimal.subtract(invoice.rounding_adjustment, taken())
  const lines = new Map(
    invoice.items.map((item) => [item, { item, quantity: taken(), by_quantity: taken(), by_amount: taken() }])
  )
  const left = parts.map((part) => ({
    ...part,
    lines: attributed(
      part,
      part.items.flatMap((item) => lines.get(item) ?? []),
      exponent
    )
  }))
  const amounts = left.flatMap((part) => part.left)
  return { parts: left, rounding_adjustment, total: BigDecimal.sumAll([...amounts, rounding_adjustment]) }
}

type Taken = Omit<RemainingLine, "net">

/**
 * Older versions of the service recorded the credited amounts only for each part of an invoice (the lines with the same
 * taxes). These amounts are distributed to the lines, in proportion to the totals of the lines.
 */
const attributed = (
  { amounts, left }: Pick<Part, "amounts" | "left">,
  lines: ReadonlyArray<Taken>,
  exponent: number
): ReadonlyArray<RemainingLine> => {
  const counted = BigDecimal.sumAll(lines.flatMap(({ by_amount, by_quantity }) => [by_amount, by_quantity]))
  const uncounted = BigDecimal.subtract(BigDecimal.subtract(netOf(amounts), netOf(left)), counted)
  const totals = lines.map(({ item }) => item.line_total)
  const shares = allocate(uncounted, totals, exponent)
  return lines.map((line, index) => {
    const by_amount = BigDecimal.sum(line.by_amount, shares[index] ?? zero)
    const taken = BigDecimal.sum(line.by_quantity, by_amount)
    return { ...line, by_amount, net: BigDecimal.subtract(line.item.line_total, taken) }
  })
}

interface LinesOfPart extends Pick<Part, "line" | "groups"> {
  readonly items: ReadonlyArray<LineItem>
  readonly net: BigDecimal.BigDecimal
}

const partsOf = ({ items, tax_breakdown }: CreditedInvoice, exponent: number) => {
  const nets = new Map<string, LinesOfPart>()
  for (const line of items) {
    const groups = tax_breakdown.filter((group) => bears(line, group))
    const key = groups.map((group) => tax_breakdown.indexOf(group)).join()
    const known = nets.get(key) ?? { line, groups, items: [], net: zero }
    const net = BigDecimal.sum(known.net, line.line_total)
    nets.set(key, { ...known, items: [...known.items, line], net })
  }
  const parts = [...nets.values()]
  // The tax in each row of the tax breakdown is distributed to the parts (lines with the same taxes), so that the taxes
  // of the parts add up to it exactly.
  const taxes = new Map(
    tax_breakdown.map((group) => {
      const exact = parts.map(({ groups, net }) => (groups.includes(group) ? percentOf(net, group.rate) : zero))
      return [group, roundShares(exact, exponent, group.tax_amount)]
    })
  )
  return parts.map(({ groups, items, line, net }, index) => ({
    line,
    groups,
    items,
    amounts: [...groups.map((group) => taxes.get(group)?.[index] ?? zero), net]
  }))
}
