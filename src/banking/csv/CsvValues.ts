import { BigDecimal, Option } from "effect"
import type { Profile } from "./CsvColumns.ts"
import { dateOf, dateStyleOf } from "./CsvDates.ts"
import { isNumber, numberOf, styleOf } from "./CsvNumbers.ts"
import { rankOf } from "./CsvWords.ts"

interface Candidate {
  readonly index: number
  readonly profile: Profile
}

/** Fewest rows whose balances prove that a column holds the amounts: fewer may agree by chance. */
const rows_proving_min = 3

/**
 * Finds the booking date and the value date among columns without names: movements are in the order of the booking
 * date. When several columns are in order and differ, the mapping must name the booking date.
 */
export const unnamedDates = (profiles: ReadonlyArray<Profile>): ReadonlyArray<number> => {
  const dates = profiles.flatMap((profile, index) => (profile.is.date ? [{ index, profile }] : []))
  const ordered = dates.filter(({ profile }) => isOrdered(profile.cells))
  const [booking, ...others] = ordered
  if (others.some(({ profile }) => !isSameDays(profile.cells, booking?.profile.cells ?? []))) return []
  const value = dates.find(({ index }) => index !== booking?.index)
  return [booking, value].flatMap((found) => (found === undefined ? [] : [found.index]))
}

const daysIn = (cells: ReadonlyArray<string>) => {
  const style = dateStyleOf(cells.map((text, row) => ({ row, text })))
  return style._tag === "Ambiguous" ? undefined : cells.map((cell) => Option.getOrUndefined(dateOf(cell, style.order)))
}

const isSameDays = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  JSON.stringify(daysIn(left)) === JSON.stringify(daysIn(right))

const isOrdered = (cells: ReadonlyArray<string>): boolean => {
  const days = daysIn(cells)?.flatMap((day) => day ?? [])
  if (days === undefined) return false
  const steps = days.slice(1).map((day, index) => (day === days[index] ? 0 : day > (days[index] ?? "") ? 1 : -1))
  return !(steps.includes(1) && steps.includes(-1))
}

interface Money {
  readonly amount: number
  /** The balance after the movement; undefined when the file has none. */
  readonly balance: number | undefined
}

/** True for cells such as 12,50 or -5, and false for numbers of accounts and branches. */
const isMoney = (cell: string) => isNumber(cell) && /[.,]\d{1,2}(?!\d)|^[-+]/.test(cell.replaceAll(/\s/g, ""))

/**
 * Finds the amount, and the balance after it, among columns whose names say nothing: a single column of money with
 * minus signs, or one that leads from each balance to the next. Anything less leaves the columns to the mapping.
 */
export const unnamedMoney = (free: ReadonlyArray<Candidate>): Money | undefined => {
  const money = free.filter(
    ({ profile: { cells, filled, header, is } }) =>
      is.number && filled === cells.length && rankOf(header, "noise") === undefined && cells.some(isMoney)
  )
  const others = free.filter(({ profile }) => profile.cells.some(isMoney) && profile.has.number)
  const [only] = money
  if (only !== undefined && others.length === 1) {
    const hasMinus = only.profile.cells.some((cell) => /^\s*[-\u2212]|-\s*$/.test(cell))
    return hasMinus ? { amount: only.index, balance: undefined } : undefined
  }
  const proved = money.flatMap((amount) =>
    money.flatMap((balance) => (amount === balance ? [] : provedBy(amount, balance)))
  )
  const amounts = new Set(proved.map(({ amount }) => amount))
  return amounts.size === 1 ? (proved.find(({ balance }) => balance !== undefined) ?? proved[0]) : undefined
}

/** Answers the columns when each amount leads from one balance to the next: before it or after it, in either order. */
const provedBy = (amount: Candidate, balance: Candidate): ReadonlyArray<Money> => {
  const amounts = numbersIn(amount.profile.cells)
  const balances = numbersIn(balance.profile.cells)
  if (amounts === undefined || balances === undefined || amounts.length < rows_proving_min) return []
  const links = (step: 1 | -1, isAfter: boolean) =>
    amounts.every((_, row) => {
      const from = balances[row]
      const to = balances[row + step]
      const moved = amounts[isAfter ? row + step : row]
      if (from === undefined || to === undefined || moved === undefined) return true
      return BigDecimal.equals(BigDecimal.sum(from, moved), to)
    })
  if (amounts.every((value) => BigDecimal.isZero(value))) return []
  if (links(1, true) || links(-1, true)) return [{ amount: amount.index, balance: balance.index }]
  return links(1, false) || links(-1, false) ? [{ amount: amount.index, balance: undefined }] : []
}

const numbersIn = (cells: ReadonlyArray<string>): ReadonlyArray<BigDecimal.BigDecimal> | undefined => {
  const style = styleOf(cells.map((text, row) => ({ row, text })))
  if (style._tag === "Ambiguous") return undefined
  const separator = style._tag === "Decided" ? style.separator : "."
  const numbers = cells.flatMap((cell) => Option.toArray(numberOf(cell, separator)))
  return numbers.length === cells.length ? numbers : undefined
}
