const parts_max = 6
/**
 * Maximum number of sums that one search tries. If there are more sums, a second solution cannot be excluded, so the
 * search has no result.
 */
const steps_max = 20_000
/** Maximum number of sums of all searches of one matcher, about half a second; later lines get no combination. */
const steps_in_all_max = 2_000_000

interface Open {
  readonly open: bigint
}

/** Counts the sums that searches have tried. */
interface Effort {
  steps: number
}

/**
 * Finds two to six documents whose open amounts add up exactly to the amount, if only one such choice exists. Amounts
 * are positive, so a document with more than the remaining amount cannot take part.
 */
export const combination = <A extends Open>(
  target: bigint,
  candidates: ReadonlyArray<A>,
  effort: Effort = { steps: 0 }
): ReadonlyArray<A> | undefined => {
  const sorted = candidates
    .filter(({ open }) => open > 0n && open < target)
    .toSorted((left, right) => (left.open < right.open ? 1 : left.open > right.open ? -1 : 0))
  // Prefix sums over descending amounts: their differences are the maximum that the next few documents can add.
  const sums = [0n]
  for (const { open } of sorted) sums.push((sums.at(-1) ?? 0n) + open)
  const reachable = (start: number, parts: number) =>
    (sums[Math.min(start + parts, sorted.length)] ?? 0n) - (sums[start] ?? 0n)
  const solutions: Array<ReadonlyArray<A>> = []
  const end = Math.min(effort.steps + steps_max, steps_in_all_max)
  const search = (start: number, left: bigint, chosen: ReadonlyArray<A>): void => {
    for (let index = start; index < sorted.length; index++) {
      const next = sorted[index]
      if (next === undefined || reachable(index, parts_max - chosen.length) < left) return
      if (solutions.length > 1 || ++effort.steps > end) return
      if (next.open > left) continue
      if (next.open === left) solutions.push([...chosen, next])
      else if (chosen.length + 1 < parts_max) search(index + 1, left - next.open, [...chosen, next])
    }
  }
  search(0, target, [])
  return effort.steps > end || solutions.length !== 1 ? undefined : solutions[0]
}
