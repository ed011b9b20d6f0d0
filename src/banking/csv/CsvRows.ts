import { BigDecimal, Option, Result } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import { folded } from "../texts/Words.ts"
import { asCurrency } from "../records/Statement.ts"
import type { RowError } from "../records/Statement.ts"
import { AmbiguousAmountFormat, AmbiguousDateFormat, type StatementRefused } from "../records/StatementErrors.ts"
import type { Columns } from "./CsvColumns.ts"
import { type DateOrder, dateOf, dateStyleOf, isDate, orderOf } from "./cells/CsvDates.ts"
import type { CsvMapping } from "./cells/CsvMapping.ts"
import { currencyIn, type DecimalSeparator, isMarked, isNumber, numberOf, styleOf } from "./cells/CsvNumbers.ts"
import type { Figures } from "./CsvSigns.ts"
import { isBareBalance, isFigure } from "./CsvSums.ts"
import { cellIn, type Row } from "./cells/CsvTable.ts"
import { booked_words, type Meaning, unbooked_words } from "./cells/CsvWords.ts"

const figure_columns = ["amount", "debit", "credit", "fee", "balance"] as const
type FigureColumn = (typeof figure_columns)[number]

/** Limit for absolute amounts: the database column only stores amounts below 10^12. */
const amount_limit = BigDecimal.make(1n, -12)
const isStorable = (amount: BigDecimal.BigDecimal) => BigDecimal.isLessThan(BigDecimal.abs(amount), amount_limit)

export interface ReadRow extends Figures {
  readonly row: Row
  readonly value_day: Day | null
  /** Texts of the rows below that have no date and amount, and therefore continue the text of this row. */
  readonly continued: ReadonlyArray<string>
}

interface Rows {
  readonly rows: ReadonlyArray<ReadRow>
  readonly errors: ReadonlyArray<RowError>
  /** Number of rows whose movement the bank has announced or refused, but not booked. */
  readonly skipped_pending: number
  /** Currencies other than that of the account, each with the number of rows that have it. */
  readonly foreign: ReadonlyMap<string, number>
  readonly date_order: DateOrder
  readonly decimal_separator: DecimalSeparator
}

export const isData = ({ cells }: Row): boolean =>
  cells.some(isDate) && cells.some((cell) => isNumber(cell) && !isDate(cell))

interface Table {
  readonly columns: Columns
  readonly rows: ReadonlyArray<Row>
  readonly header_line: number | null
  readonly width: number
  readonly is_ended: boolean
}

/** True if the file was cut off within its last row: the row lacks cells, or a date in it is incomplete. */
const isTorn = ({ columns, is_ended, rows, width }: Table, order: DateOrder): boolean => {
  const last = rows.at(-1)
  if (is_ended || last === undefined || isFooter(last) || (isNote(rows.at(-2)) && isNote(last))) return false
  if (last.cells.length < width) return rows.every((row) => row === last || row.cells.length >= width)
  const value_date = cellIn(last, columns.value_date)
  return value_date !== "" && Option.isNone(dateOf(value_date, order))
}

/** True for a row with a text in its first cell only, such as a disclaimer of the bank below the table. */
const isNote = (row: Row | undefined): boolean =>
  row !== undefined && row.cells.every((cell, index) => (cell === "") === index > 0)

