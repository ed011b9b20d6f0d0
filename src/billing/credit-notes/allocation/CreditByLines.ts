import { BigDecimal, Effect } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import { percentOf, roundHalfAwayFromZero, roundShares, zero } from "../../../kernel/Money.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { LineItemId } from "../../lines/LineItem.ts"
import type { CreditedItem, CreditNoteItem } from "../CreditNoteItem.ts"
import { ExceedsCreditableAmount } from "../CreditNoteErrors.ts"
import { type Allocation, allocationOf, type TakenPart, taxLinesOf } from "../Allocation.ts"
import { type Claim, claimsOf, withTax } from "./Claims.ts"
import { isOwnLine, netOf, ownLines, remainingOf } from "../Remaining.ts"
import type { CreditedInvoice, Part, Remaining, RemainingLine } from "../Remaining.ts"
import { type Drawn, movedToTax } from "./Balance.ts"
import { isUpTo, upTo } from "./Within.ts"

const one = BigDecimal.fromBigInt(1n)

/**
 * Credits lines or parts of lines of the invoice. `credited` contains the sums of the `shares` of earlier notes.
 *
 * The tax of a part (the lines with the same taxes) is the rate times its net, rounded once and not line by line. It is
 * a cent more or less where the rounding errors of several notes would otherwise add up in the rest. Where those of
 * lines credited by amount add up, these lines take some cents as tax instead of as net, or the other way round. The
 * note that takes the last net of a part takes the exact rest of its tax. A charge on the document is credited in
 * proportion to the net of the lines of its part, without those that deduct a deposit. The note that exhausts all lines
 * also takes the charges whose taxes no line has, and the rounding adjustment.
 */
export const creditByLines = Effect.fnUntraced(function* (
  invoice: CreditedInvoice,
  credited: ReadonlyArray<BigDecimal.BigDecimal>,
  asked: ReadonlyArray<CreditedItem>
): Effect.fn.Return<Allocation, ValidationFailed | ExceedsCreditableAmount> {
  const exponent = exponentOf(invoice.currency)
  const remaining = remainingOf(invoice, credited)
  const claims = yield* claimsOf(remaining, asked, invoice.currency)
  const takenBy = (claimsOn: (part: Part) => ReadonlyArray<Claim>) =>
    remaining.parts.reduce<ReadonlyArray<CreditedPart>>(
      (earlier, part) => [...earlier, takenOf(part, claimsOn(part), earlier, exponent)],
      []
    )
  const ofLines = takenBy((part) => withCharges(part, claims, exponent))
  const isLast = ofLines.every((taken) => ownLines(taken.part).length === 0 || isExhausting(taken))
  const taken = isLast
    ? takenBy((part) => (ownLines(part).length > 0 ? withCharges(part, claims, exponent) : restOf(part)))
    : ofLines
  const rounding_adjustment = isLast ? remaining.rounding_adjustment : zero
  const allocation = allocationOf(invoice, taken, rounding_adjustment)
  yield* requireCreditable(remaining, taken, allocation.total)
  const lines = taken.flatMap((part) => part.items)
  const sorted = lines.toSorted((left, right) => left.position - right.position)
  const items = sorted.map((line, index) => ({ ...line, id: LineItemId.make(index + 1), position: index + 1 }))
  return { ...allocation, items }
})

const beyond_tax =
  "The items field credits more of a tax than is left of it: also name the lines with negative amounts, or credit less."
const nothing_credited = "The items field must add up to more than 0."
const cancelling_rest =
  "The items field leaves taxes whose sum is zero, so that no later note could credit them: name more lines."

const refuse = (message: string) => Effect.fail(ValidationFailed.of({ items: [message] }))

const requireCreditable = (
  remaining: Remaining,
  taken: ReadonlyArray<TakenPart>,
  total: BigDecimal.BigDecimal
): Effect.Effect<void, ValidationFailed | ExceedsCreditableAmount> => {
  if (taken.some(({ amounts, part }) => !isUpTo(netOf(part.left), netOf(amounts)))) return refuse(beyond_tax)
  if (!BigDecimal.isPositive(total)) return refuse(nothing_credited)
  if (BigDecimal.isGreaterThan(total, remaining.total)) {
    return Effect.fail(ExceedsCreditableAmount.of(remaining.total))
  }
  const isRest = BigDecimal.equals(total, remaining.total)
  return isRest && !taken.every(isExhausting) ? refuse(cancelling_rest) : Effect.void
}

