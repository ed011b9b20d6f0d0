import { BigDecimal } from "effect"
import { zero } from "../../../kernel/Money.ts"

/** Moves what exceeds its limit to the amounts with room, the first ones first; the sum stays, if there is room. */
export const within = (
  limits: ReadonlyArray<BigDecimal.BigDecimal>,
  amounts: ReadonlyArray<BigDecimal.BigDecimal>
): ReadonlyArray<BigDecimal.BigDecimal> => {
  const capped = amounts.map((amount, index) => nearer(amount, limits[index] ?? zero))
  let over = BigDecimal.subtract(BigDecimal.sumAll(amounts), BigDecimal.sumAll(capped))
  return capped.map((amount, index) => {
    const more = nearer(over, BigDecimal.subtract(limits[index] ?? zero, amount))
    over = BigDecimal.subtract(over, more)
    return BigDecimal.sum(amount, more)
  })
}

/** The one of two amounts of the same sign that is nearer to zero. */
const nearer = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThan(BigDecimal.abs(left), BigDecimal.abs(right)) ? left : right

/** The amount, but not beyond `limit`, and not on the other side of zero. */
export const upTo = (limit: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  BigDecimal.clamp(amount, { minimum: BigDecimal.min(zero, limit), maximum: BigDecimal.max(zero, limit) })

export const isUpTo = (limit: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal): boolean =>
  BigDecimal.equals(upTo(limit, amount), amount)
