import { Result } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { RowError, Statement } from "../records/Statement.ts"
import { InvalidStatement, type StatementRefused } from "../records/StatementErrors.ts"
import { cardMention, ibansIn, openAccount, type Part, partsOf, type Table } from "./CsvAccounts.ts"
import { chainOf } from "./cells/CsvBalance.ts"
import { columnsOf, isHeader, isWhole, mappedColumns, missingHeader, sameHeaders } from "./CsvColumns.ts"
import { isDate } from "./cells/CsvDates.ts"
import { linesOf } from "./CsvLines.ts"
import { cells_max, type CsvMapping, type Delimiter, delimiters } from "./cells/CsvMapping.ts"
import { isNumber } from "./cells/CsvNumbers.ts"
import { type CsvReading, describedColumns, describedSign } from "./CsvReading.ts"
import { isData, isFooter, type ReadRow, readRows, unknownStates } from "./CsvRows.ts"
import { amountBy, signRuleOf } from "./CsvSigns.ts"
import { delimitersOf, preamble_rows_max, type Row, rowsOf } from "./cells/CsvTable.ts"
import { profilesOf } from "./cells/CsvValues.ts"

interface CsvFile {
  readonly format: "csv"
  readonly statements: ReadonlyArray<Statement>
  readonly errors: ReadonlyArray<RowError>
  readonly lines_of_others?: number
  readonly reading: CsvReading
}

export interface CsvOptions {
  readonly currency: CurrencyCode
  /**
   * IBAN of the file's bank account. It shows which column contains this account, and which that of the other party.
   */
  readonly iban: string | null
  readonly mapping: CsvMapping | undefined
}

/**
 * Parses a bank's CSV export. The names and values of the columns show what they mean, and which sign the amounts have.
 * If the file has running balances, these confirm both. The client's mapping overrides what was detected. A file whose
 * debits cannot be distinguished from its credits is refused.
 */
export const parseCsv = (text: string, options: CsvOptions): Result.Result<CsvFile, StatementRefused> => {
  const { delimiter: named, rest } = separatorLine(text.replaceAll(/\r\n?/g, "\n"))
  const said = options.mapping?.delimiter ?? named
  // If the file is no table with any of the delimiters, the client gets the error for the likeliest delimiter.
  const delimiters = said === undefined ? delimitersOf(rest) : [said]
  const first = parsedWith(rest, delimiters[0] ?? ",", options)
  if (
    Result.isSuccess(first) ||
    first.failure._tag !== "InvalidStatement" ||
    first.failure.details.headers === undefined
  ) {
    return first
  }
  for (const delimiter of delimiters.slice(1)) {
    const other = parsedWith(rest, delimiter, options)
    if (Result.isSuccess(other)) return other
  }
  return first
}

/** Reads the delimiter from a first line "sep=;", as Excel does. The line is only emptied, to keep the line numbers. */
const separatorLine = (text: string): { readonly delimiter?: Delimiter; readonly rest: string } => {
  const [line = "", named] = /^"?sep=([,;|\t])"?(?=\n)/i.exec(text) ?? []
  const delimiter = delimiters.find((known) => known === named)
  return delimiter === undefined ? { rest: text } : { delimiter, rest: text.slice(line.length) }
}

const parsedWith = (
  text: string,
  delimiter: Delimiter,
  options: CsvOptions
): Result.Result<CsvFile, StatementRefused> =>
  Result.gen(function* () {
    const table = yield* tableIn(yield* rowsOf(text, delimiter), options)
    const open = openAccount(table, options)
    if (open !== undefined) return yield* Result.fail(open)
    const headers = table.profiles.map(({ header }) => header)
    const same = sameHeaders(table.profiles, table.columns, options.mapping?.columns)
    if (same !== undefined) {
      const reason = `the columns ${same.join(" and ")} have the same header; name one of them by its position in the mapping`
      return yield* Result.fail(InvalidStatement.of(reason, table.header_line, headers))
    }
    const states = unknownStates(table.rows, table.columns.status)
    if (states.length > 0 && options.mapping?.columns?.status === undefined) {
      const shown = states.slice(0, states_shown_max).join(", ")
      const reason =
        `the status column has values that may stand for lines that are not booked: ${shown}; remove the rows that are ` +
        "not booked, and name the column as columns.status in the mapping"
      return yield* Result.fail(InvalidStatement.of(reason, table.header_line, headers))
    }
    const { lines_of_others, parts } = partsOf(table, /\n[ \t]*$/.test(text), options.iban)
    const [part, ...others] = parts
    const first = yield* fileOf(part, delimiter, options)
    const files = [first]
    for (const other of others) files.push(yield* fileOf(other, delimiter, options))
    return {
      ...first,
      lines_of_others,
      statements: files.flatMap(({ statements }) => statements),
      errors: files.flatMap(({ errors }) => errors)
    }
  })
