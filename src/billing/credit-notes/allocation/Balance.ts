import { BigDecimal } from "effect"
import { hundred, percentOf, zero } from "../../../kernel/Money.ts"
import type { TaxGroup } from "../../lines/Tax.ts"
import { isDeclaredAlike } from "../../lines/VatGroups.ts"
import type { TakenPart } from "../Allocation.ts"
import { netOf } from "../Remaining.ts"
import { upTo } from "./Within.ts"

/** The amounts that a note takes from a part. */
export type Drawn = Pick<TakenPart, "part" | "amounts">

/**
 * Returns the amount that a note takes from a part as tax instead of as net, so that e-invoices accept the tax of the
 * note and, later, the tax of the rest. `earlier` contains the amounts that the note takes from other parts, because
 * parts with the same percentage are one row of an e-invoice. A part with several taxes on one net stays as it is.
 */
export const movedToTax = (
  { amounts, part }: Drawn,
  earlier: ReadonlyArray<Drawn>,
  exponent: number
): BigDecimal.BigDecimal => {
  const [group, ...others] = part.groups
  if (group === undefined || others.length > 0) return zero
  const { rest, taken } = excessesOf(group, [...earlier, { part, amounts }])
  const coin = BigDecimal.make(1n, exponent)
  // A coin that is taken as tax instead of as net changes the difference by the coin and its tax.
  const step = percentOf(coin, BigDecimal.sum(hundred, group.rate))
  // Half a step is the smallest difference to which the tax of a rest can always be brought.
  const rest_max = BigDecimal.max(BigDecimal.divideUnsafe(step, two), exponent === 0 ? zero : coin)
  const forRest = nearest(zero, rest, rest_max, step)
  const coins = nearest(forRest, BigDecimal.negate(taken), toleranceOf(exponent), step)
  const [tax = zero, net = zero] = amounts
  const [tax_left = zero, net_left = zero] = part.left
  const less = BigDecimal.subtract(net, upTo(net_left, BigDecimal.subtract(net, BigDecimal.multiply(coins, coin))))
  return BigDecimal.subtract(upTo(tax_left, BigDecimal.sum(tax, less)), tax)
}

const two = BigDecimal.fromBigInt(2n)

/**
 * Returns the maximum difference between a tax and its exact amount. In a currency with decimals, the tax may differ by
 * one cent from the rounded exact tax: the Italian control 00421 is the strictest rule. In a currency without decimals,
 * the difference must be below 1.00 (BR-CO-17).
 */
const toleranceOf = (exponent: number) => BigDecimal.make(exponent === 0 ? 99n : 149n, exponent + 2)

/** Returns the whole number nearest to `coins` whose product with `step` differs from `excess` by at most `by`. */
const nearest = (
  coins: BigDecimal.BigDecimal,
  excess: BigDecimal.BigDecimal,
  by: BigDecimal.BigDecimal,
  step: BigDecimal.BigDecimal
) =>
  BigDecimal.clamp(coins, {
    minimum: BigDecimal.ceil(BigDecimal.divideUnsafe(BigDecimal.subtract(excess, by), step)),
    maximum: BigDecimal.floor(BigDecimal.divideUnsafe(BigDecimal.sum(excess, by), step))
  })

/** Returns by how much the tax that a note takes exceeds the exact tax, and by how much the tax of the rest does. */
const excessesOf = (group: TaxGroup, drawn: ReadonlyArray<Drawn>) => {
  const sums = drawn.flatMap(({ amounts, part }) =>
    part.groups.flatMap((other, index) => {
      if (!isDeclaredAlike(other, group)) return []
      const excess = (from: ReadonlyArray<BigDecimal.BigDecimal>) =>
        BigDecimal.subtract(from[index] ?? zero, percentOf(netOf(from), group.rate))
      const taken = excess(amounts)
      return [{ taken, rest: BigDecimal.subtract(excess(part.left), taken) }]
    })
  )
  return {
    taken: BigDecimal.sumAll(sums.map(({ taken }) => taken)),
    rest: BigDecimal.sumAll(sums.map(({ rest }) => rest))
  }
}
