import { Struct } from "effect"
import { folded } from "../texts/Words.ts"
import { asIban } from "../records/Statement.ts"
import { isDate } from "./cells/CsvDates.ts"
import { type ColumnRef, columnNames, type CsvMapping } from "./cells/CsvMapping.ts"
import { type Profile, unnamedDates, unnamedMoney } from "./cells/CsvValues.ts"
import { type Meaning, rankOf } from "./cells/CsvWords.ts"

/** The index of the column for each meaning, counted from 0. */
export interface Columns extends Partial<Record<Meaning, number>> {
  /** Indexes of all columns that together make the remittance text, from left to right. */
  readonly texts?: ReadonlyArray<number>
}

/** True for a column such as "Amount (foreign currency)", whose amounts are not in the currency of the account. */
const isForeign = (header: string) =>
  /foreign|original|fremd|vreemd|origine|ursprung|extranjer|estera/.test(folded(header))

/** True if the values of a column can have the meaning. An empty column can have every meaning. */
const fits = (meaning: Meaning, { filled, has, header, is }: Profile): boolean => {
  if (filled === 0) return true
  switch (meaning) {
    case "booking_date":
    case "value_date":
      return has.date
    case "amount":
    case "debit":
    case "credit":
    case "balance":
    case "fee":
      return has.number && !isForeign(header)
    case "currency":
      return is.currency && !isForeign(header)
    case "account":
    case "counterparty_iban":
      return is.account
    case "counterparty_name":
    case "payer_name":
    case "payee_name":
      return !is.iban && !is.number && !is.date
    case "sign":
      return is.sign
    default:
      return true
  }
}

const named_in_order: ReadonlyArray<Meaning> = [
  "booking_date",
  "value_date",
  "currency",
  "sign",
  "debit",
  "credit",
  "amount",
  "balance",
  "fee",
  "status",
  "payer_name",
  "payee_name",
  "reference",
  "transaction_id"
]

/**
 * True if the cells alone show that this row is the header: they name a date and an amount, and none of them is a date.
 */
export const isHeader = (cells: ReadonlyArray<string>): boolean => {
  const has = (meaning: Meaning) => cells.some((cell) => rankOf(cell, meaning) !== undefined)
  return (
    (has("booking_date") || has("value_date")) &&
    (has("amount") || (has("debit") && has("credit"))) &&
    !cells.some(isDate)
  )
}

interface Facts {
  readonly rows: number
  readonly iban: string | null
  /** True if the file has no header, so that only the values show what a column means. */
  readonly isHeadless: boolean
  /** True if the rows above the header contain an IBAN, which is then probably that of the file's account. */
  readonly isNamedAbove: boolean
}

/** Finds the column of each meaning by names and values. The remaining columns of text become the remittance text. */
export const columnsOf = (profiles: ReadonlyArray<Profile>, facts: Facts): Columns => {
  const choice = choiceAmong(profiles)
  for (const meaning of named_in_order) choice.take(meaning, choice.named(meaning)[0]?.index)
  takeAccounts(choice, facts)
  choice.take("counterparty_name", choice.named("counterparty_name")[0]?.index)
  takeDates(choice, profiles, facts)
  takeAmounts(choice)
  choice.take(
    "currency",
    choice.only(({ header, is }) => is.currency && !isForeign(header))
  )
  choice.take(
    "sign",
    choice.only(({ distinct, is }) => is.sign && distinct.size > 1)
  )
  choice.take(
    "status",
    choice.only(({ is }) => is.status)
  )
  return { ...choice.columns, texts: textsOf(profiles, choice.taken, facts.rows) }
}