export const readRows = (
  table: Table,
  currency: CurrencyCode,
  mapping: CsvMapping
): Result.Result<Rows, StatementRefused> =>
  Result.gen(function* () {
    const { columns, header_line, rows } = table
    const cellsOf = (column: Meaning) =>
      rows.flatMap((row) => {
        const text = cellIn(row, columns[column])
        return text === "" ? [] : [{ row: row.line, text }]
      })
    const separators = yield* separatorsOf(cellsOf, mapping)
    const order = yield* dateOrderOf(cellsOf, mapping)
    const readingOf = rowReader(table, currency, order, separators)
    const read: Array<ReadRow & { continued: Array<string> }> = []
    const errors: Array<RowError> = []
    const foreign = new Map<string, number>()
    let skipped_pending = 0
    for (const [index, row] of rows.entries()) {
      const reading = readingOf(row, index)
      if (reading === "pending") skipped_pending++
      else if (reading === "ignored") continue
      else if ("movement" in reading) read.push({ ...reading.movement, continued: [] })
      else if ("continued" in reading) read.at(-1)?.continued.push(...reading.continued)
      else if ("code" in reading) foreign.set(reading.code, (foreign.get(reading.code) ?? 0) + 1)
      else errors.push({ row: row.line, message: reading.error })
    }
    const end = read.at(-1)
    const refuse = ({ line }: ReadRow, message: string) => void errors.push({ row: line, message })
    if (header_line === null && end !== undefined && isBareBalance(end.row, rows)) {
      read.pop()
      refuse(end, "The row has only a date and a figure, which may be a balance.")
    }
    const figures = read.filter((row) => (row === read[0] || row === read.at(-1)) && isFigure(row, read, columns))
    for (const row of figures) refuse(row, "The row seems to state a balance or a sum, not a movement.")
    const movements = read.filter((row) => !figures.includes(row))
    const decimal_separator = separators[columns.amount === undefined ? "credit" : "amount"]
    return { rows: movements, errors, skipped_pending, foreign, date_order: order, decimal_separator }
  })

type RowReading =
  | { readonly movement: Omit<ReadRow, "continued"> }
  /** Texts that continue the text of the movement above. */
  | { readonly continued: ReadonlyArray<string> }
  /** The row is a movement in this currency, which is not the currency of the account. */
  | { readonly code: CurrencyCode }
  | { readonly error: string }
  /** The bank has announced or refused the movement, but not booked it. */
  | "pending"
  /** The row belongs to the header or to a footer. */
  | "ignored"

type Separators = Readonly<Record<FigureColumn, DecimalSeparator>>

const rowReader = (table: Table, currency: CurrencyCode, order: DateOrder, separators: Separators) => {
  const { columns, rows, width } = table
  const dayIn = (row: Row, column: "booking_date" | "value_date") => dateOf(cellIn(row, columns[column]), order)
  const number = (row: Row, column: FigureColumn) =>
    Option.filter(numberOf(cellIn(row, columns[column]), separators[column]), isStorable)
  const isDated = (row: Row) => Option.isSome(dayIn(row, "booking_date"))
  const first = rows.findIndex(isDated)
  const last = rows.findLastIndex(isDated)
  const torn = isTorn(table, order) ? rows.at(-1) : undefined

  const undated = (row: Row, index: number): RowReading => {
    // A header may have a second row.
    const isNames = index < first && !row.cells.some((cell) => isDate(cell) || isNumber(cell))
    if (isNames) return "ignored"
    const isEmpty = figure_columns.every((column) => column === "balance" || cellIn(row, columns[column]) === "")
    if (isEmpty) return { continued: continuationOf(row, columns) }
    const isOutside = index > last || index < first
    return isOutside && isFooter(row) ? "ignored" : { error: "The booking date is not a date." }
  }

  return (row: Row, index: number): RowReading => {
    if (row === torn) return { error: "The file ends in the middle of this row." }
    if (isUnbooked(row, columns)) return "pending"
    const day = dayIn(row, "booking_date")
    if (Option.isNone(day)) return undated(row, index)
    if (row.cells.length < width || row.cells.slice(width).some((cell) => cell !== "")) {
      return { error: `The row has ${row.cells.length} cells instead of ${width}.` }
    }
    const code = codeOf(row, columns)
    if (code !== undefined && code !== currency) {
      const known = asCurrency(code)
      return Option.isNone(known) ? { error: "The currency is not known." } : { code: known.value }
    }
    const unread = figure_columns.find(
      (column) => cellIn(row, columns[column]) !== "" && Option.isNone(number(row, column))
    )
    if (unread !== undefined) return { error: `The ${unread} is not a number.` }
    return {
      movement: {
        row,
        line: row.line,
        day: day.value,
        value_day: Option.getOrNull(dayIn(row, "value_date")),
        amount: number(row, "amount"),
        debit: number(row, "debit"),
        credit: number(row, "credit"),
        fee: number(row, "fee"),
        balance: number(row, "balance"),
        marked: isMarked(cellIn(row, columns.amount)),
        word: cellIn(row, columns.sign)
      }
    }
  }
}