const isExhausting = ({ amounts, part }: TakenPart) =>
  amounts.every((amount, index) => BigDecimal.equals(amount, part.left[index] ?? zero))

const withCharges = (part: Part, all: ReadonlyArray<Claim>, exponent: number): ReadonlyArray<Claim> => {
  const claims = all.filter((claim) => claim.part === part)
  if (claims.length === 0) return claims
  // Lines that deduct a deposit bear no part of a charge; see `weightsOf`.
  const lines = ownLines(part)
  const sold = lines.filter((line) => BigDecimal.isPositive(line.net))
  const bearing = sold.length > 0 ? sold : lines
  const net = netOfAll(claims.filter(({ line }) => bearing.includes(line)))
  const left = BigDecimal.sumAll(bearing.map((line) => line.net))
  const charges = part.lines
    .filter(({ item }) => !isOwnLine(item))
    .map((line) => goingAlong(part, line, shareOfCharge(line.net, net, left, exponent)))
  return [...claims, ...charges.filter((charge) => !BigDecimal.isZero(charge.net))]
}

const shareOfCharge = (
  charge: BigDecimal.BigDecimal,
  net: BigDecimal.BigDecimal,
  left: BigDecimal.BigDecimal,
  exponent: number
) => {
  if (BigDecimal.equals(net, left) || BigDecimal.isZero(left)) return charge
  const share = BigDecimal.divideUnsafe(BigDecimal.multiply(charge, net), left)
  return upTo(charge, roundHalfAwayFromZero(share, exponent))
}

const restOf = (part: Part): ReadonlyArray<Claim> => part.lines.map((line) => goingAlong(part, line, line.net))

const goingAlong = (part: Part, line: RemainingLine, net: BigDecimal.BigDecimal): Claim => ({
  part,
  line,
  position: Infinity,
  asked: {},
  net,
  taxes: null
})

interface CreditedPart extends TakenPart {
  readonly items: ReadonlyArray<CreditNoteItem>
}

const takenOf = (
  part: Part,
  claims: ReadonlyArray<Claim>,
  earlier: ReadonlyArray<Drawn>,
  exponent: number
): CreditedPart => {
  const following = followingTaxes(part, claims, exponent)
  const moved = movedToTax({ part, amounts: amountsOf(part, claims, following) }, earlier, exponent)
  const balanced = withTax(claims, moved)
  return {
    part,
    amounts: amountsOf(part, balanced, following),
    lines: balanced.map(shareOf),
    isShown: claims.length > 0,
    items: itemsOf(part, balanced, following, exponent)
  }
}

const fixedTaxes = ({ groups }: Part, claims: ReadonlyArray<Claim>) =>
  groups.map((_, index) => BigDecimal.sumAll(claims.map(({ taxes }) => taxes?.[index] ?? zero)))

const netOfAll = (claims: ReadonlyArray<Claim>) => BigDecimal.sumAll(claims.map(({ net }) => net))

const amountsOf = (part: Part, claims: ReadonlyArray<Claim>, following: ReadonlyArray<BigDecimal.BigDecimal>) => [
  ...fixedTaxes(part, claims).map((tax, index) => BigDecimal.sum(tax, following[index] ?? zero)),
  netOfAll(claims)
]

/** Returns, for each tax group, the taxes of those claims on a part that have no taxes of their own yet. */
const followingTaxes = (part: Part, claims: ReadonlyArray<Claim>, exponent: number) => {
  const net = netOfAll(claims)
  const following = claims.filter(({ taxes }) => taxes === null)
  if (following.every((claim) => BigDecimal.isZero(claim.net))) return []
  const fixed = fixedTaxes(part, claims)
  return part.groups.map(({ rate }, index) => {
    const limit = BigDecimal.subtract(part.left[index] ?? zero, fixed[index] ?? zero)
    if (BigDecimal.equals(net, netOf(part.left))) return limit
    const exact = percentOf(netOfAll(following), rate)
    // This tax would leave a rest whose tax is exact.
    const sparing = BigDecimal.subtract(limit, percentOf(BigDecimal.subtract(netOf(part.left), net), rate))
    const excess_max = excessMax(BigDecimal.subtract(sparing, exact), exponent)
    const tax = BigDecimal.clamp(roundHalfAwayFromZero(exact, exponent), {
      minimum: BigDecimal.ceil(BigDecimal.subtract(sparing, excess_max), exponent),
      maximum: BigDecimal.floor(BigDecimal.sum(sparing, excess_max), exponent)
    })
    return upTo(limit, tax)
  })
}