/** The columns that have been given a meaning so far, and ways to find a column for another meaning. */
const choiceAmong = (profiles: ReadonlyArray<Profile>) => {
  const columns: Partial<Record<Meaning, number>> = {}
  const taken = new Set<number>()
  const free = () => profiles.flatMap((profile, index) => (taken.has(index) ? [] : [{ index, profile }]))
  const passing = (test: (profile: Profile) => boolean) => free().filter(({ profile }) => test(profile))
  return {
    columns,
    taken,
    free,
    /** Gives a column the meaning, unless the meaning has a column. */
    take: (meaning: Meaning, index: number | undefined) => {
      if (index === undefined || columns[meaning] !== undefined) return
      columns[meaning] = index
      taken.add(index)
    },
    /** Returns the columns whose names and values show the meaning, best first. */
    named: (meaning: Meaning) =>
      free()
        .flatMap(({ index, profile }) => {
          const rank = rankOf(profile.header, meaning)
          return rank === undefined || !fits(meaning, profile) ? [] : [{ index, rank, profile }]
        })
        // Empty columns come last. Only an empty column for the counterparty's name keeps its place: it means that the
        // file states no names.
        .toSorted(
          (left, right) =>
            (meaning === "counterparty_name"
              ? 0
              : Number(left.profile.filled === 0) - Number(right.profile.filled === 0)) || left.rank - right.rank
        ),
    first: (test: (profile: Profile) => boolean) => passing(test)[0]?.index,
    /** Returns the column whose values pass the test; undefined if several do. */
    only: (test: (profile: Profile) => boolean) => {
      const found = passing(test)
      return found.length === 1 ? found[0]?.index : undefined
    }
  }
}
type Choice = ReturnType<typeof choiceAmong>

/**
 * Finds two columns: that of the file's account, which has the same value in each row, and that of the other party's
 * account, whose name shows its meaning or whose values change.
 */
const takeAccounts = ({ first, named, take }: Choice, { iban, isHeadless, isNamedAbove, rows }: Facts) => {
  const isOurs = ({ distinct }: Profile) => iban !== null && distinct.size === 1 && asIban([...distinct][0]) === iban
  take(
    "account",
    first((profile) => profile.is.iban && isOurs(profile))
  )
  const isRepeated = ({ distinct, filled }: Profile) => rows > 1 && distinct.size === 1 && filled === rows
  const counterparts = named("counterparty_iban")
  // A column named IBAN may contain the account of either party. If the file has only one row, or an IBAN above the
  // header, such a column is not taken for that of the file's account.
  const isOpen = rows === 1 || isNamedAbove
  const own = named("account").find(
    ({ index, profile: { distinct, filled } }) =>
      distinct.size === 1 && filled === rows && !(isOpen && counterparts.some((other) => other.index === index))
  )
  // A file of several accounts of the organization names the account of each row.
  const several = named("account").find(
    ({ index, profile: { distinct, filled } }) =>
      filled === rows &&
      ([...distinct].some((cell) => iban !== null && asIban(cell) === iban) ||
        (counterparts.length > 0 && counterparts.every((other) => other.index !== index)))
  )
  take("account", own?.index ?? several?.index)
  take("counterparty_iban", named("counterparty_iban")[0]?.index)
  // Without a header, an IBAN that all rows repeat may belong to either party, unless the IBAN of the file's account is
  // known.
  const isOpenParty = isHeadless && iban === null
  take(
    "counterparty_iban",
    first((profile) => profile.is.iban && !(isOpenParty && isRepeated(profile)))
  )
}

const takeDates = ({ columns, only, take }: Choice, profiles: ReadonlyArray<Profile>, { isHeadless }: Facts) => {
  // A column with the name of a booking date is chosen even if it contains no dates.
  const named = profiles.findIndex(({ header }) => rankOf(header, "booking_date") !== undefined)
  take("booking_date", named >= 0 ? named : only(({ is }) => is.date))
  if (columns.booking_date === undefined && isHeadless) {
    const [booking, value] = unnamedDates(profiles)
    take("booking_date", booking)
    take("value_date", value)
  }
  if (columns.booking_date === undefined && columns.value_date !== undefined) {
    columns.booking_date = columns.value_date
    delete columns.value_date
  }
}

const takeAmounts = ({ columns, free, take }: Choice) => {
  if (columns.amount !== undefined || (columns.debit !== undefined && columns.credit !== undefined)) return
  const money = unnamedMoney(free())
  take("amount", money?.amount)
  take("balance", money?.balance)
}

