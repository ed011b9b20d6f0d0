import { BigDecimal, Option, Result } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { folded } from "../matching/Words.ts"
import type { Columns, CsvMapping } from "./CsvColumns.ts"
import { type DateOrder, dateOf, dateStyleOf, orderOf } from "./CsvDates.ts"
import { type DecimalSeparator, numberOf, styleOf } from "./CsvNumbers.ts"
import type { Row } from "./CsvTable.ts"
import { asCurrency, asIban, cleaned, cleanedText, type RowError, type StatementLine } from "./Statement.ts"
import { AmbiguousAmountFormat, AmbiguousDateFormat, type StatementRefused } from "./StatementErrors.ts"

/** A row that is a line, and the account's balance after it if the file has one. */
interface CsvRow {
  readonly line: StatementLine
  readonly balance: Option.Option<BigDecimal.BigDecimal>
}

interface Read {
  readonly rows: ReadonlyArray<CsvRow>
  readonly errors: ReadonlyArray<RowError>
}

const debit_values = ["d", "db", "dr", "dbit", "debit", "debet", "af", "s", "soll", "cargo", "-"]
const credit_values = ["c", "cr", "crdt", "credit", "bij", "h", "haben", "abono", "+"]
const amount_columns = ["amount", "debit", "credit", "balance"] as const
type AmountColumn = (typeof amount_columns)[number]

/** Reads the rows of a table with known columns; rows that are not lines are reported separately. */
export const csvLines = (
  columns: Columns,
  rows: ReadonlyArray<Row>,
  currency: CurrencyCode,
  mapping: CsvMapping
): Result.Result<Read, StatementRefused> =>
  Result.gen(function* () {
    const cellsOf = (column: keyof Columns) =>
      rows.flatMap((row) =>
        cellIn(row, columns[column]) === "" ? [] : [{ row: row.line, text: cellIn(row, columns[column]) }]
      )
    const separators = yield* separatorsOf(cellsOf, mapping)
    const order = yield* dateOrderOf(cellsOf, mapping)
    const isDebit = signReader(cellsOf("sign"), mapping)
    const number = (row: Row, column: AmountColumn) =>
      Option.filter(numberOf(cellIn(row, columns[column]), separators[column]), isStorable)

    const lineOf = (row: Row): Result.Result<CsvRow, string> =>
      Result.gen(function* () {
        const day = dateOf(cellIn(row, columns.booking_date), order)
        if (Option.isNone(day)) return yield* Result.fail("The booking date is not a date.")
        const named = cellIn(row, columns.currency).toUpperCase()
        const own = named === "" ? Option.some(currency) : asCurrency(named)
        if (Option.isNone(own)) return yield* Result.fail("The currency is not known.")
        const amount = yield* amountOf(row)
        if (!fitsExponent(amount, exponentOf(own.value))) {
          return yield* Result.fail(`The amount has more decimal places than ${own.value} has.`)
        }
        const balance = number(row, "balance")
        if (cellIn(row, columns.balance) !== "" && Option.isNone(balance)) {
          return yield* Result.fail("The balance is not a number.")
        }
        const line = {
          booking_date: day.value,
          value_date: Option.getOrNull(dateOf(cellIn(row, columns.value_date), order)),
          amount,
          currency: own.value,
          counterparty_name: cleaned(cellIn(row, columns.counterparty_name)),
          counterparty_iban: asIban(cellIn(row, columns.counterparty_iban)) ?? null,
          remittance_text: cleanedText(cellIn(row, columns.remittance)),
          reference: cleaned(cellIn(row, columns.reference)),
          bank_id: cleaned(cellIn(row, columns.transaction_id))
        }
        return { line, balance }
      })

    const amountOf = (row: Row): Result.Result<BigDecimal.BigDecimal, string> => {
      const [amount, debit, credit] = (["amount", "debit", "credit"] as const).map((column) => number(row, column))
      const unread = (["amount", "debit", "credit"] as const).find(
        (column) => cellIn(row, columns[column]) !== "" && Option.isNone(number(row, column))
      )
      if (unread !== undefined) return Result.fail(`The ${unread} is not a number.`)
      if (amount !== undefined && Option.isSome(amount)) {
        if (columns.sign === undefined || isDebit === undefined) return Result.succeed(amount.value)
        const debited = isDebit(cellIn(row, columns.sign))
        if (debited === undefined) return Result.fail("The sign is neither debit nor credit.")
        const absolute = BigDecimal.abs(amount.value)
        return Result.succeed(debited ? BigDecimal.negate(absolute) : absolute)
      }
      const out = BigDecimal.abs(Option.getOrElse(debit ?? Option.none(), () => nothing))
      const into = BigDecimal.abs(Option.getOrElse(credit ?? Option.none(), () => nothing))
      if (BigDecimal.isZero(out) && BigDecimal.isZero(into)) return Result.fail("The row has no amount.")
      if (!BigDecimal.isZero(out) && !BigDecimal.isZero(into)) return Result.fail("The row is both debit and credit.")
      return Result.succeed(BigDecimal.subtract(into, out))
    }

    const read = rows.map((row) => ({ row: row.line, result: lineOf(row) }))
    return {
      rows: read.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : [])),
      errors: read.flatMap(({ result, row }) => (Result.isFailure(result) ? [{ row, message: result.failure }] : []))
    }
  })

