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
  /** True if there are at least two balances, also one at the last movement, and each follows from the previous one. */
  readonly isProved: boolean
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
const chained = (steps: ReadonlyArray<Step>): Chain | undefined => {
  const first = steps.findIndex(({ balance }) => balance !== null)
  const [begin] = steps
  const end = steps.at(-1)
  const stated = steps[first]?.balance
  if (begin === undefined || end === undefined || stated === undefined || stated === null) return undefined
  const before = BigDecimal.sumAll(steps.slice(0, first + 1).map(({ amount }) => amount))
  let balance = stated
  let last = stated
  let links = 0
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
    opening: { date: begin.day, amount: BigDecimal.subtract(stated, before) },
    closing: { date: end.day, amount: end.balance === null ? balance : last },
    isProved: end.balance !== null && broken_row === null && links > 0,
    broken_row
  }
}

/** Follows the running balance in the order of time; undefined when the file states no balance. */
export const chainOf = (steps: ReadonlyArray<Step>): Chain | undefined => {
  const chains = ordersOf(steps).flatMap((order) => chained(order) ?? [])
  return chains.find(({ isProved }) => isProved) ?? chains[0]
}