const states_shown_max = 5

const fileOf = (
  table: Part,
  delimiter: Delimiter,
  { currency, ...options }: CsvOptions
): Result.Result<CsvFile, StatementRefused> =>
  Result.gen(function* () {
    const { columns, profiles } = table
    const { mapping = {} } = options
    const headers = profiles.map(({ header }) => header)
    const read = yield* readRows(table, currency, mapping)
    const card = cardMention(table, options.iban)
    const rule = yield* signRuleOf(read.rows, { columns, profiles, mapping, card })
    const { errors: unread, lines } = linesOf(read.rows, table, rule, currency, mapping)
    const steps = read.rows.flatMap((row) => {
      const amount = amountBy(rule, row, mapping)
      const balance = row.balance._tag === "Some" ? row.balance.value : null
      return Result.isSuccess(amount) ? [{ row: row.line, day: row.day, amount: amount.success, balance }] : []
    })
    const chain = chainOf(steps)
    // If the running balances add up, a row without amounts is no error, because it only describes a movement. At the
    // end of the file, such rows may be cut off, so they remain errors.
    const between = read.rows.slice(0, read.rows.findLastIndex((row) => !isBare(row)) + 1)
    const bare = new Set(chain?.isProved === true ? between.filter(isBare).map(({ line }) => line) : [])
    const unreadable = [...read.errors, ...unread.filter(({ row }) => !bare.has(row))]
    // If unreadable rows may be the reason why the balances contradict the amounts, the balances are not used. If all
    // rows are readable, a file with such a contradiction is refused.
    const known = chain !== undefined && (chain.isProved || unreadable.length === 0) ? chain : undefined
    const broken = known === undefined ? (chain?.broken_row ?? null) : null
    const errors = [...unreadable, ...(broken === null ? [] : [{ row: broken, message: balance_broken }])].toSorted(
      (left, right) => left.row - right.row
    )
    const statement: Statement = {
      account: table.account,
      currency: lines.length === 0 && read.foreign.size > 0 ? null : currency,
      opening: known?.opening ?? null,
      closing: known?.closing ?? null,
      lines,
      skipped_pending: read.skipped_pending
    }
    if (lines.length === 0 && errors.length === 0 && read.foreign.size > 0) {
      const seen = [...read.foreign.keys()].join(", ")
      return yield* Result.fail(
        InvalidStatement.of(`its lines are in ${seen}, but the account is in ${currency}`, null, headers)
      )
    }
    const reading: CsvReading = {
      delimiter,
      header_line: table.header_line,
      date_format: read.date_order,
      decimal_separator: read.decimal_separator,
      columns: describedColumns(headers, columns),
      sign: describedSign(rule),
      skipped_pending: read.skipped_pending,
      skipped_currencies: Object.fromEntries(read.foreign),
      mapping: options.mapping ?? null
    }
    return { format: "csv", statements: [statement], errors, reading }
  })
const balance_broken = "The balance of this row does not follow from the rows before."

/** True for a row without amounts and balances, which only describes a movement. */
const isBare = ({ amount, balance, credit, debit }: ReadRow): boolean =>
  [amount, balance, credit, debit].every((figure) => figure._tag === "None")

interface Head {
  readonly header: Row | undefined
  readonly preamble: ReadonlyArray<Row>
  readonly rows: ReadonlyArray<Row>
}

