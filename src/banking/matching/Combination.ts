const parts_max = 6
/**
 * Maximum number of sums that a search tries. After that it returns no result, because there could be a second
 * solution.
 */
const steps_max = 20_000
/** Maximum number of sums that one matcher tries in all its searches, which takes about half a second. */
const steps_in_all_max = 2_000_000

interface Open {
  readonly open: bigint
}

interface Effort {
  steps: number
}

/** Finds two to six documents whose open amounts add up to `target`; undefined unless there is exactly one choice. */
export const combination = <A extends Open>(
  target: bigint,
  candidates: ReadonlyArray<A>,
  effort: Effort = { steps: 0 }
): ReadonlyArray<A> | undefined => {
  const sorted = candidates
    .filter(({ open }) => open > 0n && open < target)
    .toSorted((left, right) => (left.open < right.open ? 1 : left.open > right.open ? -1 : 0))
  // `sums[n]` is the sum of the n largest documents. The difference of two sums shows how much the documents between
  // them can add at most.
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

/** Maximum number of documents to add, and also of documents to deduct. If there are more, no net sum is searched. */
const net_documents_max = 12
const added_max = 3
const deducted_max = 2

/**
 * Finds all choices of one to three documents to add and one or two to deduct whose net sum is `target`; undefined if
 * there are too many documents or sums to try.
 */
export const netCombinations = <A extends Open>(
  target: bigint,
  added: ReadonlyArray<A>,
  deducted: ReadonlyArray<A>,
  effort: Effort = { steps: 0 }
): ReadonlyArray<ReadonlyArray<A>> | undefined => {
  if (Math.max(added.length, deducted.length) > net_documents_max || effort.steps > steps_in_all_max) return undefined
  const [wholes, parts] = [choices(added, added_max), choices(deducted, deducted_max)]
  effort.steps += wholes.length + parts.length
  const rests = Map.groupBy(parts, ({ sum }) => sum)
  return wholes.flatMap(({ chosen, sum }) => (rests.get(sum - target) ?? []).map((rest) => [...chosen, ...rest.chosen]))
}

interface Choice<A> {
  readonly chosen: ReadonlyArray<A>
  readonly sum: bigint
}

/** Lists all choices of at least one and at most `parts` documents, each with its sum. */
const choices = <A extends Open>(documents: ReadonlyArray<A>, parts: number): ReadonlyArray<Choice<A>> =>
  parts === 0
    ? []
    : documents.flatMap((first, index) => [
        { chosen: [first], sum: first.open },
        ...choices(documents.slice(index + 1), parts - 1).map(({ chosen, sum }) => ({
          chosen: [first, ...chosen],
          sum: first.open + sum
        }))
      ])
