import { BigDecimal, Effect } from "effect"
import { type CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { allocate, fitsExponent, formatAmount, hundred, roundHalfAwayFromZero, zero } from "../../../kernel/Money.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import type { CreditedItem } from "../CreditNoteItem.ts"
import { ownLines, type Part, type Remaining, type RemainingLine, taxesOf } from "../Remaining.ts"
import { upTo, within } from "./Within.ts"

const quantity_decimals = 6

export interface Claim {
  readonly part: Part
  readonly line: RemainingLine
  /** The position of the item in the note, starting at 1. */
  readonly position: number
  /** Both fields are absent for a line that represents a charge or discount on the document. */
  readonly asked: Pick<CreditedItem, "quantity" | "amount">
  readonly net: BigDecimal.BigDecimal
  /** The tax of each tax group; null if the taxes are computed later, for several claims together. */
  readonly taxes: ReadonlyArray<BigDecimal.BigDecimal> | null
}

type Claimed = Pick<Claim, "net" | "taxes">
interface Refused {
  readonly field: keyof CreditedItem
  readonly rule: string
}

/** Converts items to claims on the lines of the invoice. An item that takes more than its line has left is refused. */
export const claimsOf = (remaining: Remaining, items: ReadonlyArray<CreditedItem>, currency: CurrencyCode) => {
  const lines = new Map(
    remaining.parts.flatMap((part) => ownLines(part).map((line) => [line.item.id, { part, line }] as const))
  )
  const taxes = new Map(remaining.parts.map((part) => [part, taxesOf(part.left)]))
  const errors: Record<string, ReadonlyArray<string>> = {}
  const claims = items.flatMap((asked, index): ReadonlyArray<Claim> => {
    const refuse = ({ field, rule }: Refused) => {
      const path = `items.${index}.${field}`
      errors[path] = [`The ${path} field ${rule}`]
      return []
    }
    const found = lines.get(asked.invoice_item_id)
    if (found === undefined) return refuse({ field: "invoice_item_id", rule: "must name a line of the invoice." })
    if (items.findIndex((item) => item.invoice_item_id === asked.invoice_item_id) < index) {
      return refuse({ field: "invoice_item_id", rule: "may not name a line twice." })
    }
    const { line, part } = found
    const left = taxes.get(part) ?? []
    const claimed = claimOf(part, line, left, asked, currency)
    if ("rule" in claimed) return refuse(claimed)
    const used = claimed.taxes ?? []
    taxes.set(
      part,
      left.map((tax, place) => BigDecimal.subtract(tax, used[place] ?? zero))
    )
    return [{ part, line, position: index + 1, asked, ...claimed }]
  })
  return Object.keys(errors).length > 0 ? Effect.fail(ValidationFailed.of(errors)) : Effect.succeed(claims)
}

const claimOf = (
  part: Part,
  line: RemainingLine,
  taxes: ReadonlyArray<BigDecimal.BigDecimal>,
  { amount = null, quantity = null }: CreditedItem,
  currency: CurrencyCode
): Claimed | Refused => {
  const exponent = exponentOf(currency)
  if (amount === null) return claimQuantity(line, quantity ?? zero, exponent)
  if (fitsExponent(amount, exponent)) return claimAmount(part, line, taxes, amount, exponent)
  return { field: "amount", rule: `may not have more than ${exponent} decimal places in ${currency}.` }
}

/** The quantity left after all credits, rounded down to the decimals that clients can send. */
const quantityLeft = ({ by_amount, item, quantity }: RemainingLine): BigDecimal.BigDecimal => {
  const free = BigDecimal.subtract(item.quantity, quantity)
  if (BigDecimal.isZero(by_amount)) return free
  const used = BigDecimal.divideUnsafe(BigDecimal.multiply(item.quantity, by_amount), item.line_total)
  return BigDecimal.floor(BigDecimal.subtract(free, used), quantity_decimals)
}

/**
 * Returns the net of the quantity credited so far, with this one, less the net that was credited before. So the
 * rounding errors of many small quantities do not add up. Crediting all of the remaining quantity takes all of the
 * remaining net.
 */
const claimQuantity = (line: RemainingLine, quantity: BigDecimal.BigDecimal, exponent: number): Claimed | Refused => {
  const most = quantityLeft(line)
  if (BigDecimal.isGreaterThan(quantity, most)) {
    return { field: "quantity", rule: `may not be more than ${BigDecimal.format(most)}, which is left of the line.` }
  }
  if (BigDecimal.equals(quantity, most)) return { net: line.net, taxes: null }
  const { by_quantity, item } = line
  const credited = BigDecimal.multiply(item.line_total, BigDecimal.sum(line.quantity, quantity))
  const net = roundHalfAwayFromZero(BigDecimal.divideUnsafe(credited, item.quantity), exponent)
  return { net: upTo(line.net, BigDecimal.subtract(net, by_quantity)), taxes: null }
}

/**
 * Returns the net that, with its taxes, gives the amount. If the rest of the line, with its taxes, differs from the
 * amount only by rounding, returns the whole rest.
 */
const claimAmount = (
  { groups }: Part,
  { item, net: left }: RemainingLine,
  taxes: ReadonlyArray<BigDecimal.BigDecimal>,
  amount: BigDecimal.BigDecimal,
  exponent: number
): Claimed | Refused => {
  if (BigDecimal.isNegative(item.line_total)) {
    return { field: "amount", rule: "may not be given for a line with a negative amount: give its quantity." }
  }
  const rates = groups.map(({ rate }) => rate)
  const factor = BigDecimal.sumAll([hundred, ...rates])
  const price = BigDecimal.divideUnsafe(BigDecimal.multiply(left, factor), hundred)
  const coin = BigDecimal.make(1n, exponent)
  const isAll = BigDecimal.isLessThan(BigDecimal.abs(BigDecimal.subtract(amount, price)), coin)
  const exact = BigDecimal.divideUnsafe(BigDecimal.multiply(amount, hundred), factor)
  const net = isAll ? left : roundHalfAwayFromZero(exact, exponent)
  const asked = [...allocate(BigDecimal.subtract(amount, net), rates, exponent), net]
  const found = within([...taxes, left], asked)
  const isBeyond = BigDecimal.isGreaterThan(net, left) || !BigDecimal.equals(BigDecimal.sumAll(found), amount)
  if (isBeyond || BigDecimal.isZero(left)) {
    const rounded = roundHalfAwayFromZero(price, exponent)
    const most = BigDecimal.min(rounded, BigDecimal.sumAll([left, ...taxes]))
    const rule = `may not be more than ${formatAmount(most, exponent)}, which is left of the line with its taxes.`
    return { field: "amount", rule }
  }
  return { net: found.at(-1) ?? zero, taxes: found.slice(0, -1) }
}

/** Moves an amount from the nets of the claims that have a tax of their own to these taxes, the largest claim first. */
export const withTax = (claims: ReadonlyArray<Claim>, amount: BigDecimal.BigDecimal): ReadonlyArray<Claim> => {
  const movable = claims
    .flatMap((claim) => (claim.taxes === null ? [] : [{ claim, tax: BigDecimal.sumAll(claim.taxes) }]))
    .toSorted((left, right) => BigDecimal.Order(right.claim.net, left.claim.net))
  const limits = movable.map(({ claim: { line, net }, tax }) =>
    BigDecimal.isPositive(amount) ? net : BigDecimal.negate(BigDecimal.min(tax, BigDecimal.subtract(line.net, net)))
  )
  const moves = within(
    limits,
    movable.map((_, index) => (index === 0 ? amount : zero))
  )
  const moved = new Map(movable.map(({ claim }, index) => [claim, moves[index] ?? zero]))
  return claims.map((claim) => {
    const more = moved.get(claim) ?? zero
    return BigDecimal.isZero(more)
      ? claim
      : {
          ...claim,
          net: BigDecimal.subtract(claim.net, more),
          taxes: claim.taxes?.map((tax) => BigDecimal.sum(tax, more)) ?? null
        }
  })
}