const cellIn = ({ cells }: Row, index: number | undefined): string => (index === undefined ? "" : (cells[index] ?? ""))

const nothing = BigDecimal.fromBigInt(0n)
/** Amounts must be below 10^12, as the database column requires. */
const amount_limit = BigDecimal.make(1n, -12)
const isStorable = (amount: BigDecimal.BigDecimal) => BigDecimal.isLessThan(BigDecimal.abs(amount), amount_limit)

type CellsOf = (column: keyof Columns) => ReadonlyArray<{ readonly row: number; readonly text: string }>

/** Each column's own cells decide its separator; an undecided column takes the separator that the others agree on. */
const separatorsOf = (
  cellsOf: CellsOf,
  { decimal_separator }: CsvMapping
): Result.Result<Readonly<Record<AmountColumn, DecimalSeparator>>, AmbiguousAmountFormat> => {
  const styles = amount_columns.map((column) => styleOf(cellsOf(column)))
  const decided = new Set(styles.flatMap((style) => (style._tag === "Decided" ? [style.separator] : [])))
  const [common] = decided.size === 1 ? decided : []
  const separators = { amount: ".", debit: ".", credit: ".", balance: "." } as Record<AmountColumn, DecimalSeparator>
  for (const [index, column] of amount_columns.entries()) {
    const style = styles[index]
    if (decimal_separator !== undefined) separators[column] = decimal_separator
    else if (style?._tag === "Decided") separators[column] = style.separator
    else if (common !== undefined) separators[column] = common
    else if (style?._tag === "Ambiguous") return Result.fail(AmbiguousAmountFormat.of(style.rows))
  }
  return Result.succeed(separators)
}

/** Both date columns have the same format, so one may decide for the other. */
const dateOrderOf = (cellsOf: CellsOf, { date_format }: CsvMapping): Result.Result<DateOrder, AmbiguousDateFormat> => {
  const named = date_format === undefined ? undefined : orderOf(date_format)
  if (named !== undefined) return Result.succeed(named)
  const style = dateStyleOf([...cellsOf("booking_date"), ...cellsOf("value_date")])
  return style._tag === "Decided" ? Result.succeed(style.order) : Result.fail(AmbiguousDateFormat.of(style.rows))
}

/** Reads the column of signs; undefined when the column's values are not signs. */
const signReader = (cells: ReturnType<CellsOf>, { sign }: CsvMapping) => {
  const debits = new Set((sign?.debit_values ?? debit_values).map(folded))
  const isNamed = sign?.debit_values !== undefined
  const known = new Set([...debits, ...credit_values])
  if (!isNamed && !cells.some(({ text }) => known.has(folded(text)))) return undefined
  return (text: string): boolean | undefined => {
    if (debits.has(folded(text))) return true
    return isNamed || credit_values.includes(folded(text)) ? false : undefined
  }
}
