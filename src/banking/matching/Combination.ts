import { BigDecimal } from "effect"

const parts_max = 6
/** Sums that are tried; beyond, nothing is known about the uniqueness of a solution, so there is none. */
const steps_max = 20_000

interface Open {
  readonly open: BigDecimal.BigDecimal
}

/**
 * The two to six documents whose open amounts add up exactly to the amount, when there is just one such choice. Amounts
 * are positive, so those greater than what is left cannot take part.
 */
export const combination = <A extends Open>(
  amount: BigDecimal.BigDecimal,
  candidates: ReadonlyArray<A>
): ReadonlyArray<A> | undefined => {
  const sorted = candidates.toSorted((left, right) => BigDecimal.Order(right.open, left.open))
  const solutions: Array<ReadonlyArray<A>> = []
  let steps = 0
  const search = (start: number, left: BigDecimal.BigDecimal, chosen: ReadonlyArray<A>): void => {
    for (let index = start; index < sorted.length; index++) {
      const candidate = sorted[index]
      if (solutions.length > 1 || ++steps > steps_max || candidate === undefined) return
      if (BigDecimal.isGreaterThan(candidate.open, left)) continue
      const rest = BigDecimal.subtract(left, candidate.open)
      const next = [...chosen, candidate]
      if (BigDecimal.isZero(rest)) {
        if (next.length > 1) solutions.push(next)
      } else if (next.length < parts_max) search(index + 1, rest, next)
    }
  }
  search(0, BigDecimal.abs(amount), [])
  return steps > steps_max || solutions.length !== 1 ? undefined : solutions[0]
}
