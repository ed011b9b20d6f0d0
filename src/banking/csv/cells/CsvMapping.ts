import { Schema, Struct } from "effect"
import { Text } from "../../../kernel/Text.ts"
import { encodings } from "../../records/Encoding.ts"
import { orderOf } from "./CsvDates.ts"
import { described } from "../../../kernel/Described.ts"

export const delimiters = [",", ";", "\t", "|"] as const
export type Delimiter = (typeof delimiters)[number]

const skip_rows_max = 1_000
const values_max = 20
export const cells_max = 100

/** A column by its name or its position from 1; null if the file does not have the column. */
const ColumnRef = Schema.NullOr(
  Schema.Union([Text(100), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: cells_max }))])
)
export type ColumnRef = typeof ColumnRef.Type

const columnFields = {
  booking_date: described(ColumnRef, "Column of the booking date."),
  value_date: described(ColumnRef, "Column of the value date."),
  amount: described(ColumnRef, "Column of the amount; null when debits and credits have columns of their own."),
  debit: described(ColumnRef, "Column of the amounts that leave the account."),
  credit: described(ColumnRef, "Column of the amounts that enter the account."),
  fee: described(ColumnRef, "Column of fees; naming it says that fees are deducted from the amount."),
  currency: described(ColumnRef, "Column of the currency."),
  counterparty_name: described(ColumnRef, "Column of the name of the other party."),
  counterparty_iban: described(ColumnRef, "Column of the IBAN of the other party."),
  remittance: described(ColumnRef, "Column of the text of the payment."),
  reference: described(ColumnRef, "Column of the structured reference."),
  transaction_id: described(ColumnRef, "Column of the bank's own id of the transaction."),
  balance: described(ColumnRef, "Column of the balance after the transaction."),
  status: described(ColumnRef, "Column of the state; rows that are pending or refused are skipped."),
  account: described(ColumnRef, "Column of the organization's own account.")
}
export type ColumnName = keyof typeof columnFields
export const columnNames = Struct.keys(columnFields)

export const CsvMapping = Schema.Struct({
  delimiter: described(
    Schema.optionalKey(Schema.Literals(delimiters)),
    "Character between the cells. It is detected if it is absent."
  ),
  encoding: described(
    Schema.optionalKey(Schema.Literals(encodings)),
    "Encoding of the file. It is detected if it is absent."
  ),
  skip_rows: described(
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: skip_rows_max }))),
    "Number of rows above the header, including blank ones. It is detected if it is absent."
  ),
  date_format: described(
    Schema.optionalKey(
      Schema.String.check(
        Schema.makeFilter((format) => orderOf(format) !== undefined, { message: "must be a date format." })
      )
    ),
    "Order of day, month and year. Absent: it is detected.",
    "DD/MM/YYYY"
  ),
  decimal_separator: described(
    Schema.optionalKey(Schema.Literals([",", "."])),
    "Character before the decimals. It is detected if it is absent."
  ),
  columns: described(
    Schema.optionalKey(Schema.Struct(Struct.map(columnFields, Schema.optionalKey))),
    "Columns by their names in the header or their positions, from 1; null if the file does not have it. Absent ones are detected."
  ),
  sign: described(
    Schema.optionalKey(
      Schema.Struct({
        column: described(
          Schema.optionalKey(ColumnRef),
          "Column with words that distinguish debits from credits; null if there is none."
        ),
        debit_values: described(
          Schema.optionalKey(Schema.Array(Text(50)).check(Schema.isMaxLength(values_max))),
          "Values of that column that mean a debit, at most 20."
        ),
        positive: described(
          Schema.optionalKey(Schema.Literals(["credit", "debit"])),
          "Meaning of an amount without a minus sign: `debit` for a card that lists purchases without one."
        )
      })
    ),
    "How debits are distinguished from credits. It is detected if it is absent."
  )
})
export type CsvMapping = typeof CsvMapping.Type
