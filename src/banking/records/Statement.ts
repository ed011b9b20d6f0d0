import { BigDecimal, Option, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent } from "../../kernel/Money.ts"
import { cut } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/profile/Iban.ts"
import { lettersAndDigits } from "../texts/Words.ts"

export const lines_max = 100_000
const name_characters_max = 255
const text_characters_max = 2_000

const StatedTexts = Schema.Struct({
  counterparty_name: Schema.NullOr(Schema.String),
  counterparty_iban: Schema.NullOr(Schema.String),
  remittance_text: Schema.String,
  /** The structured reference that the payer quotes: a Belgian structured communication or a creditor reference. */
  reference: Schema.NullOr(Schema.String)
})
export type StatedTexts = typeof StatedTexts.Type

/** A movement on the account as the bank states it. Texts are cleaned, so that they can be stored and compared. */
export const StatementLine = Schema.Struct({
  booking_date: Day,
  value_date: Schema.NullOr(Day),
  /** Negative when money leaves the account. */
  amount: Schema.BigDecimal,
  currency: CurrencyCode,
  ...StatedTexts.fields,
  /** The texts as earlier versions read them. They identify the line, and are absent if the texts do. */
  earlier_texts: Schema.optionalKey(StatedTexts),
  /** The bank's own id of the line; null when the bank gives none. */
  bank_id: Schema.NullOr(Schema.String),
  /** The text that earlier versions took for the bank's id, although many lines have it; absent if there is none. */
  earlier_bank_id: Schema.optionalKey(Schema.String),
  /** Absent for lines of other formats than CSV. */
  csv: Schema.optionalKey(
    Schema.Struct({
      /** The cells that identify the row, whatever the other rows of the file are. */
      row_text: Schema.String,
      /** True if no two rows of the file have the same id. */
      has_unique_id: Schema.Boolean
    })
  )
})
export type StatementLine = typeof StatementLine.Type

export const Balance = Schema.Struct({ date: Day, amount: Schema.BigDecimal })
export type Balance = typeof Balance.Type

export const Statement = Schema.Struct({
  /** The account number in the file; null when the file has none. */
  account: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(CurrencyCode),
  opening: Schema.NullOr(Balance),
  closing: Schema.NullOr(Balance),
  lines: Schema.Array(StatementLine),
  /** Number of entries that the bank has announced but not booked. */
  skipped_pending: Schema.Int
})
export type Statement = typeof Statement.Type

/** An invalid row of a CSV file. A file in another format is refused as a whole if one of its lines is invalid. */
export const RowError = Schema.Struct({ row: Schema.Int, message: Schema.String })
export type RowError = typeof RowError.Type

/** Makes a text a single line without control characters; null if nothing is left. */
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

/** The text as an IBAN; undefined when its check digits are wrong. */
export const asIban = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Option.getOrUndefined(ibanOf(text.trim()))

const account_characters_max = 40

/** Normalizes an account number, so that different spellings are equal: an IBAN, or letters and digits only. */
export const asAccount = (text: string | undefined): string | null =>
  asIban(text) ?? cleaned(lettersAndDigits(text ?? ""), account_characters_max)

const remembered_max = 1_000

/**
 * Returns a decoder that caches its results, because a statement repeats its days and currencies. It does not cache
 * invalid texts, which may be long.
 */
const remembering = <A>(decode: (text: unknown) => Option.Option<A>) => {
  const known = new Map<string, Option.Option<A>>()
  return (text: string | undefined): Option.Option<A> => {
    if (text === undefined) return Option.none()
    const found = known.get(text) ?? decode(text)
    if (known.size >= remembered_max) known.clear()
    if (Option.isSome(found)) known.set(text, found)
    return found
  }
}

export const asDay = remembering(Schema.decodeUnknownOption(Day))
export const asCurrency = remembering(Schema.decodeUnknownOption(CurrencyCode))

/** Amounts must be below 10^12, as the database column requires. */
const integer_digits_max = 12
const amount_text = new RegExp(`^\\d{1,${integer_digits_max}}(?:\\.\\d{1,6})?$`)

/** Reads an unsigned amount in decimal notation; none when it has more decimals than the currency. */
export const asAmount = (text: string, currency: CurrencyCode): Option.Option<BigDecimal.BigDecimal> =>
  amount_text.test(text)
    ? Option.filter(BigDecimal.fromString(text), (amount) => fitsExponent(amount, exponentOf(currency)))
    : Option.none()
