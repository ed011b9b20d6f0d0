import { BigDecimal, Option, Result } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { isPlaceholder, referenceOf } from "../texts/References.ts"
import { asIban, cleaned, cleanedText, type StatementLine } from "../records/Statement.ts"
import type { RowError } from "../records/Statement.ts"
import { folded } from "../texts/Words.ts"
import type { Columns } from "./CsvColumns.ts"
import { isDate } from "./cells/CsvDates.ts"
import type { CsvMapping } from "./cells/CsvMapping.ts"
import { isNumber } from "./cells/CsvNumbers.ts"
import type { ReadRow } from "./CsvRows.ts"
import type { Table } from "./CsvAccounts.ts"
import { cellIn } from "./cells/CsvTable.ts"
import { amountBy, type SignRule } from "./CsvSigns.ts"
import { type Meaning, rankOf } from "./cells/CsvWords.ts"

interface Lines {
  readonly lines: ReadonlyArray<StatementLine>
  readonly errors: ReadonlyArray<RowError>
}

/**
 * Converts rows to bank lines, and returns an error for each row that cannot be converted. `rule` tells debits from
 * credits.
 */
export const linesOf = (
  rows: ReadonlyArray<ReadRow>,
  { columns, profiles }: Pick<Table, "columns" | "profiles">,
  rule: SignRule,
  currency: CurrencyCode,
  mapping: CsvMapping
): Lines => {
  const has_unique_id = hasUniqueIds(rows, columns)
  const textOf = rowText(
    profiles.map(({ header }) => header),
    columns
  )
  const lines: Array<StatementLine> = []
  const errors: Array<RowError> = []
  for (const read of rows) {
    if (isBalanceRow(read)) continue
    const amount = Result.filterOrFail(
      amountBy(rule, read, mapping),
      (value) => fitsExponent(value, exponentOf(currency)),
      () => `The amount has more decimal places than ${currency} has.`
    )
    if (Result.isFailure(amount)) errors.push({ row: read.line, message: amount.failure })
    else lines.push(lineOf(read, amount.success, columns, currency, { row_text: textOf(read), has_unique_id }))
  }
  return { lines, errors }
}

const lineOf = (
  { continued, day, row, value_day }: ReadRow,
  amount: BigDecimal.BigDecimal,
  columns: Columns,
  currency: CurrencyCode,
  csv: NonNullable<StatementLine["csv"]>
): StatementLine => {
  const cell = (column: Meaning) => cellIn(row, columns[column])
  const party = BigDecimal.isNegative(amount) ? cell("payee_name") : cell("payer_name")
  // If two columns contain the same text, the text of the line contains it once.
  const texts = new Set([...(columns.texts ?? []).map((column) => cellIn(row, column)), ...continued])
  const reference = cleaned(cell("reference"))
  if (reference !== null && referenceOf(reference) === undefined) texts.add(reference)
  const id = cell("transaction_id")
  const has_id = id !== "" && !isPlaceholder(id)
  if (!csv.has_unique_id && has_id) texts.add(id)
  return {
    booking_date: day,
    value_date: value_day,
    amount,
    currency,
    counterparty_name: cleaned(cell("counterparty_name")) ?? cleaned(party),
    counterparty_iban: asIban(cell("counterparty_iban")) ?? null,
    remittance_text: cleanedText([...texts].join(" ")),
    reference,
    bank_id: has_id ? cleaned(id) : null,
    ...(isPlaceholder(id) ? { earlier_bank_id: id.trim() } : {}),
    csv
  }
}

/**
 * Returns the function for the text that identifies a row. An overlapping file has other rows, so the choice of the
 * cells depends only on the row and the names of the columns. Numbers and days are left out, because they may be a
 * balance or a position in the file, or be written in another way the next time.
 */
const rowText = (headers: ReadonlyArray<string>, { balance, reference, remittance, transaction_id }: Columns) => {
  const kinds = headers.map((header, index) => {
    if (index === balance || isNamed(header, ["balance", "status", "noise"])) return "left out"
    const isText = [reference, remittance, transaction_id].includes(index)
    return isText || isNamed(header, ["reference", "remittance", "transaction_id"]) ? "text" : "unknown"
  })
  return ({ continued, row }: ReadRow): string => {
    const cells = row.cells.filter((cell, index) => {
      const kind = kinds[index]
      return cell !== "" && (kind === "text" || (kind === "unknown" && !isNumber(cell) && !isDate(cell)))
    })
    return folded([...cells, ...continued].join(" "))
  }
}

const isNamed = (header: string, meanings: ReadonlyArray<Meaning | "noise">): boolean =>
  meanings.some((meaning) => rankOf(header, meaning) !== undefined)

/** True for a row such as "balance brought forward", which has a balance but no amount. */
const isBalanceRow = ({ amount, balance, credit, debit }: ReadRow): boolean =>
  Option.isSome(balance) && [amount, debit, credit].every((figure) => Option.isNone(figure))

/**
 * True if no id occurs twice. Otherwise the column does not identify the lines, whatever its name is. A text that only
 * says that there is no id is none.
 */
const hasUniqueIds = (rows: ReadonlyArray<ReadRow>, { transaction_id }: Columns): boolean => {
  const ids = rows.map(({ row }) => cellIn(row, transaction_id)).filter((id) => id !== "" && !isPlaceholder(id))
  return new Set(ids).size === ids.length
}