const half = BigDecimal.make(5n, 1)

/**
 * The amount by which the tax of a rest may differ from its exact tax: one coin, or the difference that earlier notes
 * have left, but at most half of the 1.00 at which e-invoices are refused (BR-CO-17). Then the tax that the note takes
 * also differs by less than 1.00.
 */
const excessMax = (before: BigDecimal.BigDecimal, exponent: number) =>
  BigDecimal.min(half, BigDecimal.max(BigDecimal.make(1n, exponent), BigDecimal.abs(before)))

const shareOf = ({ asked, line, net }: Claim) => {
  const quantity = asked.quantity ?? null
  return quantity === null
    ? { item: line.item, quantity: zero, by_quantity: zero, by_amount: net }
    : { item: line.item, quantity, by_quantity: net, by_amount: zero }
}

const itemsOf = (
  { groups }: Part,
  claims: ReadonlyArray<Claim>,
  following: ReadonlyArray<BigDecimal.BigDecimal>,
  exponent: number
): ReadonlyArray<CreditNoteItem> => {
  const nets = claims.map(({ net, taxes }) => (taxes === null ? net : zero))
  const shared = following.map((tax, index) => sharesOfTax(nets, groups[index]?.rate ?? zero, tax, exponent))
  return claims.map((claim, place) => {
    const taxes = claim.taxes ?? shared.map((shares) => shares[place] ?? zero)
    const { line, net, position } = claim
    return {
      ...line.item,
      ...pricedAs(claim, exponent),
      ...(isOwnLine(line.item) ? { invoice_item_id: line.item.id } : {}),
      position,
      line_total: net,
      tax_amount: BigDecimal.sumAll(taxes),
      tax_rates: taxLinesOf(groups, net, taxes)
    }
  })
}

/**
 * Distributes a tax to the lines by largest remainder. If earlier roundings made the tax differ by a unit or more from
 * the exact taxes of the lines, the largest line takes the difference.
 */
const sharesOfTax = (
  nets: ReadonlyArray<BigDecimal.BigDecimal>,
  rate: BigDecimal.BigDecimal,
  tax: BigDecimal.BigDecimal,
  exponent: number
): ReadonlyArray<BigDecimal.BigDecimal> => {
  const exact = nets.map((net) => percentOf(net, rate))
  const off = BigDecimal.abs(BigDecimal.subtract(tax, BigDecimal.sumAll(exact)))
  if (BigDecimal.isLessThan(off, BigDecimal.make(1n, exponent))) return roundShares(exact, exponent, tax)
  const shares = roundShares(exact, exponent)
  const rest = BigDecimal.subtract(tax, BigDecimal.sumAll(shares))
  const sizes = nets.map((net) => BigDecimal.abs(net))
  const largest = sizes.indexOf(sizes.reduce((left, right) => BigDecimal.max(left, right), zero))
  return shares.map((share, index) => (index === largest ? BigDecimal.sum(share, rest) : share))
}

/** A line credited by quantity keeps its unit price. Otherwise the quantity is 1, and the net is the unit price. */
const pricedAs = ({ asked, line: { item }, net }: Claim, exponent: number) => {
  const { amount = null, quantity = null } = asked
  if (quantity === null) {
    return {
      ...(amount === null ? {} : { amount }),
      quantity: one,
      unit: "C62",
      unit_price: net,
      line_subtotal: net,
      discount: zero,
      discount_type: "percent" as const,
      discount_amount: zero
    }
  }
  const [part, whole] = BigDecimal.isZero(item.line_total) ? [quantity, item.quantity] : [net, item.line_total]
  const share = BigDecimal.divideUnsafe(BigDecimal.multiply(item.discount_amount, part), whole)
  const discount_amount = roundHalfAwayFromZero(share, exponent)
  return {
    quantity,
    discount: item.discount_type === "amount" ? discount_amount : item.discount,
    discount_amount,
    line_subtotal: BigDecimal.sum(net, discount_amount)
  }
}
