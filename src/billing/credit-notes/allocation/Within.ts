import { BigDecimal } from "effect"
import { zero } from "../../../kernel/Money.ts"

/**
 * Cuts each amount at its limit, and adds the excess to the first amounts that are below their limits. The sum stays
 * the same unless it exceeds the sum of the limits.
 */
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

const nearer = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThan(BigDecimal.abs(left), BigDecimal.abs(right)) ? left : right

export const upTo = (limit: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  BigDecimal.clamp(amount, { minimum: BigDecimal.min(zero, limit), maximum: BigDecimal.max(zero, limit) })

export const isUpTo = (limit: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal): boolean =>
  BigDecimal.equals(upTo(limit, amount), amount)
