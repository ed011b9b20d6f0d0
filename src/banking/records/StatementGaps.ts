import { BigDecimal, Schema } from "effect"
import { Balance, type Statement } from "./Statement.ts"

/** An opening balance that the closing balance before it may contradict. */
export const Opening = Schema.Struct({
  opening: Balance,
  /** The different closing balance of the statement before it in the file; null for the first statement of the file. */
  before: Schema.NullOr(Balance)
})
export type Opening = typeof Opening.Type

/**
 * Returns the first opening balance of a file, by date, and those that differ from the closing balance before them. The
 * files of some banks begin with the latest statement. A statement that overlaps with the one before it is left out.
 */
export const doubtfulOpenings = (
  statements: ReadonlyArray<Pick<Statement, "opening" | "closing">>
): ReadonlyArray<Opening> => {
  const opened = statements.flatMap(({ closing, opening }) => (opening === null ? [] : [{ closing, opening }]))
  const [first, last] = [opened[0]?.opening.date ?? "", opened.at(-1)?.opening.date ?? ""]
  const inOrder = (first > last ? opened.toReversed() : opened).toSorted((left, right) =>
    left.opening.date.localeCompare(right.opening.date)
  )
  return inOrder.flatMap(({ opening }, index): ReadonlyArray<Opening> => {
    const previous = inOrder[index - 1]
    if (previous === undefined) return [{ opening, before: null }]
    const { closing: before } = previous
    if (before === null || before.date > opening.date) return []
    const isContinued = [before, previous.opening].some(({ amount }) => BigDecimal.equals(amount, opening.amount))
    return isContinued ? [] : [{ opening, before }]
  })
}
