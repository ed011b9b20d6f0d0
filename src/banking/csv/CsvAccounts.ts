import { asAccount, asIban } from "../records/Statement.ts"
import { AmbiguousAccount } from "../records/StatementErrors.ts"
import type { Columns } from "./CsvColumns.ts"
import type { CsvMapping } from "./cells/CsvMapping.ts"
import { isData } from "./CsvRows.ts"
import { cellIn, type Row } from "./cells/CsvTable.ts"
import type { Profile } from "./cells/CsvValues.ts"
import { isCardWord, rankOf } from "./cells/CsvWords.ts"

export interface Table {
  readonly columns: Columns
  readonly profiles: ReadonlyArray<Profile>
  /** The rows above the header, which may contain the account's IBAN. */
  readonly preamble: ReadonlyArray<Row>
  readonly header_line: number | null
  readonly rows: ReadonlyArray<Row>
  readonly width: number
}

export interface Part extends Table {
  readonly account: string | null
  /** False if the file may have been cut off within the last row. */
  readonly is_ended: boolean
}

/**
 * Divides a table whose rows name several accounts of the organization into one table per account. If one of them is
 * the account `iban`, the rows of the others are omitted. A row without an account belongs to the row above it.
 */
export const partsOf = (
  table: Table,
  is_ended: boolean,
  iban: string | null
): { readonly parts: readonly [Part, ...ReadonlyArray<Part>]; readonly lines_of_others: number } => {
  const { columns, rows } = table
  const whole = { ...table, account: accountIn(table), is_ended }
  const accounts = new Map<string, Array<Row>>()
  let account: string | null = null
  for (const row of rows) {
    const cell = cellIn(row, columns.account)
    if (isData(row) && number_pattern.test(cell)) account = asAccount(cell)
    if (account === null) continue
    const known = accounts.get(account)
    if (known === undefined) accounts.set(account, [row])
    else known.push(row)
  }
  if (accounts.size < 2) return { parts: [whole], lines_of_others: 0 }
  const parts = [...accounts].map(([account, own]): Part => {
    return { ...table, rows: own, account, is_ended: is_ended || own.at(-1) !== rows.at(-1) }
  })
  const own = parts.find((part) => part.account === iban)
  const [first = whole, ...others] = own === undefined ? parts : [own]
  const omitted = own === undefined ? [] : parts.filter((part) => part !== own)
  return { parts: [first, ...others], lines_of_others: omitted.flatMap(({ rows }) => rows.filter(isData)).length }
}

/** Every account number has four consecutive digits. A bank's note in the same column does not. */
const number_pattern = /\d{4}/

/** The IBAN in the account column, or else the only one in the rows above the header. */
const accountIn = ({ columns, preamble, rows }: Table): string | null => {
  const [row] = rows.filter((row) => cellIn(row, columns.account) !== "")
  const own = row === undefined ? undefined : asIban(cellIn(row, columns.account))
  if (own !== undefined) return own
  const named = ibansIn(preamble)
  const [only] = named
  return named.size === 1 && only !== undefined ? only : null
}

interface Known {
  readonly iban: string | null
  readonly mapping: CsvMapping | undefined
}

/**
 * Returns an error if only one column has account numbers and its name is general, such as IBAN: these accounts may
 * belong to either party.
 */
export const openAccount = (table: Table, { iban, mapping }: Known): AmbiguousAccount | undefined => {
  const { columns, profiles } = table
  const said = mapping?.columns
  if (said?.account !== undefined || said?.counterparty_iban !== undefined) return undefined
  const index = columns.account
  const header = index === undefined ? "" : (profiles[index]?.header ?? "")
  if (index === undefined || rankOf(header, "counterparty_iban") === undefined) return undefined
  const named = accountIn(table)
  const isOurs = named === iban || [...(profiles[index]?.distinct ?? [])].some((cell) => asIban(cell) === iban)
  if (named === null || isOurs || columns.counterparty_iban !== undefined) return undefined
  return AmbiguousAccount.of({ column: header, position: index + 1, iban: named })
}

/**
 * Returns the name of a column, or a cell above the header, that suggests the statement of a credit card, whose balance
 * is a debt. A column such as "Card holder" without values suggests nothing. If the account has an IBAN, it is a bank
 * account: then the column raises a doubt only in a file without balances whose rows all have a card.
 */
export const cardMention = ({ account, columns, preamble, profiles }: Part, iban: string | null) => {
  const hasIban = iban !== null || asIban(account ?? "") !== undefined
  const hasBalances = (profiles[columns.balance ?? -1]?.filled ?? 0) > 0
  const isDoubtful = ({ cells, filled }: Profile) => filled > 0 && !(hasIban && (hasBalances || filled < cells.length))
  const headers = profiles.filter(isDoubtful).map(({ header }) => header)
  return [...preamble.flatMap(({ cells }) => cells), ...headers].find(isCardWord)
}

export const ibansIn = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set(rows.flatMap(({ cells }) => cells.flatMap((cell) => ibanIn(cell) ?? [])))

const ibanIn = (cell: string): string | undefined =>
  asIban(cell) ?? asIban(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b/.exec(cell)?.[0])
