import { BigDecimal, Option, Result } from "effect"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { type Columns, type CsvMapping, isWhole, knownColumns, mappedColumns } from "./CsvColumns.ts"
import { csvLines } from "./CsvLines.ts"
import { delimiterOf, preamble_rows_max, type Row, rowsOf } from "./CsvTable.ts"
import type { Balance, Statement, StatementFile } from "./Statement.ts"
import { InvalidStatement, type StatementRefused } from "./StatementErrors.ts"

interface Table {
  readonly columns: Columns
  readonly rows: ReadonlyArray<Row>
}

/** Parses a bank's CSV export. The header is recognized by common column names, or by the mapping. */
export const parseCsv = (
  text: string,
  currency: CurrencyCode,
  mapping: CsvMapping = {}
): Result.Result<StatementFile, StatementRefused> =>
  Result.gen(function* () {
    // When no delimiter gives a table, the error is the one that the usual delimiter gives.
    const delimiter = mapping.delimiter ?? delimiterOf(text) ?? ","
    const table = yield* tableIn(yield* rowsOf(text, delimiter), mapping)
    const { errors, rows } = yield* csvLines(table.columns, table.rows, currency, mapping)
    const lines = rows.map(({ line }) => line)
    // When a row is missing, the balances say nothing about the other rows.
    const [opening, closing] = errors.length > 0 ? [null, null] : runningBalance(rows)
    const statement: Statement = { account: null, currency: null, opening, closing, lines, skipped_pending: 0 }
    return { format: "csv", statements: [statement], errors }
  })

/** Finds the header and the rows below it. */
const tableIn = (rows: ReadonlyArray<Row>, mapping: CsvMapping): Result.Result<Table, InvalidStatement> => {
  if (mapping.skip_rows === undefined && mapping.columns === undefined) {
    const index = rows.slice(0, preamble_rows_max).findIndex(({ cells }) => isWhole(knownColumns(cells)))
    const header = rows[index]
    return header === undefined
      ? Result.fail(InvalidStatement.of("no row names a column of dates and one of amounts"))
      : Result.succeed({ columns: knownColumns(header.cells), rows: rows.slice(index + 1) })
  }
  // `skip_rows` counts all rows of the file, blank ones included; without it, the first row that has the columns
  // counts.
  const below = rows.filter(({ line }) => line > (mapping.skip_rows ?? 0))
  const candidates = mapping.skip_rows === undefined ? below.slice(0, preamble_rows_max) : below.slice(0, 1)
  for (const [index, { cells }] of candidates.entries()) {
    const columns = mappedColumns(cells, mapping)
    if (typeof columns !== "string" && isWhole(columns)) {
      return Result.succeed({ columns, rows: below.slice(index + 1) })
    }
  }
  return Result.fail(InvalidStatement.of("no row has the columns of the mapping"))
}

interface Balanced {
  readonly line: { readonly amount: BigDecimal.BigDecimal; readonly booking_date: Balance["date"] }
  readonly balance: Option.Option<BigDecimal.BigDecimal>
}

/**
 * Derives the opening and closing balance from the running balance of rows in ascending or descending order of time.
 * If the rows contradict each other, the balances do not add up, which the import then reports.
 */
const runningBalance = (rows: ReadonlyArray<Balanced>): readonly [Balance | null, Balance | null] => {
  const balances = rows.map(({ balance }) => balance)
  if (rows.length === 0 || !balances.every(Option.isSome)) return [null, null]
  const steps = rows.map(({ line }, index) => ({
    ...line,
    balance: Option.getOrThrow(balances[index] ?? Option.none())
  }))
  const follows = (earlier: (typeof steps)[number] | undefined, later: (typeof steps)[number] | undefined) =>
    earlier === undefined ||
    later === undefined ||
    BigDecimal.equals(BigDecimal.sum(earlier.balance, later.amount), later.balance)
  const backwards = steps.toReversed()
  const isRight = (order: typeof steps) => order.every((step, index) => follows(order[index - 1], step))
  const order = isRight(steps) || !isRight(backwards) ? steps : backwards
  const [first] = order
  const last = order.at(-1)
  if (first === undefined || last === undefined) return [null, null]
  const opening = { date: first.booking_date, amount: BigDecimal.subtract(first.balance, first.amount) }
  return [opening, { date: last.booking_date, amount: last.balance }]
}
