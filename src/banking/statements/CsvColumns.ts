import { Schema, Struct } from "effect"
import { Text } from "../../kernel/Text.ts"
import { folded } from "../matching/Words.ts"
import { orderOf } from "./CsvDates.ts"
import { delimiters } from "./CsvTable.ts"
import { encodings } from "./Encoding.ts"

const Header = Schema.NullOr(Text(100))
const skip_rows_max = 1_000
const values_max = 20

const columnFields = {
  booking_date: Header,
  value_date: Header,
  amount: Header,
  debit: Header,
  credit: Header,
  currency: Header,
  counterparty_name: Header,
  counterparty_iban: Header,
  remittance: Header,
  reference: Header,
  transaction_id: Header,
  balance: Header
}
type ColumnName = keyof typeof columnFields

/** Describes how to read a client's CSV file; settings that are absent are detected. */
export const CsvMapping = Schema.Struct({
  delimiter: Schema.optionalKey(Schema.Literals(delimiters)),
  encoding: Schema.optionalKey(Schema.Literals(encodings)),
  skip_rows: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: skip_rows_max }))),
  date_format: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((format) => orderOf(format) !== undefined, { message: "must be a date format." })
    )
  ),
  decimal_separator: Schema.optionalKey(Schema.Literals([",", "."])),
  columns: Schema.optionalKey(Schema.Struct(Struct.map(columnFields, Schema.optionalKey))),
  sign: Schema.optionalKey(
    Schema.Struct({
      column: Schema.optionalKey(Header),
      debit_values: Schema.optionalKey(Schema.Array(Text(50)).check(Schema.isMaxLength(values_max)))
    })
  )
})
export type CsvMapping = typeof CsvMapping.Type

/** Column names that banks use in English, Dutch, French, German, Spanish and Italian. */
const known: Readonly<Record<ColumnName | "sign", string>> = {
  booking_date:
    "booking date|date|transaction date|posting date|posted date|boekingsdatum|datum|boekdatum|uitvoeringsdatum|" +
    "transactiedatum|date comptable|date de comptabilisation|date operation|date de l'operation|date d'execution|" +
    "buchungstag|buchungsdatum|buchung|fecha|fecha contable|fecha operacion|data|data contabile|data operazione|booked",
  value_date:
    "value date|valutadatum|valuta|date valeur|date de valeur|wertstellung|valutatag|wert|fecha valor|data valuta",
  amount:
    "amount|transaction amount|bedrag|bedrag (eur)|transactiebedrag|montant|montant (eur)|betrag|betrag (eur)|umsatz|" +
    "importe|importo|amount (eur)|amount eur",
  debit:
    "debit|debet|uitgaven|af|debit amount|money out|paid out|withdrawal|withdrawals|soll|belastung|cargo|uscite|dare|addebiti",
  credit:
    "credit|inkomsten|bij|credit amount|money in|paid in|deposit|deposits|haben|gutschrift|abono|entrate|avere|accrediti",
  currency: "currency|munt|valuta code|devise|wahrung|waehrung|divisa|moneda|valuta importo|ccy",
  counterparty_name:
    "counterparty|counterparty name|name|payee|payer|beneficiary|naam tegenpartij|tegenpartij|naam|naam / omschrijving|" +
    "naam tegenpartij bevat|nom|nom contrepartie|nom de la contrepartie|contrepartie|beneficiaire|auftraggeber/empfanger|" +
    "beguenstigter/zahlungspflichtiger|name zahlungsbeteiligter|empfanger|beneficiario|ordinante|controparte",
  counterparty_iban:
    "counterparty iban|counterparty account|account number counterparty|rekening tegenpartij|tegenrekening|" +
    "tegenrekening iban/bban|rekeningnummer tegenpartij|iban tegenpartij|compte contrepartie|compte de la contrepartie|" +
    "iban contrepartie|kontonummer/iban|iban zahlungsbeteiligter|iban counterparty|cuenta contraparte|iban controparte",
  remittance:
    "description|remittance|remittance information|communication|details|memo|mededeling|mededelingen|omschrijving|" +
    "vrije mededeling|communicatie|libelle|communication libre|motif|verwendungszweck|buchungstext|concepto|" +
    "descripcion|descrizione|causale|narrative",
  reference:
    "reference|structured communication|gestructureerde mededeling|communication structuree|referentie|referenz|" +
    "referencia|riferimento|end to end reference",
  transaction_id: "transaction id|transaction reference|volgnummer|numero de sequence|n° de sequence|bank reference|id",
  balance:
    "balance|running balance|saldo|solde|saldo na boeking|saldo na transactie|saldo nach buchung|kontostand|nouveau solde",
  sign: "debit/credit|credit/debit|d/c|c/d|af bij|af/bij|soll/haben|s/h|sign|dc|cd|debet/credit|type|sens"
}

const names = new Map(
  Struct.keys(known).flatMap((column) => known[column].split("|").map((name) => [name, column] as const))
)

export type Columns = Partial<Record<ColumnName | "sign", number>>

/** Finds the column of each meaning by the names in the header; the first of two columns with one meaning counts. */
export const knownColumns = (header: ReadonlyArray<string>): Columns => {
  const columns: Columns = {}
  for (const [index, name] of header.entries()) {
    const column = names.get(folded(name).replaceAll("_", " "))
    if (column !== undefined) columns[column] ??= index
  }
  return columns
}

/** Finds the columns of the mapping, else those known by name; fails with the first name that the header lacks. */
export const mappedColumns = (header: ReadonlyArray<string>, mapping: CsvMapping): Columns | string => {
  const columns = knownColumns(header)
  const said: ReadonlyArray<readonly [ColumnName | "sign", string | null | undefined]> = [
    ...Struct.keys(columnFields).map((column) => [column, mapping.columns?.[column]] as const),
    ["sign", mapping.sign?.column]
  ]
  for (const [column, name] of said) {
    if (name === undefined) continue
    if (name === null) {
      delete columns[column]
      continue
    }
    const index = header.findIndex((cell) => folded(cell) === folded(name))
    if (index < 0) return name
    columns[column] = index
  }
  return columns
}

/** A table of bank lines needs a date and an amount. */
export const isWhole = ({ amount, booking_date, credit, debit }: Columns): boolean =>
  booking_date !== undefined && (amount !== undefined || (debit !== undefined && credit !== undefined))