/**
 * Returns the columns of the remittance text: those with a name that banks use for it, and other columns of text that
 * have no meaning yet, except those with a name of useless text (`noise`). If the header names a date column, a column
 * with the same value in each row is left out, too.
 */
const textsOf = (profiles: ReadonlyArray<Profile>, taken: ReadonlySet<number>, rows: number): ReadonlyArray<number> => {
  const isNamed = profiles.some(
    ({ header }) => (rankOf(header, "booking_date") ?? rankOf(header, "value_date")) !== undefined
  )
  return profiles.flatMap(({ distinct, filled, header, is }, index) => {
    if (taken.has(index) || filled === 0) return []
    if (rankOf(header, "remittance") !== undefined) return [index]
    if (rankOf(header, "noise") !== undefined || is.bic || is.number || is.date || is.currency) return []
    const isConstant = isNamed && distinct.size === 1 && filled === rows && rows > 1
    return isConstant || is.account ? [] : [index]
  })
}

const indexIn = (header: ReadonlyArray<string>, name: string): number => {
  const wanted = folded(name)
  return header.findIndex((cell) => folded(cell) === wanted)
}

/** Returns a header that the mapping names and that this row lacks; undefined if the row has all of them. */
export const missingHeader = (row: ReadonlyArray<string>, { columns = {}, sign }: CsvMapping): string | undefined =>
  [...Object.values(columns), sign?.column].flatMap((ref) =>
    typeof ref === "string" && indexIn(row, ref) < 0 ? ref : []
  )[0]

/** Replaces the found columns by those of the mapping. If the file lacks one of them, returns its name or position. */
export const mappedColumns = (
  header: ReadonlyArray<string>,
  found: Columns,
  { columns: said, sign }: CsvMapping
): Columns | { readonly missing: string | number } => {
  const columns: { -readonly [K in keyof Columns]: Columns[K] } = { ...found }
  const asked: ReadonlyArray<readonly [Meaning, ColumnRef | undefined]> = [
    ...columnNames.map((column) => [column, said?.[column]] as const),
    ["sign", sign?.column]
  ]
  for (const [column, ref] of asked) {
    if (ref === undefined) continue
    if (ref === null) {
      delete columns[column]
      continue
    }
    const index = typeof ref === "number" ? ref - 1 : indexIn(header, ref)
    if (index < 0 || index >= header.length) return { missing: ref }
    // A column has only one meaning, so the meaning in the mapping replaces the detected one.
    for (const meaning of Struct.keys(columns)) {
      if (columns[meaning] === index && meaning !== column) delete columns[meaning]
    }
    columns[column] = index
    columns.texts = (columns.texts ?? []).filter((text) => text !== index)
  }
  if (said?.counterparty_name !== undefined) {
    delete columns.payer_name
    delete columns.payee_name
  }
  if (said?.remittance !== undefined) columns.texts = columns.remittance === undefined ? [] : [columns.remittance]
  return columns
}

/**
 * Returns the positions, from 1, of two columns that have the same header but different values, if one of them was
 * taken for an amount without being named by the mapping.
 */
export const sameHeaders = (
  profiles: ReadonlyArray<Profile>,
  columns: Columns,
  said: CsvMapping["columns"]
): readonly [number, number] | undefined => {
  for (const meaning of ["amount", "debit", "credit"] as const) {
    const index = columns[meaning]
    const chosen = index === undefined ? undefined : profiles[index]
    if (index === undefined || chosen === undefined || chosen.header === "" || said?.[meaning] !== undefined) continue
    const other = profiles.findIndex(
      ({ cells, filled, header }, at) =>
        at !== index &&
        filled > 0 &&
        folded(header) === folded(chosen.header) &&
        cells.some((cell, row) => cell !== chosen.cells[row])
    )
    if (other >= 0) return [index + 1, other + 1]
  }
  return undefined
}

/** True if the columns suffice for a table of bank lines: a date and an amount. */
export const isWhole = ({ amount, booking_date, credit, debit }: Columns): boolean =>
  booking_date !== undefined && (amount !== undefined || (debit !== undefined && credit !== undefined))
