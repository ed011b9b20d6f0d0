import { BigDecimal, Option, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { Iban } from "../../organizations/Iban.ts"

export const StatementFormat = Schema.Literals(["csv", "camt053", "coda"])
export type StatementFormat = typeof StatementFormat.Type

/** Of one file, whatever its format. */
export const lines_max = 20_000
const name_characters_max = 255
const text_characters_max = 2_000

/** One movement on the account as the bank states it; texts are cleaned, so that they can be stored and compared. */
export interface StatementLine {
  readonly booking_date: Day
  readonly value_date: Day | null
  /** Negative takes from the account. */
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
  readonly counterparty_name: string | null
  readonly counterparty_iban: string | null
  readonly remittance_text: string
  /** What the payer quotes by the rules of a scheme: a structured communication or a creditor reference. */
  readonly reference: string | null
  /** The bank's own id of the line; null when it gives none. */
  readonly bank_id: string | null
}

export interface Balance {
  readonly date: Day
  readonly amount: BigDecimal.BigDecimal
}

export interface Statement {
  /** The account as the file names it, null where it does not. */
  readonly account: string | null
  readonly currency: CurrencyCode | null
  readonly opening: Balance | null
  readonly closing: Balance | null
  readonly lines: ReadonlyArray<StatementLine>
  /** Entries that are announced but not booked. */
  readonly skipped_pending: number
}

/** A row of a CSV file that says no line; the other formats refuse the whole file instead. */
export interface RowError {
  readonly row: number
  readonly message: string
}

export interface StatementFile {
  readonly format: StatementFormat
  readonly statements: ReadonlyArray<Statement>
  readonly errors: ReadonlyArray<RowError>
}

const cut = (text: string, characters_max: number): string =>
  text.length <= characters_max
    ? text
    : text
        .slice(0, characters_max)
        .toWellFormed()
        .replace(/\ufffd$/, "")

/** One line without control characters; null when nothing is left. */
export const cleaned = (text: string | undefined, characters_max = name_characters_max): string | null =>
  cut(
    (text ?? "")
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    characters_max
  ) || null

export const cleanedText = (text: string | undefined): string => cleaned(text, text_characters_max) ?? ""

const ibanOf = Schema.decodeUnknownOption(Iban)

/** The text as an IBAN; undefined when its check digits say that it is none. */
export const asIban = (text: string | undefined): string | undefined => Option.getOrUndefined(ibanOf(text?.trim()))

const account_characters_max = 40

/** An account as two spellings of it have in common: an IBAN, or the letters and digits of another number. */
export const asAccount = (text: string | undefined): string | null =>
  asIban(text) ?? cleaned(text?.toUpperCase().replaceAll(/[^0-9A-Z]/g, ""), account_characters_max)

export const asDay = Schema.decodeUnknownOption(Day)
export const asCurrency = Schema.decodeUnknownOption(CurrencyCode)

/** Below 10^12, as the column holds. */
const integer_digits_max = 12
const amount_text = new RegExp(`^\\d{1,${integer_digits_max}}(?:\\.\\d{1,6})?$`)

/** An unsigned amount in plain decimal notation, when the currency has amounts so fine. */
export const asAmount = (text: string, currency: CurrencyCode): Option.Option<BigDecimal.BigDecimal> =>
  amount_text.test(text)
    ? Option.filter(BigDecimal.fromString(text), (amount) => fitsExponent(amount, exponentOf(currency)))
    : Option.none()

const sumOf = (lines: ReadonlyArray<StatementLine>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(lines.map(({ amount }) => amount))

/** Whether the lines lead from one balance to the other; not when either is unknown. */
export const addsUp = (
  opening: Balance | null,
  lines: ReadonlyArray<StatementLine>,
  closing: Balance | null
): boolean =>
  opening !== null &&
  closing !== null &&
  BigDecimal.equals(BigDecimal.sum(opening.amount, sumOf(lines)), closing.amount)
