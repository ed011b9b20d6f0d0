import { BigDecimal } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { Balance } from "../../records/Statement.ts"

/** A movement, and the balance of the account after it; null if the file states none. */
interface Step {
  readonly row: number
  readonly day: Day
  readonly amount: BigDecimal.BigDecimal
  readonly balance: BigDecimal.BigDecimal | null
}

export interface Chain {
  readonly opening: Balance
  readonly closing: Balance
  /**
   * True if there are at least two balances, also one at the last movement, and each follows from the previous one. A
   * known closing balance that is the opening balance counts as the first of them.
   */
  readonly isProved: boolean
  /** True if the opening balance is the closing balance of a statement before. */
  readonly isContinued: boolean
  /** The first row whose balance does not follow from the previous rows; null if there is none. */
  readonly broken_row: number | null
}

/**
 * Returns the movements from the earliest to the latest. If their days do not show the order, returns both the order of
 * the file and its reverse.
 */
const ordersOf = (steps: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  let rises = 0
  for (const [index, { day }] of steps.entries()) {
    const before = steps[index - 1]?.day ?? day
    if (day > before) rises++
    else if (day < before) rises--
  }
  const backwards = steps.toReversed()
  return rises > 0 ? [steps] : rises < 0 ? [backwards] : [steps, backwards]
}

/** Adds all amounts between two stated balances, because some banks state a balance only once a day. */
const chained = (steps: ReadonlyArray<Step>, closings: ReadonlyArray<Balance>): Chain | undefined => {
  const first = steps.findIndex(({ balance }) => balance !== null)
  const [begin] = steps
  const end = steps.at(-1)
  const stated = steps[first]?.balance
  if (begin === undefined || end === undefined || stated === undefined || stated === null) return undefined
  const before = BigDecimal.sumAll(steps.slice(0, first + 1).map(({ amount }) => amount))
  let balance = stated
  let last = stated
  const opening = { date: begin.day, amount: BigDecimal.subtract(stated, before) }
  const isContinued = lastOf(closings, begin.day).some(({ amount }) => BigDecimal.equals(amount, opening.amount))
  let links = isContinued ? 1 : 0
  let broken_row: number | null = null
  for (const step of steps.slice(first + 1)) {
    balance = BigDecimal.sum(balance, step.amount)
    if (step.balance === null) continue
    links++
    if (!BigDecimal.equals(balance, step.balance)) broken_row ??= step.row
    balance = step.balance
    last = step.balance
  }
  return {
    opening,
    closing: { date: end.day, amount: end.balance === null ? balance : last },
    isProved: end.balance !== null && broken_row === null && links > 0,
    isContinued,
    broken_row
  }
}

/**
 * Returns the closing balances with which a statement may open that begins on the given day: those of the last day
 * before it, and those of the same day, which an earlier statement may have covered in part.
 */
const lastOf = (closings: ReadonlyArray<Balance>, day: Day): ReadonlyArray<Balance> => {
  const before = closings.reduce((last, { date }) => (date < day && date > last ? date : last), "")
  return closings.filter(({ date }) => date === before || date === day)
}

/**
 * Follows the running balance in the order of time; undefined when the file states no balance. `closings` are the
 * closing balances of the account's other statements.
 */
export const chainOf = (steps: ReadonlyArray<Step>, closings: ReadonlyArray<Balance>): Chain | undefined => {
  const chains = ordersOf(steps).flatMap((order) => chained(order, closings) ?? [])
  const proved = chains.filter(({ isProved }) => isProved)
  return proved.find(({ isContinued }) => isContinued) ?? proved[0] ?? chains[0]
}