/** True for a row whose status column or date column says that the bank has not booked the movement. */
const isUnbooked = (row: Row, columns: Columns): boolean => {
  const date = folded(cellIn(row, columns.booking_date))
  return unbooked_words.has(folded(cellIn(row, columns.status))) || (date !== "" && unbooked_words.has(date))
}

/** Returns the values of the status column whose meaning is unknown; none if the column has only one value. */
export const unknownStates = (rows: ReadonlyArray<Row>, column: number | undefined): ReadonlyArray<string> => {
  const states = new Set(rows.map((row) => cellIn(row, column)).filter((state) => state !== ""))
  const unknown = [...states].filter((state) => !booked_words.has(folded(state)) && !unbooked_words.has(folded(state)))
  return states.size > 1 ? unknown : []
}

/** Returns the texts of a row without date and amount, which continues the text of the movement above it. */
const continuationOf = (row: Row, columns: Columns): ReadonlyArray<string> =>
  cellIn(row, columns.booking_date) === ""
    ? (columns.texts ?? []).map((column) => cellIn(row, column)).filter((text) => text !== "")
    : []

const footer_words =
  /\b(total|totaal|totals|totale|totali|umsatztotal|gesamtsumme|saldo|saldi|balance|solde|kontostand|summe|somme|endsaldo|closing|opening)\b/
export const isFooter = ({ cells }: Row): boolean => cells.some((cell) => footer_words.test(folded(cell)))

/** Returns the currency code of a row, which is in a separate column or next to the amount. */
const codeOf = (row: Row, columns: Columns): string | undefined => {
  const named = cellIn(row, columns.currency).toUpperCase()
  if (named !== "") return named
  const beside = [columns.amount, columns.debit, columns.credit].map((column) => currencyIn(cellIn(row, column)))
  return beside.find((code) => code !== undefined)
}

type CellsOf = (column: Meaning) => ReadonlyArray<{ readonly row: number; readonly text: string }>

/**
 * Decides the decimal separator of each column by its cells. If they do not show it, the other columns decide, provided
 * that these agree.
 */
const separatorsOf = (
  cellsOf: CellsOf,
  { decimal_separator }: CsvMapping
): Result.Result<Separators, AmbiguousAmountFormat> => {
  const styles = figure_columns.map((column) => styleOf(cellsOf(column)))
  const decided = new Set(styles.flatMap((style) => (style._tag === "Decided" ? [style.separator] : [])))
  const [common] = decided.size === 1 ? decided : []
  const separators: Record<FigureColumn, DecimalSeparator> = {
    amount: ".",
    debit: ".",
    credit: ".",
    fee: ".",
    balance: "."
  }
  for (const [index, column] of figure_columns.entries()) {
    const style = styles[index]
    if (decimal_separator !== undefined) separators[column] = decimal_separator
    else if (style?._tag === "Decided") separators[column] = style.separator
    else if (common !== undefined) separators[column] = common
    else if (style?._tag === "Ambiguous") return Result.fail(AmbiguousAmountFormat.of(style.rows))
  }
  return Result.succeed(separators)
}

/** Decides the order of day, month and year by the cells of both date columns, which have the same format. */
const dateOrderOf = (cellsOf: CellsOf, { date_format }: CsvMapping): Result.Result<DateOrder, AmbiguousDateFormat> => {
  const named = date_format === undefined ? undefined : orderOf(date_format)
  if (named !== undefined) return Result.succeed(named)
  const style = dateStyleOf([...cellsOf("booking_date"), ...cellsOf("value_date")])
  return style._tag === "Decided" ? Result.succeed(style.order) : Result.fail(AmbiguousDateFormat.of(style.rows))
}
