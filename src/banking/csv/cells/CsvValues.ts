import { BigDecimal, Option } from "effect"
import { asCurrency, asIban } from "../../records/Statement.ts"
import { folded } from "../../texts/Words.ts"
import { dateOf, dateStyleOf, isDate } from "./CsvDates.ts"
import { isNumber, numberOf, styleOf } from "./CsvNumbers.ts"
import type { Row } from "./CsvTable.ts"
import { booked_words, credit_words, debit_words, rankOf, unbooked_words } from "./CsvWords.ts"

/** The values in this number of rows, from the first one on, decide what a column means. */
const rows_profiled_max = 2_000
const distinct_max = 200
/**
 * A column is of a kind, such as dates, if at least this share of its cells is. Other cells may be footers or damaged.
 */
const share_min = 0.8

export interface Profile {
  readonly header: string
  readonly filled: number
  readonly distinct: ReadonlySet<string>
  /** The cells of the column in the first rows, including empty cells. */
  readonly cells: ReadonlyArray<string>
  /** True if at least one cell is of the kind. This suffices if the name of the column means the same kind. */
  readonly has: Readonly<Record<"date" | "number", boolean>>
  readonly is: Readonly<
    Record<"date" | "number" | "account" | "iban" | "currency" | "sign" | "status" | "bic", boolean>
  >
}

const isAccount = (cell: string) =>
  asIban(cell) !== undefined ||
  /^[A-Z]{0,4}[\d][\d .\-/*]{4,30}$/i.test(cell) ||
  /^[A-Z]{2}\d{2}[A-Z0-9 ]{8,34}$/.test(cell)
const isSign = (cell: string) => debit_words.has(folded(cell)) || credit_words.has(folded(cell))
const isStatus = (cell: string) => booked_words.has(folded(cell)) || unbooked_words.has(folded(cell))

export const profilesOf = (header: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<Profile> =>
  header.map((name, index) => {
    const column = rows.slice(0, rows_profiled_max).map(({ cells }) => cells[index] ?? "")
    const cells = column.filter((cell) => cell !== "")
    const most = (test: (cell: string) => boolean) =>
      cells.length > 0 && cells.filter((cell) => test(cell)).length >= cells.length * share_min
    return {
      header: name,
      filled: cells.length,
      distinct: new Set(cells.slice(0, distinct_max)),
      cells: column,
      has: { date: cells.some(isDate), number: cells.some(isNumber) },
      is: {
        date: most(isDate),
        number: most(isNumber),
        account: most(isAccount),
        iban: most((cell) => asIban(cell) !== undefined),
        currency: most((cell) => asCurrency(cell.toUpperCase())._tag === "Some"),
        sign: cells.length > 0 && cells.every(isSign),
        status: most(isStatus),
        bic: most((cell) => /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(cell))
      }
    }
  })

interface Candidate {
  readonly index: number
  readonly profile: Profile
}

/** Minimum number of rows whose running balances prove a column of amounts: fewer may fit by chance. */
const rows_proving_min = 3

/**
 * Finds the booking and value dates in columns without names: movements are in the order of the booking date. If
 * several columns are in order and have different dates, the client's mapping must name the booking date.
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
  /** Index of the column with the balance after each movement; undefined if the file has no such column. */
  readonly balance: number | undefined
}

/** True for cells such as 12,50 or -5, and false for numbers of accounts and branches. */
const isMoney = (cell: string) => isNumber(cell) && /[.,]\d{1,2}(?!\d)|^[-+]/.test(cell.replaceAll(/\s/g, ""))

/**
 * Finds the amounts and running balances in columns without names. Either there is a single column of money, with minus
 * signs, or the amounts lead from each balance to the next. Otherwise the client's mapping must name the columns.
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

/**
 * Tests whether the amounts explain the balances. A row may state the balance before or after its movement, and the
 * first row may be the oldest or the latest.
 */
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
