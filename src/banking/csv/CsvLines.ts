import { BigDecimal, Option, Result } from "effect"
import { type CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { referenceOf } from "../texts/References.ts"
import { asIban, cleaned, cleanedText, type StatementLine } from "../records/Statement.ts"
import type { RowError } from "../records/Statement.ts"
import type { Columns } from "./CsvColumns.ts"
import type { CsvMapping } from "./cells/CsvMapping.ts"
import type { ReadRow } from "./CsvRows.ts"
import { cellIn } from "./cells/CsvTable.ts"
import { amountBy, type SignRule } from "./CsvSigns.ts"
import type { Meaning } from "./cells/CsvWords.ts"

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
  columns: Columns,
  rule: SignRule,
  currency: CurrencyCode,
  mapping: CsvMapping
): Lines => {
  const isIdentified = hasUniqueIds(rows, columns)
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
    else lines.push(lineOf(read, amount.success, columns, currency, isIdentified))
  }
  return { lines, errors }
}

const lineOf = (
  { continued, day, row, value_day }: ReadRow,
  amount: BigDecimal.BigDecimal,
  columns: Columns,
  currency: CurrencyCode,
  isIdentified: boolean
): StatementLine => {
  const cell = (column: Meaning) => cellIn(row, columns[column])
  const party = BigDecimal.isNegative(amount) ? cell("payee_name") : cell("payer_name")
  // If two columns contain the same text, the text of the line contains it once.
  const texts = new Set([...(columns.texts ?? []).map((column) => cellIn(row, column)), ...continued])
  const reference = cleaned(cell("reference"))
  if (reference !== null && referenceOf(reference) === undefined) texts.add(reference)
  if (!isIdentified) texts.add(cell("transaction_id"))
  return {
    booking_date: day,
    value_date: value_day,
    amount,
    currency,
    counterparty_name: cleaned(cell("counterparty_name")) ?? cleaned(party),
    counterparty_iban: asIban(cell("counterparty_iban")) ?? null,
    remittance_text: cleanedText([...texts].join(" ")),
    reference,
    bank_id: isIdentified ? cleaned(cell("transaction_id")) : null
  }
}

/** True for a row such as "balance brought forward", which has a balance but no amount. */
const isBalanceRow = ({ amount, balance, credit, debit }: ReadRow): boolean =>
  Option.isSome(balance) && [amount, debit, credit].every((figure) => Option.isNone(figure))

/** True if no id occurs twice. Otherwise the column does not identify the lines, whatever its name is. */
const hasUniqueIds = (rows: ReadonlyArray<ReadRow>, { transaction_id }: Columns): boolean => {
  const ids = rows.map(({ row }) => cellIn(row, transaction_id)).filter((id) => id !== "")
  return new Set(ids).size === ids.length
}