/** `skip_rows` in the mapping counts all rows of the file, including blank ones. */
const tableIn = (all: ReadonlyArray<Row>, options: CsvOptions): Result.Result<Table, InvalidStatement> => {
  const mapping = options.mapping ?? {}
  const skipped = mapping.skip_rows
  const rows = skipped === undefined ? all : all.filter(({ line }) => line > skipped)
  const heads = headsOf(rows, mapping)
  let missing: string | number | undefined
  let settled_heads = 0
  for (const head of heads) {
    // A header with movements above it begins another table, such as a list of pending movements.
    if (skipped === undefined && head.preamble.filter(isData).length > preamble_data_max) continue
    const lacked = missingHeader(head.header?.cells ?? [], mapping)
    if (lacked === undefined && ++settled_heads > settled_heads_max) break
    const table = lacked === undefined ? settled(head, options) : { missing: lacked }
    if ("missing" in table) missing ??= table.missing
    else if (isWhole(table.columns)) return Result.succeed(table)
  }
  const seen = heads[0]?.header ?? heads[0]?.rows[0] ?? rows[0]
  const reason =
    missing !== undefined
      ? `no row has the columns of the mapping (${missing} is missing)`
      : mapping.columns === undefined
        ? "no row names a column of dates and one of amounts; a mapping may name columns by header or position"
        : "the columns of the mapping have no dates and amounts"
  return Result.fail(InvalidStatement.of(reason, seen?.line ?? null, seen?.cells ?? []))
}

/** Maximum number of possible headers for each of which the columns of the whole file are examined. */
const settled_heads_max = 4

/** Maximum number of rows above the header with a date and a number, because such rows may state balances. */
const preamble_data_max = 3

/** Lists possible headers, the likeliest first: rows with typical names, then the row above the first movement. */
const headsOf = (rows: ReadonlyArray<Row>, { columns, skip_rows }: CsvMapping): ReadonlyArray<Head> => {
  const at = (index: number, header = rows[index], below = index + 1): Head => ({
    header,
    preamble: rows.slice(0, index),
    rows: rows.slice(below)
  })
  const top = rows.slice(0, preamble_rows_max)
  const first = top.findIndex(isData)
  const headless: Head = { header: undefined, preamble: rows.slice(0, first), rows: rows.slice(first) }
  if (skip_rows !== undefined) return rows.length === 0 ? [] : first === 0 ? [headless] : [at(0)]
  const named = top.flatMap((row, index) => (isHeader(row.cells) ? [at(index)] : []))
  // Some banks write a header in two rows.
  const double = top.flatMap((row, index) => {
    const next = rows[index + 1]
    if (next === undefined || next.cells.some((cell) => isDate(cell) || isNumber(cell)) || isHeader(row.cells))
      return []
    const cells = row.cells.map((cell, column) => `${cell} ${next.cells[column] ?? ""}`.trim())
    return isHeader(cells) ? [at(index, { line: row.line, cells }, index + 2)] : []
  })
  const above = rows[first - 1]
  const isNames = above !== undefined && above.cells.filter((cell) => cell !== "" && !isNumber(cell)).length > 1
  const isNamed = Object.values(columns ?? {}).some((ref) => typeof ref === "string")
  return [
    ...(isNamed ? top.map((_, index) => at(index)) : []),
    ...named,
    ...double,
    ...(isNames ? [at(first - 1)] : []),
    ...(first < 0 ? [] : [headless])
  ]
}

const settled = ({ header, preamble, rows }: Head, { iban, mapping = {} }: CsvOptions) => {
  const movements = rows.filter((row) => isData(row) && !(isFooter(row) && !isDate(row.cells[0] ?? "")))
  const least = movements.reduce((least, { cells }) => Math.min(least, cells.length), cells_max)
  const widths = Map.groupBy(
    movements,
    ({ cells }) => trimmed(cells, Math.max(least, header?.cells.length ?? 0)).length
  )
  const [width = 0, body = []] = [...widths].toSorted(([, left], [, right]) => right.length - left.length)[0] ?? []
  const names = Array.from(
    { length: Math.max(width, header?.cells.length ?? 0) },
    (_, index) => header?.cells[index] ?? ""
  )
  const profiles = profilesOf(names, body)
  const isNamedAbove = ibansIn(preamble).size > 0
  const isHeadless = header === undefined && preamble.length === 0
  const detected = columnsOf(profiles, { rows: body.length, iban, isHeadless, isNamedAbove })
  const columns = mappedColumns(names, detected, mapping)
  if ("missing" in columns) return columns
  return { columns, profiles, preamble, rows, width: Math.max(width, 1), header_line: header?.line ?? null }
}

const trimmed = (cells: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  let end = cells.length
  while (end > width && cells[end - 1] === "") end--
  return cells.slice(0, end)
}
